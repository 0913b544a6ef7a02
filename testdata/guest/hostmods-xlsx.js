// what is written is read, with dates, booleans and nothing
import { write, parse } from "@nodetool-ai/sandbox-xlsx";
const bytes = await write({ Sales: [{ name: "Ann", sum: 1.5, day: new Date("2024-02-29"), ok: true }, { name: "Bob", note: null }] });
return [bytes instanceof Uint8Array, await parse(bytes)]; //= [true, {"Sales":[{"name":"Ann","sum":1.5,"day":"2024-02-29T00:00:00.000Z","ok":true,"note":null},{"name":"Bob","sum":null,"day":null,"ok":null,"note":null}]}]
---
// a sheet with columns, formats, styles and formulas
import xlsx from "@nodetool-ai/sandbox-xlsx";
const bytes = await xlsx.write([{
  name: "Report",
  rows: [{ a: 2, b: { formula: "A2*2", result: 4 }, c: { deep: [1] } }],
  columns: ["b", { key: "a", header: "A", numberFormat: "0.00", width: 12 }, "c"],
  styles: [{ range: "A1:C1", bold: true, background: "#ddeeff" }],
  freezeHeader: true,
}]);
return [await xlsx.parse(bytes, { sheet: "Report" }), await xlsx.parse(bytes, { sheet: "Report", formulas: true, range: "A2:A2", header: false }), await xlsx.sheets(bytes)]; //= [[{"b":4,"A":2,"c":"{\"deep\":[1]}"}], [[{"formula":"A2*2","result":4}]], [{"name":"Report","state":"visible","rows":2,"columns":3}]]
---
// a view of a larger buffer is what it shows, and dates can be dates
import { write, parse } from "@nodetool-ai/sandbox-xlsx";
const bytes = await write({ S: [[new Date(0), 7n, undefined, "=1"]] }, { header: false });
const large = new Uint8Array(bytes.length + 20);
large.set(bytes, 10);
const [[day, ...rest]] = await parse(large.subarray(10, 10 + bytes.length), { sheet: "S", header: false, dates: "date" });
return [day instanceof Date, day.getTime(), rest]; //= [true, 0, [7, null, "=1"]]
---
import { write } from "@nodetool-ai/sandbox-xlsx";
await write({ "a/b": [] }); //! TypeError "xlsx.write: the name of sheet \"a/b\" has one of * ? : \\ / [ ], which Excel does not take"
---
import { write } from "@nodetool-ai/sandbox-xlsx";
await write([{ name: "S", rows: [], styles: [{ range: "A1:XFD1048576", bold: true }] }]); //! RangeError "xlsx.write: the ranges of styles have more cells than the limit of 1000000"
---
import { parse } from "@nodetool-ai/sandbox-xlsx";
await parse("PK"); //! TypeError "xlsx.parse: bytes must be a Uint8Array, not a string; workspace.readBytes(path) and response.bytes() give one"
---
import { parse } from "@nodetool-ai/sandbox-xlsx";
await parse(new TextEncoder().encode("a,b")); //! Error "xlsx.parse: the file is no .xlsx workbook"
