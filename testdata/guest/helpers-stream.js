await emit(5, 1); //! TypeError "emit: name must be a string"
---
await output({}, 1); //! TypeError "output: name must be a string"
---
// progress never throws and returns nothing
return [progress(50), progress("x", null), progress(Symbol()), progress({ valueOf() { throw 1; } }, { toString() { throw 2; } }), progress(1e9, "m".repeat(5000))]; //= [null, null, null, null, null]
---
// a value that cannot cross is refused where it was sent
try { await emit("x", { rows: [1, () => 2] }); } catch (e) { return [e.name, e.message.includes("rows[1]")]; } //= ["DataCloneError", true]
