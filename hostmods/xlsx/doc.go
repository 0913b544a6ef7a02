// Package xlsx reads and writes Excel workbooks (ECMA-376, Office Open XML, transitional and
// strict), and registers the host module "xlsx".
//
// It is made for rows of data: values, dates, formulas with their cached results, merged
// ranges, number formats and simple styles. It holds one part of a workbook inflated at a
// time, of at most 64 MB, counts what parts inflate to while it inflates them, evaluates no
// formulas, follows no references out of the file, and writes nothing to disk.
package xlsx
