// named, default and renamed imports, anywhere at the top
const before = double(2);
import square, { double, quarter as q } from "@nodetool-ai/sandbox-math";
return [before, square(3), q(8)]; //= [4, 9, 2]
---
import * as math from "@nodetool-ai/sandbox-math";
return [Object.keys(math).sort().join(), math.default(2)]; //= ["bump,count,default,double,quarter", 4]
---
// bindings are live, and a module is evaluated once
import { count, bump } from "@nodetool-ai/sandbox-math";
import * as again from "@nodetool-ai/sandbox-math";
bump(); again.bump();
return [count, again.count]; //= [2, 2]
---
// a module may await
import { value } from "late";
return value; //= "late"
---
// cycles between modules work
import { a } from "a";
import { lazy } from "b";
return [a(), lazy()]; //= ["b", "x"]
---
// modules see the helpers and no inputs of timers or eval
//@inputs {"x": 1}
import { seen } from "globals";
return seen; //= ["undefined", "undefined", "object", "object", "function"]
---
import { make } from "globals";
make("return 7"); //! TypeError "code generation from strings is disabled"
---
import { makeAsync } from "globals";
makeAsync("return 7"); //! TypeError "code generation from strings is disabled"
---
import { load } from "globals";
await load("globals"); //! TypeError "dynamic import()"
---
return await import("@nodetool-ai/sandbox-math"); //! TypeError "dynamic import()"
---
// the refusal can be caught, and names the specifier
return await import("late").catch((e) => e.message.includes("late")); //= true
---
const x = 1;
import { y } from "undeclared"; //! denied "undeclared"
---
import "reach"; //! denied "./absent"
---
import "escape"; //! denied "../escape"
---
import { nothing } from "errors"; //! SyntaxError "nothing"
---
// an import is read only
import { count } from "@nodetool-ai/sandbox-math";
count = 5; //! TypeError
