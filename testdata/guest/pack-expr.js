// precedence, and the types of the language
import expr, { evaluate } from "@nodetool-ai/sandbox-expr";
const value = (f, v) => evaluate(f, v);
return [expr.evaluate === evaluate, await Promise.all(["2^3^2", "-2^2", "1 + 2 * 3", "(1 + 2) * 3", "7 % 4", "5!", "3! + 1", "1 < 2 and 2 < 3", "false or not false", "1 == 1 ? 'y' : 'n'", "'a' || \"b\"", "1 in [1, 2]", "[1, 2, 3][1]", "x = 3; x * x", "1e3 + 0x10", "'it\\'s'", "10 - 4 - 3", "2 * -3", "1 == '1'", "!0"].map((f) => value(f).catch((e) => e.message)))]; //= [true,[512,-4,7,9,3,120,7,true,true,"y","ab",true,2,9,1016,"it's",3,-6,false,1]]
---
// functions and constants
import { evaluate } from "@nodetool-ai/sandbox-expr";
return await Promise.all(["sin 0", "cos(0)", "sqrt 16", "roundTo(cbrt(27), 9)", "log10 1000", "ln(E)", "lg(100)", "log2 8", "abs(-3)", "ceil 1.2", "floor(-1.2)", "round 2.5", "trunc(-2.7)", "sign(-4)", "exp 0", "expm1 0", "log1p 0", "length 'abc'", "length [1, 2]", "fac 5", "min(3, 1, 2)", "max([3, 1, 2])", "hypot(3, 4)", "pyt(5, 12)", "pow(2, 8)", "atan2(0, 1)", "if(1 > 2, 'a', 'b')", "gamma(5)", "roundTo(3.14159, 2)", "map(sqrt, [1, 4, 9])", "filter(f(x) = x > 1, [1, 2, 3])", "fold(f(a, x) = a + x, 0, [1, 2, 3])", "indexOf('b', 'abc')", "join('-', [1, 2])", "round(PI * 1000)", "true", "min([])"].map((f) => evaluate(f).catch((e) => e.message))); //= [0,1,4,3,3,1,2,3,3,2,-2,3,-2,-1,1,0,0,3,2,"expr.evaluate: parse error [1:6]: Expected EOF",1,3,5,13,256,0,"b",24,3.14,[1,2,3],[2,3],6,1,"1-2",3142,true,null]
---
// variables are plain data, also deep down
import { evaluate } from "@nodetool-ai/sandbox-expr";
const vars = { price: 12.5, items: [{ n: 2 }, { n: 3 }], user: { name: "Ann", tags: ["x"] }, sum: 7 };
return [await evaluate("price * items[1].n", vars), await evaluate("user.name || '!'", vars), await evaluate("user.tags", vars), await evaluate("user", vars), await evaluate("sum + 1", vars), await evaluate("price = 3; price", vars), vars.price]; //= [37.5, "Ann!", ["x"], {"name": "Ann", "tags": ["x"]}, 8, 3, 12.5]
---
// 1/0 is infinite, and 0/0 no number
import { evaluate } from "@nodetool-ai/sandbox-expr";
return [String(await evaluate("1/0")), String(await evaluate("-1/0")), String(await evaluate("0/0"))]; //= ["Infinity", "-Infinity", "NaN"]
---
// formulas define functions, which may call themselves
import { evaluate } from "@nodetool-ai/sandbox-expr";
return [await evaluate("f(x) = x * 2; g(x) = f(x) + 1; g(4)"), await evaluate("fact(n) = n < 2 ? 1 : n * fact(n - 1); fact(10)"), await evaluate("double(x) = 2 * x; fold(f(sum, x) = sum + x, 0, map(double, [1, 2, 3]))")]; //= [9, 3628800, 12]
---
// names reach no prototype
import { evaluate } from "@nodetool-ai/sandbox-expr";
const errors = await Promise.all(["toString", "constructor", "hasOwnProperty", "__proto__", "valueOf(1)", "f(x) = toString; f(1)", "a.constructor", "a.__proto__", "'x'.constructor", "a.b.prototype", "toString = 1", "__counter", "lambda_0"].map((f) => evaluate(f, { a: { b: 1 } }).then((v) => "got " + v, (e) => e.message)));
return [errors.filter((e) => !/^expr\.evaluate: (undefined variable: \w+|the (property|name) "\w+" is not for formulas)$/.test(e)), errors.length]; //= [[], 13]
---
// what a value does not have itself is undefined, and methods are never there
import { evaluate } from "@nodetool-ai/sandbox-expr";
const v = (f, vars) => evaluate(f, vars).then((x) => x === undefined ? "undefined" : x, (e) => e.message);
return [await v("a.toString", { a: {} }), await v("a['toString']", { a: {} }), await v("a['constructor']", { a: [] }), await v("a.push", { a: [1] }), await v("'abc'[1]"), await v("length a", { a: [1, 2] }), await v("a[5]", { a: [1] }), await v("a.b.c", { a: {} }), await v("a.x", { a: Object.create({ x: 1 }) })]; //= ["undefined", "undefined", "undefined", "undefined", "b", 2, "undefined", "expr.evaluate: cannot read \"c\" of undefined", "undefined"]
---
// nothing runs for ever or takes the stack with it
import { evaluate } from "@nodetool-ai/sandbox-expr";
const e = (f, v) => evaluate(f, v).then((x) => x, (e) => e.message);
return [await e("f(x) = f(x); f(1)"), await e("(".repeat(33) + "1" + ")".repeat(33)), await e("(".repeat(32) + "1" + ")".repeat(32)), await e("'" + "(".repeat(500) + "'"), await e("-".repeat(200000) + "1"), await e("f(x) = x || x; ".repeat(30) + "a = 'x'" + "; a = a || a".repeat(40)), await e("g(x) = x + 1; h(l) = map(g, l); " + "h(l); ".repeat(11) + "1", { l: Array(10000).fill(1) })]; //= ["expr.evaluate: the input is nested too deeply", "expr.evaluate: the formula has brackets nested more than 32 deep", 1, "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((", "expr.evaluate: the input is nested too deeply", "expr.evaluate: the formula makes a value of 8388608 elements, more than the limit of 5242880", "expr.evaluate: the formula takes more than 100000 steps"]
---
import { evaluate } from "@nodetool-ai/sandbox-expr";
return await evaluate("price * amount", { price: 2 }); //! Error "expr.evaluate: undefined variable: amount"
---
import { evaluate } from "@nodetool-ai/sandbox-expr";
return await evaluate("1 + * 2"); //! Error "expr.evaluate: "
---
import { evaluate } from "@nodetool-ai/sandbox-expr";
return await evaluate("2 3"); //! Error "parse error [1:4]: Expected EOF"
---
import { evaluate } from "@nodetool-ai/sandbox-expr";
return await evaluate("  "); //! Error "expr.evaluate: the formula is empty"
---
import { evaluate } from "@nodetool-ai/sandbox-expr";
return await evaluate("f(1)", { f: (x) => x }); //! Error "expr.evaluate: the variable f is a function"
---
import { evaluate } from "@nodetool-ai/sandbox-expr";
return await evaluate("f(x) = x"); //! Error "expr.evaluate: the value of the formula is a function: call it"
---
import { evaluate } from "@nodetool-ai/sandbox-expr";
return await evaluate(12); //! Error "expr.evaluate: the formula must be a string, got a number"
