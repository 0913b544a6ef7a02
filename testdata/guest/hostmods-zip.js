// what was zipped is unzipped
import { zip, unzip } from "@nodetool-ai/sandbox-zip";
const files = await unzip(await zip({ "a.txt": "hällo", "b.bin": new Uint8Array([1, 2, 3]), "d/": new Uint8Array(), "d/e": "" }));
return Object.entries(files).map(([k, v]) => [k, v instanceof Uint8Array, Array.from(v).join()]); //= [["a.txt",true,"104,195,164,108,108,111"],["b.bin",true,"1,2,3"],["d/",true,""],["d/e",true,""]]
---
// the functions are those of the default export, too
import all, * as named from "@nodetool-ai/sandbox-zip";
return [Object.keys(all).sort(), Object.keys(all).every((k) => all[k] === named[k])]; //= [["gunzip","gzip","list","unzip","unzipTo","zip","zipFrom"],true]
---
// views count with their offset and length
import { zip, unzip } from "@nodetool-ai/sandbox-zip";
const bytes = new Uint8Array([9, 9, 1, 2, 9]);
const made = await zip({ a: bytes.subarray(2, 4) });
const inside = new Uint8Array(made.length + 7);
inside.set(made, 3);
const files = await unzip(inside.subarray(3, 3 + made.length));
return Array.from(files.a); //= [1,2]
---
// names that objects know are names of files
import { zip, unzip } from "@nodetool-ai/sandbox-zip";
const given = Object.create(null);
for (const k of ["__proto__", "constructor", "toString", "7"]) given[k] = k;
const files = await unzip(await zip(given));
return Object.keys(files).map((k) => [k, new TextDecoder().decode(Object.getOwnPropertyDescriptor(files, k).value)]); //= [["7","7"],["__proto__","__proto__"],["constructor","constructor"],["toString","toString"]]
---
// list describes what is in an archive
import { zip, list } from "@nodetool-ai/sandbox-zip";
const [a, b] = await list(await zip({ "a.sh": { data: "aaaaaaaaaaaaaaaaaaaa", level: 9, mtime: new Date("2024-05-06T07:08:09Z"), mode: 0o755, comment: "run me" }, "d/": "" }));
return [a, b, a.mtime.getTime()]; //= [{"name":"a.sh","size":20,"compressedSize":6,"crc":644844494,"method":"deflate","mtime":"2024-05-06T07:08:09.000Z","mode":493,"directory":false,"encrypted":false,"comment":"run me"},{"name":"d/","size":0,"compressedSize":0,"crc":0,"method":"store","mtime":"1980-01-01T00:00:00.000Z","mode":493,"directory":true,"encrypted":false,"comment":""},1714979289000]
---
// the same input makes the same bytes
import { zip } from "@nodetool-ai/sandbox-zip";
const make = () => zip({ a: "x".repeat(1000), b: { data: "y", store: true } }, { level: 1, comment: "c" });
return String(await make()) === String(await make()); //= true
---
// entries are chosen by name, directory and pattern
import { zip, unzip } from "@nodetool-ai/sandbox-zip";
const z = await zip({ "a.csv": "", "b.txt": "", "d/c.csv": "", "d/.e": "", "x[1]": "" });
const names = async (o) => Object.keys(await unzip(z, o)).join(" ");
return [await names({ only: "a.csv" }), await names({ only: ["**/*.csv"] }), await names({ only: "d/" }), await names({ except: ["*.csv", "d/"] }), await names({ only: "x[1]" }), await names({ only: [] })]; //= ["a.csv","a.csv d/c.csv","d/c.csv d/.e","b.txt x[1]","x[1]",""]
---
// a name that is not there is an error
import { zip, unzip } from "@nodetool-ai/sandbox-zip";
const z = await zip({ a: "" });
await unzip(z, { only: ["a", "b"] }); //! Error "zip.unzip: the archive has no entry b"
---
// what is no archive is an error
import { unzip } from "@nodetool-ai/sandbox-zip";
await unzip(new Uint8Array(100)); //! Error "zip.unzip: this is no zip archive, or its end is missing"
---
// what is no bytes is told where they come from
import { unzip } from "@nodetool-ai/sandbox-zip";
await unzip({}); //! TypeError "zip.unzip: source must be a Uint8Array or the path of a file in the workspace, not an object; workspace.readBytes(path) and response.bytes() give one"
---
// files must be an object
import { zip } from "@nodetool-ai/sandbox-zip";
await zip(["a"]); //! TypeError "zip.zip: files must be an object of paths and contents, not an array"
---
// contents of another type are named
import { zip } from "@nodetool-ai/sandbox-zip";
await zip({ ok: "", "a/b": 7 }); //! TypeError "zip.zip: entry a/b: must be a Uint8Array, a string or an object with data"
---
// names that would lead elsewhere cannot be written
import { zip } from "@nodetool-ai/sandbox-zip";
await zip({ "../a": "" }); //! Error "zip.zip: the name \"../a\" is not safe; \"a\" would be"
---
// limits can be made narrower
import { zip, unzip } from "@nodetool-ai/sandbox-zip";
const z = await zip({ a: "x".repeat(1000), b: "y" });
const errors = [];
for (const o of [{ maxTotal: 1000 }, { maxEntry: 999 }, { maxEntries: 1 }]) {
  await unzip(z, o).catch((e) => errors.push([e.name, e.code, e.message]));
}
return errors; //= [["RangeError","ERR_LIMIT","zip.unzip: the contents up to entry b have 1001 bytes, more than the limit of 1000 (ZipTotalSize)"],["RangeError","ERR_LIMIT","zip.unzip: entry a has 1000 bytes, more than the limit of 999 (ZipEntrySize)"],["RangeError","ERR_LIMIT","zip.unzip: the archive says that it has 2 entries, more than the limit of 1 (ZipEntries)"]]
---
// what is no option bag has no options
import { zip, unzip } from "@nodetool-ai/sandbox-zip";
const z = await zip({ a: "1" }, ["level"]);
return Object.keys(await unzip(z, 7)); //= ["a"]
---
// an option of the wrong type is named
import { zip } from "@nodetool-ai/sandbox-zip";
await zip({}, { level: "high" }); //! TypeError "zip.zip: options.level must be an integer, not a string"
---
// gzip there and back
import { gzip, gunzip } from "@nodetool-ai/sandbox-zip";
const z = await gzip("hello ".repeat(1000), { level: 9 });
return [z[0], z[1], z.length < 100, new TextDecoder().decode(await gunzip(z)).length]; //= [31,139,true,6000]
---
// archives go to and from the workspace
//@workspace {"in/a.txt":"a","in/d/b.txt":"b","in/c.tmp":"c","workspace/w":"w"}
import { zipFrom, unzipTo, list, unzip } from "@nodetool-ai/sandbox-zip";
await workspace.mkdir("in/empty");
const made = await zipFrom("in", "out/in.zip", { except: "*.tmp" });
const paths = await unzipTo("out/in.zip", "there");
const again = await zipFrom(["in/**/*.txt", "./workspace"], "again.zip");
await unzipTo(await workspace.readBytes("again.zip"), ".");
return [made.entries, made.size === (await workspace.stat("out/in.zip")).size, paths, await workspace.list("there", { recursive: true }), await workspace.read("there/d/b.txt"),
  (await list("again.zip")).map((e) => e.name), Object.keys(await unzip("again.zip", { only: "in/d/" }))]; //= [3,true,["a.txt","d/b.txt","empty/"],["a.txt","d","d/b.txt","empty"],"b",["in/a.txt","in/d/b.txt","workspace/w"],["in/d/b.txt"]]
---
// files that are there can be kept
//@workspace {"in/a":"new","out/a":"old"}
import { zipFrom, unzipTo } from "@nodetool-ai/sandbox-zip";
await zipFrom("in", "z.zip");
const e = await unzipTo("z.zip", "out", { overwrite: false }).catch((e) => e.message);
const kept = await workspace.read("out/a");
await unzipTo("z.zip", "out");
return [e, kept, await workspace.read("out/a")]; //= ["zip.unzipTo: a is there already","old","new"]
---
// the archive does not hold itself
//@workspace {"a":"1"}
import { zipFrom, list } from "@nodetool-ai/sandbox-zip";
await zipFrom(".", "z.zip");
await zipFrom(".", "z.zip");
return (await list("z.zip")).map((e) => e.name); //= ["a"]
---
// without a workspace there are no paths
import { unzip } from "@nodetool-ai/sandbox-zip";
await unzip("a.zip"); //! Denied "zip.unzip: this run was not granted workspace; the host grants it with Options.Workspace"
---
// names from outside stay below the directory
//@workspace {}
import { zip, unzipTo, list } from "@nodetool-ai/sandbox-zip";
const z = await zip({ "aa/evil1": "1", "C_/evil2": "2" });
// Both headers of each entry get another name of the same length.
const rename = (from, to) => {
  const f = new TextEncoder().encode(from), t = new TextEncoder().encode(to);
  for (let i = 0; i + f.length <= z.length; i++) if (f.every((c, k) => z[i + k] === c)) z.set(t, i);
};
rename("aa/evil1", "../evil1");
rename("C_/evil2", "C:\\evil2");
return [await unzipTo(z, "in"), await workspace.list(".", { recursive: true }), (await list(z)).map((e) => e.rawName)]; //= [["evil1","evil2"],["in","in/evil1","in/evil2"],["../evil1","C:\\evil2"]]
