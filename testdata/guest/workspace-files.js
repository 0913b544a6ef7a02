// text in and out, with the directories above it
//@workspace {}
await workspace.write("a/b/c.txt", "grüße");
return [await workspace.read("a/b/c.txt"), await workspace.list(), await workspace.list("a"), await workspace.root()]; //= ["grüße", ["a"], ["b"], "/workspace"]
---
// bytes, and only those of a view
//@workspace {}
const all = new Uint8Array([1, 2, 3, 4, 5, 6]);
await workspace.writeBytes("v", all.subarray(2, 4));
await workspace.writeBytes("f", new Float32Array([1]));
await workspace.writeBytes("l", [1, 257, -1, 2.9]);
const v = await workspace.readBytes("v");
return [v instanceof Uint8Array, [...v], [...await workspace.readBytes("f")], [...await workspace.readBytes("l")]]; //= [true, [3,4], [0,0,128,63], [1,1,255,2]]
---
// all spellings are one file
//@workspace {"x.txt": "x"}
const got = [];
for (const p of ["x.txt", "/x.txt", "workspace/x.txt", "/workspace/x.txt", "./x.txt", "a/../x.txt", "\\x.txt", "C:\\x.txt", " x.txt "]) got.push(await workspace.read(p));
return got.join(""); //= "xxxxxxxxx"
---
// a range of a file
//@workspace {"x.txt": "0123456789"}
return [await workspace.read("x.txt", { offset: 2, length: 3 }), await workspace.read("x.txt", { offset: 8 }), await workspace.read("x.txt", { length: 1 }), [...await workspace.readBytes("x.txt", { offset: 20 })], await workspace.read("x.txt", null)]; //= ["234", "89", "0", [], "0123456789"]
---
// a file in parts
//@workspace {"x.txt": "0123456789"}
let text = "", part;
for (let offset = 0; (part = await workspace.readBytes("x.txt", { offset, length: 4 })).length > 0; offset += part.length) text += part.length + ",";
return text; //= "4,4,2,"
---
// appending
//@workspace {"log": "a"}
await workspace.append("log", "b");
await workspace.append("log", new Uint8Array([99]));
await workspace.appendBytes("log", [100]);
await workspace.append("new/log", "x");
return [await workspace.read("log"), await workspace.read("new/log")]; //= ["abcd", "x"]
---
// lists are in the order of localeCompare
//@workspace {"b": "", "A": "", "a": "", "_": "", "10": "", "2": "", "B": "", "d/x": "", "d/e/y": ""}
return [await workspace.list("."), await workspace.list("/workspace", { recursive: true }), await workspace.list("d", { recursive: true })]; //= [["_","10","2","a","A","b","B","d"], ["_","10","2","a","A","b","B","d","d/e","d/e/y","d/x"], ["e","e/y","x"]]
---
// patterns
//@workspace {"a.csv": "", "b.txt": "", "d/c.csv": "", "d/e/f.csv": "", ".g.csv": ""}
return [await workspace.glob("*.csv"), await workspace.glob("**/*.csv"), await workspace.glob("{a,b}.*"), await workspace.glob("*.csv", { dot: true }), await workspace.glob("nothing/*")]; //= [["a.csv"], ["a.csv","d/c.csv","d/e/f.csv"], ["a.csv","b.txt"], [".g.csv","a.csv"], []]
---
// stat of a file, a directory, the root and nothing
//@workspace {"d/x": "123"}
const near = (ms) => Math.abs(ms - Date.now()) < 600_000;
const show = (s) => [s.exists, s.size, s.isDirectory, s.isFile, s.isSymlink, near(s.modifiedMs), near(s.createdMs), near(s.accessedMs)];
const file = await workspace.stat("d/x");
return [Object.keys(file).join(), show(file), show(await workspace.stat("d")), show(await workspace.stat(".")), await workspace.stat("no")]; //= ["exists,size,isDirectory,isFile,isSymlink,modifiedMs,createdMs,accessedMs", [true,3,false,true,false,true,true,true], [true,0,true,false,false,true,true,true], [true,0,true,false,false,true,true,true], {"exists":false,"size":0,"isDirectory":false,"isFile":false,"isSymlink":false,"modifiedMs":0,"createdMs":0,"accessedMs":0}]
---
// exists
//@workspace {"d/x": ""}
return [await workspace.exists("d/x"), await workspace.exists("d"), await workspace.exists("/"), await workspace.exists("e"), await workspace.exists("../d")]; //= [true, true, true, false, false]
---
// copying and moving
//@workspace {"a": "1", "d/b": "2", "d/e/c": "3"}
await workspace.copy("a", "x/a");
await workspace.copy("d", "y", { recursive: true });
await workspace.move("a", "z");
await workspace.move("d", "x/d");
return await workspace.list(".", { recursive: true }); //= ["x","x/a","x/d","x/d/b","x/d/e","x/d/e/c","y","y/b","y/e","y/e/c","z"]
---
// directories and removing
//@workspace {"d/b": "2", "f": ""}
await workspace.mkdir("m/n");
await workspace.mkdir("m/n");
await workspace.mkdir("/workspace");
await workspace.remove("f");
await workspace.remove("m/n");
const full = await workspace.remove("d").catch((e) => e.code + " " + e.message);
await workspace.remove("d", { recursive: true });
return [full, await workspace.list()]; //= ["ENOTEMPTY ENOTEMPTY: directory not empty: d", ["m"]]
---
// what returns nothing
//@workspace {"a": ""}
return [await workspace.write("b", ""), await workspace.append("b", ""), await workspace.copy("a", "c"), await workspace.move("c", "d"), await workspace.mkdir("e"), await workspace.remove("e")].every((v) => v === undefined); //= true
---
// work starts at the call
//@workspace {}
const all = [];
for (let i = 0; i < 40; i++) all.push(workspace.write("f" + i, "x".repeat(i)));
await Promise.all(all);
return (await Promise.all((await workspace.list()).map((n) => workspace.stat(n)))).reduce((sum, s) => sum + s.size, 0); //= 780
