package quicksand

import (
	"testing"
	"time"
)

// A promise that is resolved with an object reads its property "then", so that a getter
// on Object.prototype is guest code which runs while the host settles a call.

func thenOptions(timeout time.Duration) Options {
	return Options{Limits: Limits{Timeout: timeout}, Globals: map[string]any{
		"f": func(x float64) any { return map[string]any{"x": x} }}}
}

func TestAGetterThatRunsWhileACallIsSettledCannotOutliveTheDeadline(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		start := time.Now()
		fails(t, s, `Object.defineProperty(Object.prototype, "then", { configurable: true, get() {
			if (this !== Object.prototype && "x" in this) Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1);
		} });
		await f(1);`, thenOptions(300*time.Millisecond), KindTimeout)
		if d := time.Since(start); d > 10*time.Second {
			t.Errorf("Run took %v", d)
		}
	})
}

func TestCallsMadeWhileACallIsSettledAreNotLost(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		res := must(t, s, `let hit = 0, n = 0; const extra = [], got = [];
		const digest = (i) => crypto.digest("SHA-256", "x" + i).then(() => { n++; });
		Object.defineProperty(Object.prototype, "then", { configurable: true, get() {
			if (hit || !(this instanceof Uint8Array)) return;
			hit++;
			for (let i = 0; i < 3; i++) extra.push(f(100 + i).then((v) => got.push(v.x)));
			for (const start = Date.now(); Date.now() - start < 20;);
			extra.push(digest(9));
		} });
		await Promise.all([0, 1, 2, 3, 4, 5].map(digest));
		await Promise.all(extra);
		return [hit, n, got.sort()];`, thenOptions(20*time.Second))
		wantJSON(t, "calls", res.Value, "[1,7,[100,101,102]]")
	})
}
