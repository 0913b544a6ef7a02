// without a grant
await media.bytes({ uri: "asset://a" }); //! NotGrantedError "media.bytes is not available without a context: this run was not granted assets; the host grants it with Options.Assets"
---
await assetToSandbox("a", "b"); //! NotGrantedError "assetToSandbox is not available without a context"
---
await sandboxToAsset("b"); //! NotGrantedError "sandboxToAsset is not available without a context"
---
// these are all the members
return [Object.keys(media).sort().join(" "), typeof media.encode, Object.isFrozen(media), typeof assetToSandbox, typeof sandboxToAsset]; //= ["bytes info text toAudio toDocument toImage toVideo waveformImage", "undefined", true, "function", "function"]
---
//@assets {"a1": "content", "note.txt": "a note"}
const bytes = await media.bytes({ type: "document", uri: "asset://a1", asset_id: "a1" });
return [bytes instanceof Uint8Array, new TextDecoder().decode(bytes), await media.text({ uri: "asset://note.txt" }), await media.info({ uri: "asset://note.txt" })]; //= [true, "content", "a note", {"type": "document", "mimeType": "text/plain", "uri": "asset://note.txt", "size": 6}]
---
// a generation result is loaded by its asset
//@assets {"img1": "picture"}
return await media.text({ type: "image", asset_id: "img1", asset_uri: "asset://img1.png", url: "asset://img1", uri: "file:///home/u/img1.png" }); //= "picture"
---
//@assets {}
await media.bytes("notes"); //! TypeError "media.bytes: expected a media ref object"
---
//@assets {}
await media.info(); //! TypeError "media.info: expected a media ref object"
---
//@assets {}
await media.bytes({ uri: "asset://none" }); //! Error "media.bytes: could not read asset://none"
---
//@assets {}
await media.bytes({ type: "image" }); //! Error "media.bytes: could not read an image ref with no uri, asset_id, or data"
---
//@assets {}
await media.text({ uri: "data:,x" }, { encoding: "klingon" }); //! RangeError "media.text: unsupported encoding \"klingon\""
---
//@assets {}
await media.text({ uri: "data:,x" }, { encoding: 8 }); //! TypeError "media.text: encoding must be a string"
---
//@assets {}
return [await media.text({ uri: "data:text/plain;base64,Y2Fm6Q==" }, { encoding: "latin1" }), await media.text({ uri: "data:,h%C3%A9llo" }), await media.text({ uri: "data:,", data: toBase64("from data") })]; //= ["café", "héllo", "from data"]
---
// bytes in a reference, also a part of a buffer
//@assets {}
const all = new TextEncoder().encode("0123456789");
return [await media.text({ data: all }), await media.text({ data: all.subarray(2, 5) })]; //= ["0123456789", "234"]
---
// files of the workspace, and none outside
//@assets {}
//@workspace {"notes.txt": "notes", "d/x.csv": "a,b"}
const fails = async (uri) => { try { return await media.text({ uri }); } catch (e) { return e.message; } };
return [await fails("notes.txt"), await fails("/workspace/d/x.csv"), await fails("file:///d/x.csv"), await fails("../etc/passwd"), await fails("file:///%2e%2e/%2e%2e/etc/passwd"), await fails("none")]; //= ["notes", "a,b", "a,b", "media.text: could not read ../etc/passwd: Path '../etc/passwd' is outside the workspace", "media.text: could not read file:///%2e%2e/%2e%2e/etc/passwd: Path '/../../etc/passwd' is outside the workspace", "media.text: could not read none: ENOENT: no such file: none"]
---
//@assets {}
await media.text({ uri: "notes.txt" }); //! Denied "media.text: could not read notes.txt: this run was not granted workspace"
---
//@assets {}
await media.bytes({ uri: "https://example.com/x.png" }); //! Denied "media.bytes: could not read https://example.com/x.png: this run was not granted fetch"
---
//@assets {}
await media.bytes({ uri: "package://p/x.png" }); //! Error "references into packages are not supported"
---
// a handle of another run
//@assets {}
await media.bytes({ __nodetool_sandbox_media__: "m1", type: "image", uri: "sandbox://media/m1", mimeType: "image/png", byteLength: 5 }); //! Error "sandbox://media/m1 is not available in this run: a handle only lives for the action that produced it; save it as an asset"
---
// an asset becomes a file, and a file an asset
//@assets {"a1": "content"}
//@workspace {"in.csv": "a,b", "pic.png": "?"}
const path = await assetToSandbox("a1", "out/copy.txt");
const ref = await sandboxToAsset("in.csv"), pic = await sandboxToAsset("/workspace/pic.png");
return [path, await workspace.read("out/copy.txt"), Object.keys(ref), ref.type, ref.uri === "asset://" + ref.asset_id, await media.text(ref), pic.type, pic.uri.endsWith(".png")]; //= ["/workspace/out/copy.txt", "content", ["type", "uri", "asset_id"], "document", true, "a,b", "image", true]
---
//@assets {"a1": "content"}
//@workspace {}
await assetToSandbox("nope", "x"); //! Error "assetToSandbox: Unable to resolve asset 'nope': it is not in the asset store"
---
//@assets {"a1": "content"}
await assetToSandbox("a1", "x"); //! NotGrantedError "assetToSandbox is not available without a workspace: this run was not granted workspace; the host grants it with"
---
// many at one time
//@assets {"a1": "content"}
const all = await Promise.all(Array.from({ length: 100 }, (_, i) => media.text({ uri: i % 2 ? "asset://a1" : "data:,content" })));
return all.every((t) => t === "content"); //= true
