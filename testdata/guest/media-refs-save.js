//@assets {}
const png = fromBase64("iVBORw0KGgo=");
const ref = await media.toImage(png, { filename: "cover.png" });
return [Object.keys(ref), ref.type, /^asset:\/\/[a-z2-7]{26}\.png$/.test(ref.uri), ref.uri === "asset://" + ref.asset_id, ref.mimeType, ref.metadata, toBase64(await media.bytes(ref)), (await media.info(ref)).size]; //= [["type", "uri", "asset_id", "mimeType", "metadata"], "image", true, true, "image/png", {"filename": "cover.png"}, "iVBORw0KGgo=", 8]
---
// a document says no type, and no metadata without a name
//@assets {}
const ref = await media.toDocument(new TextEncoder().encode("a,b"), { mimeType: "text/csv" });
return [Object.keys(ref), ref.type, ref.uri.endsWith(".csv"), await media.text(ref), (await media.info(ref)).mimeType]; //= [["type", "uri", "asset_id"], "document", true, "a,b", "text/csv"]
---
// only the view counts, not its buffer
//@assets {}
return await media.text(await media.toDocument(new TextEncoder().encode("0123456789").subarray(3, 6))); //= "345"
---
//@assets {}
return [(await media.toAudio(new TextEncoder().encode("RIFF....WAVEfmt "))).mimeType, (await media.toAudio(new Uint8Array(4))).mimeType, (await media.toVideo(new Uint8Array(4))).mimeType, (await media.toImage(new Uint8Array(4), { filename: "x.webp" })).mimeType, (await media.toImage(new Uint8Array(4), { filename: "x.webp", mimeType: "image/gif" })).mimeType]; //= ["audio/wav", "audio/mpeg", "video/mp4", "image/webp", "image/gif"]
---
//@assets {}
await media.toImage("asset://a"); //! TypeError "media.toImage: bytes must be a Uint8Array"
---
//@assets {}
await media.toDocument({ uri: "asset://a" }); //! TypeError "media.toDocument: bytes must be a Uint8Array"
---
//@assets {}
await media.toVideo(new Uint8Array(0)); //! TypeError "media.toVideo: bytes must not be empty"
---
//@assets {}
await media.toImage(new Uint8Array(1), { mimeType: "image/png,\"><script>" }); //! TypeError "media.toImage: mimeType must be a MIME type like image/png"
---
//@assets {}
await media.toImage(new Uint8Array(16777217)); //! Limit "media.toImage: the payload is 16777217 bytes, over the 16777216 byte limit (MediaCall)"
---
// references are plain data: they survive JSON
//@assets {}
const ref = JSON.parse(JSON.stringify(await media.toDocument(new TextEncoder().encode("kept"))));
return await media.text(ref); //= "kept"
