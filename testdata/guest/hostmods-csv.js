// rows are records keyed by the first row, or arrays
import { parse } from "@nodetool-ai/sandbox-csv";
return [await parse("a,b\n1,2\n\n3,4\n"), await parse("a;b\n1;\"x\n;y\"\n", { header: false }), await parse("a,b\n1\n1,2,3\n")]; //= [[{"a":"1","b":"2"},{"a":"3","b":"4"}],[["a","b"],["1","x\n;y"]],[{"a":"1"},{"a":"1","b":"2","__parsed_extra":["3"]}]]
---
// the default export holds all functions, and options that are no object are none
import csv from "@nodetool-ai/sandbox-csv";
return [Object.keys(csv).sort(), await csv.parse("a\n1", 5), await csv.stringify(await csv.parse("a,a\n1,2"))]; //= [["parse","stringify"],[{"a":"1"}],"a,a_1\n1,2"]
---
// bytes are UTF-8, and a view is its own range
import { parse } from "@nodetool-ai/sandbox-csv";
const bytes = new TextEncoder().encode("xx\ufeffä,b\n1,2");
return [await parse(bytes.subarray(2)), await parse(new DataView(bytes.buffer, 5))]; //= [[{"ä":"1","b":"2"}],[{"ä":"1","b":"2"}]]
---
// types are real types
import { parse } from "@nodetool-ai/sandbox-csv";
const [row] = await parse("n,b,d,z\n1.5,true,2024-02-03T04:05:06Z,\n", { dynamicTyping: true });
return [typeof row.n, row.b, row.d instanceof Date, row.d.toISOString(), row.z]; //= ["number",true,true,"2024-02-03T04:05:06.000Z",null]
---
// __proto__ is a column like any other
import { parse } from "@nodetool-ai/sandbox-csv";
const [row] = await parse("__proto__,constructor\n1,2");
return [Object.getPrototypeOf(row) === Object.prototype, Object.keys(row)]; //= [true,["__proto__","constructor"]]
---
// 20,000 rows
import { parse, stringify } from "@nodetool-ai/sandbox-csv";
const text = "id,name,note\n" + Array.from({ length: 20000 }, (_, i) => `${i},name ${i},"a ""note"""`).join("\n");
const rows = await parse(text);
return [rows.length, rows[19999], await stringify(rows.slice(0, 2)), (await stringify(rows)).length === text.length]; //= [20000,{"id":"19999","name":"name 19999","note":"a \"note\""},"id,name,note\n0,name 0,\"a \"\"note\"\"\"\n1,name 1,\"a \"\"note\"\"\"",true]
---
import { parse } from "@nodetool-ai/sandbox-csv";
await parse(5); //! TypeError "csv.parse: text must be a string or Uint8Array, not the number 5"
---
import { parse } from "@nodetool-ai/sandbox-csv";
await parse("a", { delimiter: ";;" }); //! TypeError "csv.parse: options.delimiter must be one character"
---
import { parse } from "@nodetool-ai/sandbox-csv";
await parse("x".repeat(5242881)); //! RangeError "csv.parse: text has 5242881 characters, more than the limit of 5242880"
---
import { stringify } from "@nodetool-ai/sandbox-csv";
await stringify({ a: 1 }); //! TypeError "csv.stringify: rows must be an array, not an object"
