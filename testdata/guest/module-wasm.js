// a function of BigInts and one of numbers
import { gcd, escapeTime } from "@acme/wasm-numbers";
return [typeof await gcd(48n, 36n), String(await gcd(48n, 36n)), await escapeTime(0.3, 0.5, 100), await escapeTime(2, 2, 100)]; //= ["bigint","12",100,1]
---
// its exports are asynchronous functions, under their aliases, and no default
import * as numbers from "@acme/wasm-numbers";
return [Object.keys(numbers), numbers.gcd(1n, 1n) instanceof Promise, Object.isFrozen(numbers) || Object.isSealed(numbers)]; //= [["escapeTime","gcd"],true,true]
---
import { escape_time } from "@acme/wasm-numbers"; //! SyntaxError "escape_time"
---
import numbers from "@acme/wasm-numbers"; //! SyntaxError "default"
---
// a number is no BigInt
import { gcd } from "@acme/wasm-numbers";
await gcd(48, 36n); //! SandboxWasmError "@acme/wasm-numbers.gcd: argument 1 must be an i64, a bigint from -2^63 to 2^63-1 as BigInt.asIntN(64, n) gives one, not 48"
---
// nothing wraps around
import { gcd } from "@acme/wasm-numbers";
await gcd(1n, 2n ** 63n); //! SandboxWasmError "argument 2 must be an i64, a bigint from -2^63 to 2^63-1 as BigInt.asIntN(64, n) gives one, not the bigint 9223372036854775808"
---
import { escapeTime } from "@acme/wasm-numbers";
await escapeTime(0, 0, 1.5); //! SandboxWasmError "argument 3 must be an i32, an integer from -2147483648 to 2147483647, not the non-integer 1.5"
---
import { escapeTime } from "@acme/wasm-numbers";
await escapeTime("0", 0, 1); //! SandboxWasmError "argument 1 must be an f64, a number, not a string value"
---
import { escapeTime } from "@acme/wasm-numbers";
await escapeTime(0, 0); //! SandboxWasmError "takes 3 arguments, not 2"
---
// NaN and the infinities are numbers
import { escapeTime } from "@acme/wasm-numbers";
return [await escapeTime(NaN, 0, 5), await escapeTime(Infinity, 0, 5), await escapeTime(0, 0, -1)]; //= [5,1,0]
---
// calls at one time do not see each other
import { gcd } from "@acme/wasm-numbers";
return (await Promise.all([1n, 2n, 3n, 4n, 5n, 6n].map((n) => gcd(n, 12n)))).join(); //= "1,2,3,4,1,6"
