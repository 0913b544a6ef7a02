await workspace.read("x"); //! Denied "workspace.read is not available without a context"
---
await workspace.stat("x"); //! NotGrantedError "the host grants it with Options.Workspace"
---
//@workspace {}
await workspace.read("a/none.txt"); //! Error "ENOENT: no such file: a/none.txt"
---
//@workspace {}
await workspace.readBytes("../x"); //! Denied "Path '../x' is outside the workspace"
---
// the root is no file
//@workspace {}
const errors = [];
for (const f of [() => workspace.read("."), () => workspace.write("/workspace", ""), () => workspace.remove(""), () => workspace.copy(".", "x"), () => workspace.move("x", "/"), () => workspace.append("workspace", "")]) await f().catch((e) => errors.push(e.message));
return errors; //= ["Path '.' is outside the workspace","Path '/workspace' is outside the workspace","Path '' is outside the workspace","Path '.' is outside the workspace","Path '/' is outside the workspace","Path 'workspace' is outside the workspace"]
---
// codes
//@workspace {"f": "", "d/x": ""}
const codes = [];
for (const f of [() => workspace.read("d"), () => workspace.read("f/x"), () => workspace.list("f"), () => workspace.list("no"), () => workspace.mkdir("f"), () => workspace.copy("d", "e"), () => workspace.copy("no", "e"),
  () => workspace.move("d", "d/e"), () => workspace.move("f", "d"), () => workspace.read("../f"), () => workspace.remove("no"), () => workspace.read("a\0b"), () => workspace.read("\ud800"), () => workspace.read("x".repeat(5000))])
  await f().then(() => codes.push("none"), (e) => codes.push(e.code));
return codes.join(" "); //= "EISDIR ENOTDIR ENOTDIR ENOENT EEXIST EISDIR ENOENT EINVAL EISDIR EACCES ENOENT EINVAL EINVAL ERR_LIMIT"
---
//@workspace {}
await workspace.copy("a.txt", "b.txt"); //! Error "Cannot copy a.txt: it does not exist"
---
//@workspace {}
await workspace.read(5); //! TypeError "workspace.read: path must be a string"
---
//@workspace {}
await workspace.write("x"); //! TypeError "workspace.write: text must be a string or Uint8Array"
---
//@workspace {}
await workspace.writeBytes("x", "text"); //! TypeError "workspace.writeBytes: bytes must be a Uint8Array"
---
//@workspace {"x": ""}
await workspace.read("x", { offset: -1 }); //! RangeError "cannot be negative"
---
//@workspace {"x": ""}
await workspace.read("x", { offset: "1" }); //! TypeError "range.offset must be an integer"
---
//@workspace {}
await workspace.read("a/".repeat(70)); //! Limit "WorkspacePathDepth"
---
// nothing can be replaced
//@workspace {"x": "1"}
const before = workspace.read;
try { workspace.read = () => "mine"; } catch {}
try { globalThis.workspace = {}; } catch {}
return [workspace.read === before, Object.isFrozen(workspace), await workspace.read("x")]; //= [true, true, "1"]
