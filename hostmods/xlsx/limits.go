package xlsx

import "fmt"

// Limits that a call can exceed, as in LIMITS.md.
const (
	maxCells    = 250_000   // cells that are read or written, with the empty ones between them
	maxPainted  = 1_000_000 // cells of all style ranges of a sheet, counted from their rows' beginning
	maxCellText = 32_767    // UTF-16 units in a cell that is written, as Excel has it
	maxPart     = 64 << 20  // bytes that a part inflates to
	maxInflated = 128 << 20 // bytes that all parts inflate to which a call reads
	maxShared   = 1_000_000 // shared strings of a workbook
)

// Their names.
const (
	limitCells    = "SheetCells"
	limitStyles   = "SheetStyles"
	limitCellText = "SheetCellText"
	limitPart     = "SheetPartSize"
	limitTotal    = "SheetTotalSize"
	limitStrings  = "SheetStrings"
)

// What workbooks cannot have, and what keeps an odd one cheap.
const (
	maxRows          = 1_048_576 // of a sheet
	maxColumns       = 16_384    // of a sheet
	maxWrittenSheets = 64
	maxSheets        = 4096     // when reading
	maxParts         = 10_000   // of a file
	maxFormats       = 65_490   // cell formats that are read, as Excel has it
	maxLooks         = 65_000   // combinations of styles and formats that are written, below what Excel has
	maxFormula       = 8_192    // bytes of a formula that is written
	maxAllText       = 64 << 20 // bytes of all texts of a call, in each cell that has them when reading
)

// A limitError says which limit a workbook exceeds.
type limitError struct {
	limit       string
	value, used int64
	text        string
}

func (e *limitError) Error() string { return e.text }

func exceeded(limit string, value, used int64, format string, args ...any) error {
	return &limitError{limit, value, used, fmt.Sprintf(format, args...)}
}

func tooManyCells(n int) error {
	return exceeded(limitCells, maxCells, int64(n), "the cells are more than the limit of %d", maxCells)
}
