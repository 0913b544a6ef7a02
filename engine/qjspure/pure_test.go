package qjspure

import "testing"

func TestSmoke(t *testing.T) {
	e, v := newWorld(t)
	for _, r := range []struct{ name, code, want string }{
		{"a number", `export default String(1 + 1)`, "2"},
		{"top level await", `export default await (async () => { await 1; return "x"; })()`, "x"},
		{"a call", `export default native(64, "é€😀")`, "é€😀"},
		{"objects", `export default JSON.stringify(native(64, [{a:1,b:"x"},{a:2,b:[1.5,null,true]}]))`, `[{"a":1,"b":"x"},{"a":2,"b":[1.5,null,true]}]`},
		{"exotic", `const m = native(64, new Map([[1,new Date(5)]])); export default m.get(1).getTime() + ""`, `5`},
		{"bytes", `export default [...native(64, new Uint16Array([1,2,513]))].join()`, `1,2,513`},
		{"eval", `let r = []; for (const f of [() => eval("1"), () => Function("1"), () => (async()=>{}).constructor("1"), () => (function*(){}).constructor("1")]) try { f(); r.push("no") } catch (e) { r.push(e.name + e.message) } export default r.join("|")`, ``},
		{"dynamic import", `let r; try { await import("x") } catch (e) { r = String(e) } export default r`, ``},
	} {
		t.Run(r.name, func(t *testing.T) {
			reset(t, v)
			if got := result(t, v, module(t, e, r.code), &host{}); got != r.want {
				t.Errorf("got %q, want %q", got, r.want)
			}
		})
	}
}
