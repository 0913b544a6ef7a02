return 1 + 1
---
import a from "a"; import b from 'b'
return a / b
---
import a,{b as c,default as d,"x y" as z,}from"m"with{type:"json",'k':'v'};import*as ns from"n";import"bare";
import /* one
two */ e // three
from
"f"
with
{ type: "json" }
return e
---
const a = b
import "x"
(foo)()
---
import x, * as y from "z"
import {} from "e"
import { if as iff, as, as as from2, from as as2, type as t } from "k"
import defer from "d"; import source from "s"; import type from "t"
import from from "from"
---
import { defer, source, type, type as as } from "q"
import async from "async"; import of from "of"
---
const m = await import("dyn"); import.meta.url; import
("x"); import.
meta
---
if (a) /re[)]/.test(b); while (a) /[(]/g.exec(b); for (;;) /x{/.y; with_ (a) / b / c
---
x = a++ / b; y = a-- / (c) / d; z = a
++/re/.lastIndex
---
f(function () {} / 1, class {} / 2, {} / 3, [] / 4, () => {}, `a` / 5, "s" / 6, this / 7, null / 8)
---
{} /a}/.test(b)
---
({}) / a; x = {} / a; [{} / a]; `${{} / a}`; f({} / a)
---
function f() {} /a}/g; class A {} /b}/g; async function g() {} /c}/; function* h() {} /d}/
---
x = function f() {} / a / g; y = class A {} / b / g; z = async function () {} / c; w = async () => {}
/re}/.test(x)
---
x => {}
/foo}/g.test(y)
---
label: /re:/.test(x); label2: {} /re}/; label3: for (;;) { break label3
/x}/.y }
---
switch (a) { case /x:/: case b ? /c:/ : d: /e}/; break; default: /f}/ }
---
a ? /b:/ : /c:/; a ? {b: 1} / 2 : {c: /d}/}
---
return /a[)]/
---
function* g() { yield /a}/; yield* /c/.d; const x = yield; yield {a: yield}; yield
{ /d}/ } }
---
async () => { await /x}/; for await (const y of /z[)]/) /w}/; await {} / 2 }
---
for (const x of /a[)]/) ; for (of of of) ; for (const of of of / 2) ; for (x in /b[)]/) ; for (let of = 0, z = of / 2 / 3; ;) {}
---
typeof /a}/; void /b}/; delete /c}/.x; new /d}/.e; a in /f}/; a instanceof /g}/; throw /h}/
---
do /a}/; while (x) /b}/.c; do {} while (y) /d}/
---
a.if / b / c; a?.return / b / c; a?.5:1; a?.[0] / 2; a?.() / 2 / 3
---
x = { if: 1, return() { return /a}/ }, get class() {}, set while(v) {}, async *for() {}, [/x]/]: /y}/, "s": 1, 5: 2, get, set, async, await: 1, of, ...{} / 2, typeof: /z}/ }
---
x = { get() {}, set() {}, async() {}, static() {}, async get() {}, get async() {}, *yield() {}, async
() {}, }
---
class A { a = /x}/; b = 1
c = 2
get
d() {}
static async *e() {}
static { /f}/ }
static
#p = 3
'q' = /r}/;
["s"]() {} 5() {}
if(x) {} for = 4; static; static
static = 1
get; set; u = () => {}
v = () => {}
['w']() {}
x = () => {}
*y() {}
z = a
/ b /
c; in_ = #p in this
static static() {}
accessor = function () {} / 2
}
---
class A extends f({}) {} /x}/
class B extends {}.constructor {} /y}/
class C extends class {} {} /z}/
class D extends function () {} {} /w}/
x = class extends (class {}) {} / 2 / 3
class E extends new {}.f {} /v}/
class F extends a[{}.b] { c() {} } /u}/
---
`a${`b${`c${/d}/}`}` / 2}e` / 3 / 4
---
tag`a${b}` / 2; `\`${"}"}`; `\${`; `$`; `$$${1}$`; `${1}}`.length
---
`${{a: `${{b: 1}}`}.a}`
---
"a\"b"; 'a\'b'; "\\"; '\
'; " "; x = 1; /r}/
"a\
b"
---
1..toString(); 1.5e10.toFixed(); .5.toFixed(); 0x1F / 2; 0b11; 0o17; 1_000_000n / 2n; 1e+5 / 2; 5 .a; 1.e5
---
/[/]/; /\//; /[\]/]/g; /(?<a>x)\k<a>/u; /[[a]\/]/v; x = /=/; y /= 2 / 3; z = a /= b / c
---
a-->b; x; a<b; a<!b; a - --b
---
debugger
/x}/.y; while (1) { continue
/z}/ } while (1) { break
{} }
---
var \u0061b = 1; \u{61}c; ünïcode / 2 / 3; $ / _ / 1; 变量 / 2; 𝒳 / 2
---
if (a) {} else /x}/; if (a) {} else {} /y}/; try {} /* c */ catch {} /z}/; try {} catch (e) {} /w}/; try {} finally {} /v}/; try {} catch ({a = /u}/}) {}
---
async function f() {} async
function g() {} /x}/; x = async function () {} / 2; (async) / 2; async / 2 / 3; async
/ 2 / 3; async (x) / 2; async x => {}
/y}/
---
using x = y / 2; await using z = w; using
{} using / 2 / 3; for (using a of b) ; for (await using of of c) ; for (using of of) ; for (using of d) ;
---
@dec class A { @a @b() @(c) d = 1; @e() f() {} @g static h = /x}/ } /y}/; x = @dec class {} / 2
---
export_; x = y.export; z = { export: 1, import: 2 }; class A { import() {} export = 1 }
---
a
!/b}/.test(c); a || /d}/; a && /e}/; a ?? /f}/; a ??= /g}/; a ||= /h}/; a **= 2; a >>>= 2; a >>> /i}/; ~/j}/; +/k}/; !/l}/
---
super_ / 3; this
/x/g
---
((a, b) => { return a / b })(1, 2) / 3; (() => {})() / 2
---
x = { a: () => {}, b: function () {} / 2, c: class {} / 3, d() {}, e: {} / 4 }
---
const { a, b: { c = /x}/ } = {}, ...d } = y; for (const { e } of /z[)]/) {} ; function f({ g = /w}/ }, [h = /v]/]) {}
---
"use strict"
return { a: 1 } / 2
---
#!/usr/bin/env quicksand
return 1
---
// comment } ) ]
/* } ) ] */ return /* / */ 1 // /
---
return
{ /x}/ }
---
if (a) return
{ } /x}/
---
a
{ b } /x}/
---
a
function f() {} /x}/
---
a
class B {} /x}/
---
let x = a
/re/g
---
var x = 1, y = function () {} / 2, z
---
f(a, { b() { return /c}/ } }, d / e / f)
---
() => ({}) / 2; () => ({}).x / 2; () => [] / 2; a => a / 2 / 3; a => /x}/
---
for (let i = 0, n = a / 2; i < n / 3; i++) /x}/; for (;;) if (a) /y}/; else /z}/
---
while (a) { if (b) { for (;;) { switch (c) { case 1: { do { x() } while (d) } /x}/ } } } }
---
a = b ? function () {} / 1 : class {} / 2
---
a = b ? c => { d: e } : f => { g: /x}/ }
---
x = a ? b : c ? { d: 1 } : { e: 2 }; y: { z: /w}/ }
---
export const a = 1
---
import a from 'a'
export { a as b, a as "c d" }; export * from "e"; export * as f from 'f'; export { g } from "h" with { type: "json" }
/x}/.test(y)
export default function () {} /z}/
---
export default class {} /x}/
---
export default { a: 1 } / 2
---
export default async function f() {} /x}/
---
export async function f() {} /x}/
---
export class A {} /x}/
---
import {a
as
b} from "c"; x
---
import "\x61\u0062\u{63}\
d\n"; import a from "é😀"; return "😀"
---
const o = { "import x from 'y'": `import z from "w"` } // import v from "u"
/* import t from "s" */
---
if (x) { y = import("z") / 2 }
---
f()
import "a"
;[1].x
---
let async
import "b"
async
function f() {}
---
(a
)
import c from "c"
`t`
---
var a = function () {}
import d from "d"
/x/g
---
x = () => {}
import e from "e"
---
return
import f from "f"
---
debugger
import g from "g"
---
label: for (;;) { continue label }
import h from "h"
---
if (a) b
else c
import i from "i"
---
a ++
import j from "j"
++ b
---
let x
/}/.t; var a = 1, b, c
/}/.t; let d, e = function () {} / 2, f
/}/.t; let g = a
/ 2 / 3; let h
[a], b / 2 / c; let async
function k() {} /}/.t; let l = a
in b, m
/}/.t
