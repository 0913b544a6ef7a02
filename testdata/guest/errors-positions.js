throw new Error("first line"); //! Error "first line"
---
const a = 1;

/* a comment
   of two lines */
throw new TypeError("after a comment"); //! TypeError "after a comment"
---
// positions are the user's own also behind imports
import { double } from "@nodetool-ai/sandbox-math";
const x = double(2);
null.property; //! TypeError
---
// in a function, and the stack says who called
//@stack at inner (main.js:4:
function inner() {
  throw new RangeError("inner"); //! RangeError "inner"
}
function outer() { inner(); }
outer();
---
// after an await
await sleep(1);
const text = `a template
of two lines`;
undefinedName; //! ReferenceError "undefinedName"
---
// in an asynchronous function that is awaited elsewhere
const work = async () => {
  await sleep(1);
  throw new Error("in the middle"); //! Error "in the middle"
};
await work();
---
// in a callback
[1].forEach((n) => {
  n.missing.x; //! TypeError
});
---
const f = 5;
f(); //! TypeError "not a function"
---
const c = 1;
c = 2; //! TypeError
---
let ok = 1;
let bad = ok +* 2; //! SyntaxError
---
const s = "open; //! SyntaxError
---
function f( { //! SyntaxError
---
// the place of a failing host call is that of the call
//@host refuse
const ready = true;
await refuse("too far"); //! RangeError "too far"
---
// a string that is thrown has no class
throw "only text"; //! UnknownError "only text"
---
throw { code: 5 }; //! UnknownError "An unknown error occurred."
---
await new Promise(() => {}); //! stalled "nothing can settle"
---
const e = new Error("outer", { cause: new TypeError("root") }); //! Error "outer"
throw e;
---
// an own class points into its constructor, as its stack does
class Custom extends Error { constructor(m) { super(m); this.name = "Custom"; } } //! Custom "mine"
throw new Custom("mine");
---
function deep() { deep(); } //! stack "call stack"
deep();
