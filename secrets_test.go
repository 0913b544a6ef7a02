package quicksand

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"quicksand/bridges"
	"quicksand/bridges/fetch"
	"quicksand/bridges/secrets"
)

// leaking are programs that try to get a secret out by an exit that shows texts. Each gets it
// as key. silent ones need not let it out in any form.
var leaking = []struct {
	name, code string
	silent     bool
}{
	{"a line", `console.log(key)`, false},
	{"a line among others", `console.log("a\n" + key + "\nb")`, false},
	{"an object", `console.log({ key, list: [key], map: new Map([[key, key]]), set: new Set([key]) })`, false},
	{"an error in the console", `console.error(new Error(key))`, false},
	{"a symbol and a function", `console.log(Symbol(key), { [key]() {} })`, false},
	{"a key", `console.log({ [key]: 1 })`, false},
	{"a table", `console.table([{ [key]: key }])`, false},
	{"a group", `console.group(key); console.log("x")`, false},
	{"a count", `console.count(key)`, false},
	{"a timer", `console.time(key); console.timeEnd(key)`, false},
	{"a trace", `console.trace(key)`, false},
	{"an assertion", `console.assert(false, "x", key)`, false},
	{"dir", `console.dir({ a: { b: { c: key } } }, { depth: 9 })`, false},
	{"JSON", `console.log("%j", { key })`, false},
	{"a warning of ours", `return { [key]: () => 1 }`, false},
	{"progress", `progress(50, "at " + key)`, false},
	{"a message", `throw new Error(key)`, false},
	{"a name", `const e = new Error("x"); e.name = key; throw e`, false},
	{"a class", `class E extends Error { get name() { return key; } } throw new E("x")`, false},
	{"a stack", `const e = new Error("x"); e.stack = "Error: x\n    at " + key + " (main.js:1:1)"; throw e`, false},
	{"a function's name in the stack", `const o = { [key]() { throw new Error("x"); } }; o[key]()`, false},
	{"a cause", `throw new Error("x", { cause: new Error(key) })`, false},
	{"a cause that is a text", `throw new Error("x", { cause: key })`, false},
	{"a code", `const e = new Error("x"); e.code = key; throw e`, false},
	{"a text that is thrown", `throw key`, false},
	{"an object that is thrown", `throw { message: key, name: key }`, true},
	{"errors together", `throw new AggregateError([new Error(key)], key)`, false},
	{"an assertion of the language", `null[key]`, true},
	{"a property that is missing", `undefined[key].x`, true},
	{"a call of nothing", `({})[key]()`, true},
	{"a rejection", `await Promise.reject(new RangeError(key))`, false},
	{"a bridge's own error", `await getSecret(key)`, true},
	{"an argument that does not fit", `await getSecret({ [key]: () => 1 })`, false},
	{"a host function's error", `await fail(key)`, false},
	{"base64 and hex", `throw new Error(btoa("?" + key) + toHex(key) + encodeURIComponent(key) + JSON.stringify(key))`, false},
}

// exits are all texts of a run that its host sees.
func exits(t *testing.T, res *Result, err error, sinks []string) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintln(&b, err, sinks)
	var e *Error
	if errors.As(err, &e) {
		e2 := *e
		e2.Err = nil // the host's own
		fmt.Fprintf(&b, "%+v\n", e2)
	}
	text, jerr := json.Marshal(res.Logs)
	if jerr != nil {
		t.Fatal(jerr)
	}
	b.Write(text)
	b.WriteString(logText(res))
	for name := range res.Usage.Calls {
		b.WriteString(name)
	}
	return b.String()
}

func TestSecretsStayOutOfTexts(t *testing.T) {
	const secret = `s3cr3t-"quoted"/äß`
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		for _, row := range leaking {
			var sinks []string
			o := Options{Secrets: &secrets.Policy{Provider: secrets.Map{"KEY": secret}, Scope: []string{"KEY"}},
				OnLog:      func(level, m string) { sinks = append(sinks, m) },
				OnProgress: func(_ float64, m string) { sinks = append(sinks, m) },
				Globals:    map[string]any{"fail": func(m string) error { return errors.New("refused " + m) }}}
			res, err := s.Run(context.Background(), `const key = await getSecret("KEY"); `+row.code, o)
			out := exits(t, res, err, sinks)
			for _, part := range []string{"s3cr3t", "quoted", "äß"} {
				if strings.Contains(out, part) {
					t.Errorf("%s: the host sees %s in\n%s", row.name, part, out)
				}
			}
			if !row.silent && !strings.Contains(out, "[redacted KEY]") {
				t.Errorf("%s: the secret never left: %s", row.name, out)
			}
		}
	})
}

// TestInjectedSecretsStayOutOfValues gives a guest a bound secret through a hole, a host
// function that knows it, and lets it out by all exits.
func TestInjectedSecretsStayOutOfValues(t *testing.T) {
	const secret = "bound-s3cr3t-1"
	policy := &fetch.Policy{Allow: []string{"api.example.com"}, Secrets: []fetch.Binding{{Name: "BOUND", Value: secret, Hosts: []string{"api.example.com"}}}}
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		for _, row := range append(leaking[:len(leaking):len(leaking)], []struct {
			name, code string
			silent     bool
		}{
			{"the result", `return key`, false},
			{"inside the result", `return { a: [{ [key]: new Map([[key, new Set([key])]]) }], e: new Error(key), r: new RegExp(key) }`, false},
			{"bytes", `return new TextEncoder().encode("x" + key + "y")`, false},
			{"many bytes", `const b = new Uint8Array(100000); b.set(new TextEncoder().encode(key), 70000); return b`, false},
			{"base64 in the result", `return btoa("?" + key)`, false},
			{"an output", `await output("o", key)`, false},
			{"the name of an output", `await output(key, 1)`, false},
			{"an output that was set", `await output(key, 1); await output(key, 2)`, false},
			{"an emitted value", `await emit("e", [key])`, false},
			{"the name of an emitted value", `await emit(key, 1)`, false},
			{"a global", `state.key = key`, false},
			{"a cut result", `return Array.from({ length: 20000 }, () => key)`, false},
		}...) {
			for _, sink := range []bool{false, true} {
				var sinks []string
				o := Options{Fetch: policy, Secrets: &secrets.Policy{},
					OnLog:      func(level, m string) { sinks = append(sinks, m) },
					OnProgress: func(_ float64, m string) { sinks = append(sinks, m) },
					Globals: map[string]any{"leak": func() string { return secret }, "state": map[string]any{},
						"fail": func(m string) error { return errors.New("refused " + m) }}}
				if sink {
					o.OnEmit = func(_ context.Context, name string, v Value) error {
						b, _ := v.JSON()
						sinks = append(sinks, name, string(b))
						return nil
					}
				}
				res, err := s.Run(context.Background(), `const placeholder = await getSecret("BOUND"), key = await leak(); if (placeholder === key) throw 1; `+row.code, o)
				var b strings.Builder
				b.WriteString(exits(t, res, err, sinks))
				show := func(v Value) {
					text, _ := v.JSON()
					b.Write(text)
					m, _ := v.Message()
					b.Write(m.Wire)
					for _, blob := range m.Blobs {
						b.Write(blob)
					}
				}
				show(res.Value)
				for name, v := range res.Outputs {
					b.WriteString(name)
					show(v)
				}
				for _, e := range res.Emitted {
					b.WriteString(e.Name)
					show(e.Value)
				}
				for _, v := range res.Globals {
					show(v)
				}
				for what, cut := range res.Truncated {
					fmt.Fprint(&b, what, cut.Paths)
				}
				out := b.String()
				if strings.Contains(out, "s3cr3t") {
					t.Errorf("%s: the host sees the secret in\n%s", row.name, head(out))
				}
				if !row.silent && !strings.Contains(out, "[redacted BOUND]") && !strings.Contains(out, strings.Repeat("*", len(secret))) {
					t.Errorf("%s: the secret never left: %s", row.name, head(out))
				}
			}
		}
	})
}

// TestASecretAtACutLeavesNoPart puts a secret where a text is cut, at each place of it.
func TestASecretAtACutLeavesNoPart(t *testing.T) {
	const secret = "s3cr3t-value"
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		for before := range len(secret) + 2 {
			var sinks []string
			o := Options{Secrets: &secrets.Policy{Provider: secrets.Map{"KEY": secret}}, Inputs: before,
				OnLog:      func(_, m string) { sinks = append(sinks, m) },
				OnProgress: func(_ float64, m string) { sinks = append(sinks, m) }}
			res := must(t, s, `const key = await getSecret("KEY"); const fill = (n) => "-".repeat(n - inputs);
				progress(1, fill(500) + key); console.log(fill(4000) + key); console.log(fill(520288 - key.length) + key + key);`, o)
			for _, text := range append(sinks, logText(res)) {
				if strings.Contains(text, "s3c") {
					t.Errorf("%d before the cut: %s", before, text[max(0, len(text)-40):])
				}
			}
		}
	})
}

func TestTheScopeOfAnotherRunIsForgotten(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		for _, scope := range [][]string{{"A"}, nil, {"B", "C"}, {}} {
			res := must(t, s, `return [__secretScope, nodetool.secrets.list()]`, Options{Secrets: &secrets.Policy{Scope: scope}})
			want, _ := json.Marshal([]any{scope, scope})
			wantJSON(t, "scope", res.Value, string(want))
		}
		res := must(t, s, `return __secretScope`, Options{})
		wantJSON(t, "without a grant", res.Value, "null")
		// A secret of one run is no secret in the next.
		must(t, s, `await getSecret("A")`, Options{Secrets: &secrets.Policy{Provider: secrets.Map{"A": "a-value"}}})
		res = must(t, s, `console.log("a-value")`, Options{})
		if res.Logs[0].Message != "a-value" {
			t.Errorf("got %v", res.Logs)
		}
	})
}

func TestAProviderOfTheHost(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		waiting := secrets.ProviderFunc(func(ctx context.Context, name string) (string, bool, error) {
			<-ctx.Done()
			return "", false, ctx.Err()
		})
		ctx, cancel := context.WithCancel(context.Background())
		o := Options{Secrets: &secrets.Policy{Provider: waiting}, OnLog: func(_, _ string) { cancel() }}
		_, err := s.Run(ctx, `const p = getSecret("A"); await sleep(1); console.log("waiting"); await p`, o)
		if !errors.Is(err, ErrCancelled) {
			t.Errorf("a provider that waits: got %v", err)
		}
		broken := secrets.ProviderFunc(func(context.Context, string) (string, bool, error) {
			return "", false, errors.New("vault.internal:8200 refused")
		})
		_, e := fails(t, s, `await getSecret("A")`, Options{Secrets: &secrets.Policy{Provider: broken}}, KindInternal)
		if e.Message != `getSecret: the secret "A" could not be read` || !strings.Contains(fmt.Sprint(e.Err), "vault.internal") {
			t.Errorf("got %v, cause %v", e, e.Err)
		}
		panics := secrets.ProviderFunc(func(context.Context, string) (string, bool, error) { panic("vault.internal") })
		_, err = s.Run(context.Background(), `await getSecret("A")`, Options{Secrets: &secrets.Policy{Provider: panics}})
		if err == nil || strings.Contains(err.Error(), "vault") {
			t.Errorf("a provider that panics: got %v", err)
		}
		if _, err := s.Run(context.Background(), `1`, Options{Grants: []bridges.Grant{{Bridge: secrets.Bridge, Value: 5}}}); !errors.Is(err, ErrUsage) {
			t.Errorf("a grant of another type: got %v", err)
		}
	})
}
