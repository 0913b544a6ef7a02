package qjspure

import (
	"strings"
	"testing"

	"quicksand/engine"
	"quicksand/internal/marshal"
)

// A rejection has the stack of its call, though the frames of the call are long gone.
func TestRejectionHasTheStackOfItsCall(t *testing.T) {
	e, v := newWorld(t)
	p := module(t, e, `function call(n) {
  if (n) return call(n - 1);
  return native(65536, 1, true); }
async function outer(n) {
  await 1;
  return await call(n); }
const stacks = [];
for (const n of [1, 50]) {
  const p = outer(n);
  for (let i = 0; i < 1000; i++) [i].map((x) => ({ x }));
  try { await p; } catch (e) { stacks.push(e.stack); }
}
export default stacks.join("--");`)
	boom := marshal.Message{Wire: []byte{marshal.TagError, 5, 'E', 'r', 'r', 'o', 'r', 1, 'm', 0, 0}}
	reset(t, v)
	h := &host{}
	s := finish(t, v, p, h)
	for s == engine.Waiting {
		calls := v.Calls(nil)
		if len(calls) != 1 {
			t.Fatalf("%d calls", len(calls))
		}
		if err := v.Settle(calls[0].ID, engine.Reply{Value: boom, Throw: true}); err != nil {
			t.Fatal(err)
		}
		var err error
		if s, err = v.Pump(); err != nil {
			t.Fatal(err)
		}
	}
	m, _, err := v.Result(engine.Strict)
	if err != nil {
		t.Fatal(err)
	}
	shallow, deep, _ := strings.Cut(text(m), "--")
	for _, want := range []string{"call (main.js:3:", "call (main.js:2:", "outer (main.js:6:"} {
		if !strings.Contains(shallow, want) {
			t.Errorf("no %q in\n%s", want, shallow)
		}
	}
	if n := strings.Count(deep, "call (main.js:"); n < maxSites-2 || n > maxSites {
		t.Errorf("a deep stack has %d frames:\n%s", n, deep)
	}
	if len(v.spare) == 0 {
		t.Error("the frames were not given back")
	}
}
