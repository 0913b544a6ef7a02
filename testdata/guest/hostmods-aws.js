// a request that is signed, at the time that the guest sees
import { sigv4 } from "@nodetool-ai/sandbox-aws";
const r = await sigv4({ url: "https://b.s3.amazonaws.com/a b?y=2&x=1", accessKeyId: "AK", secretAccessKey: "SK", method: "put", body: new Uint8Array([104, 105]).subarray(0, 2) });
return [r.url, r.method, Object.keys(r.headers), r.headers["x-amz-content-sha256"].slice(0, 8), /^\d{8}T\d{6}Z$/.test(r.headers["x-amz-date"]), /^AWS4-HMAC-SHA256 Credential=AK\/\d{8}\/us-east-1\/s3\/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=[0-9a-f]{64}$/.test(r.headers.Authorization)]; //= ["https://b.s3.amazonaws.com/a%20b?x=1&y=2","PUT",["x-amz-date","x-amz-content-sha256","Authorization"],"8f434346",true,true]
---
// text and its bytes have one signature, and another body has another
import aws from "@nodetool-ai/sandbox-aws";
const sign = (body) => aws.sigv4({ url: "https://b.s3.amazonaws.com/k", accessKeyId: "AK", secretAccessKey: "SK", body }).then((r) => r.headers["x-amz-content-sha256"]);
const [a, b, c] = await Promise.all([sign("ü"), sign(new TextEncoder().encode("ü")), sign("u")]);
return [a === b, a === c]; //= [true, false]
---
// an address that is signed ends with its signature
import { presign } from "@nodetool-ai/sandbox-aws";
const url = new URL(await presign({ url: "https://b.s3.amazonaws.com/k", accessKeyId: "AK", secretAccessKey: "SK", expiresIn: 600.9 }));
return [url.searchParams.get("X-Amz-Expires"), [...url.searchParams.keys()].at(-1), url.searchParams.get("X-Amz-Signature").length]; //= ["600","X-Amz-Signature",64]
---
import { sigv4 } from "@nodetool-ai/sandbox-aws";
await sigv4({ url: "https://b.s3.amazonaws.com/k" }); //! TypeError "aws.sigv4: options.accessKeyId and options.secretAccessKey must be given; getSecret(name) gives them"
---
import { presign } from "@nodetool-ai/sandbox-aws";
await presign("https://b.s3.amazonaws.com/k"); //! TypeError "aws.presign: options must be an object, not a string"
---
// what is signed is what the server gets
//@server open
import { sigv4 } from "@nodetool-ai/sandbox-aws";
const req = await sigv4({ url: server + "/echo?b=2&a=1", accessKeyId: "AK", secretAccessKey: "SK", method: "POST", body: "hello", headers: { "X-Custom": "a  b" } });
const got = await (await fetch(req.url, { ...req, body: "hello" })).json();
return [got.method, got.uri, got.body, got.headers["x-custom"], got.headers.authorization === req.headers.Authorization]; //= ["POST","/echo?a=1&b=2","hello","a  b",true]
