// the console shows no secret, however it is printed
//@secrets {"KEY": "s3cr3t-value/1"}
//@logs ["key [redacted KEY]", "[info] { key: '[redacted KEY]' }", "[warn] {\"key\":\"[redacted KEY]\"}", "[error] [redacted KEY][redacted KEY]", "[debug] [redacted KEY]", "%5B[redacted KEY]%5D", "[redacted KEY]", "Basic eDp[redacted KEY]Q=="]
const key = await getSecret("KEY");
console.log("key", key);
console.info({ key });
console.warn("%s", JSON.stringify({ key }));
console.error(key + key);
console.debug("%s", key);
console.log(encodeURIComponent("[" + key + "]"));
console.log(toHex(key));
console.log("Basic " + btoa("x:" + key));
return 1; //= 1
---
// in a table, a group and a label
//@secrets {"KEY": "s3cr3t-value/1"}
const key = await getSecret("KEY");
console.table([{ a: key }]);
console.group(key); console.log(key); console.groupEnd();
console.count(key);
console.dir({ deep: { er: [key] } });
console.assert(false, key);
return 1; //= 1
---
// the result is the program's own affair
//@secrets {"KEY": "s3cr3t-value/1"}
//@outputs {"o": "s3cr3t-value/1"}
//@emitted [["e", "s3cr3t-value/1"]]
const key = await getSecret("KEY");
await output("o", key);
await emit("e", key);
return key; //= "s3cr3t-value/1"
---
//@secrets {"KEY": "s3cr3t-value/1"}
const key = await getSecret("KEY");
throw new TypeError("bad key " + key); //! TypeError "bad key [redacted KEY]"
---
// a value that is no error
//@secrets {"KEY": "s3cr3t-value/1"}
const key = await getSecret("KEY");
throw "bad key " + key; //! UnknownError "bad key [redacted KEY]"
---
// before it was read, nobody knows the secret
//@secrets {"KEY": "s3cr3t-value/1"}
//@logs ["s3cr3t-value/1", "[redacted KEY]"]
console.log("s3cr3t-value/1");
await getSecret("KEY");
console.log("s3cr3t-value/1");
return 1; //= 1
---
// three characters are too few
//@secrets {"SHORT": "abc"}
//@logs ["abc"]
console.log(await getSecret("SHORT"));
return 1; //= 1
