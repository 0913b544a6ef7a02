package secrets

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"quicksand/bridges"
	"quicksand/bridges/fetch"
	"quicksand/internal/marshal"
)

// session makes a session with grants of secrets and fetch, either of which may be nil, and
// its warnings.
func session(t *testing.T, p *Policy, f *fetch.Policy) (*bridges.Session, *[]string) {
	t.Helper()
	grants := make(map[*bridges.Bridge]any)
	grant := func(b *bridges.Bridge, v any) {
		checked, err := b.Check(v)
		if err != nil {
			t.Fatal(err)
		}
		grants[b] = checked
	}
	if p != nil {
		grant(Bridge, p)
	}
	if f != nil {
		grant(fetch.Bridge, f)
	}
	warnings := new([]string)
	s := bridges.NewSession(bridges.SessionOptions{Grants: grants, Warn: func(text string) { *warnings = append(*warnings, text) }})
	t.Cleanup(func() { s.Close() })
	return s, warnings
}

// call calls a function as a guest does.
func call(t *testing.T, s *bridges.Session, name string, args ...any) (any, error) {
	t.Helper()
	if args == nil {
		args = []any{}
	}
	v, err := marshal.NewValue(args, marshal.EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range Bridge.Funcs {
		f := &Bridge.Funcs[i]
		if f.Name != name {
			continue
		}
		c, err := bridges.Unpack(s, Bridge, f, v)
		if err != nil {
			return nil, err
		}
		do := f.Call
		if c.State, err = s.State(Bridge); err != nil {
			if do = f.Without; do == nil {
				return nil, bridges.NotGranted(Bridge, f)
			}
		}
		return do(context.Background(), c)
	}
	t.Fatalf("no function %s", name)
	return nil, nil
}

var provider = Map{"TOKEN": "token-value", "OTHER": "other-value", "EMPTY": "", "LATIN": "\xe9\xe9\xe9\xe9", "LONG": strings.Repeat("x", maxValue+1), "FULL": strings.Repeat("x", maxValue)}

func bindings() *fetch.Policy {
	return &fetch.Policy{Allow: []string{"api.example.com"}, Secrets: []fetch.Binding{{Name: "BOUND", Value: "bound-value", Hosts: []string{"api.example.com"}}}}
}

func TestCalls(t *testing.T) {
	all := &Policy{Provider: provider}
	some := &Policy{Provider: provider, Scope: []string{" TOKEN ", "", "  ", "BOUND", "TOKEN"}}
	none := &Policy{Provider: provider, Scope: []string{" "}}
	const undefined = "undefined"
	for _, row := range []struct {
		name   string
		policy *Policy
		call   string
		args   []any
		want   string // fmt.Sprint of the result
		fails  string // a part of the error
		kind   bridges.Kind
	}{
		{"a secret that is set", all, "getSecret", []any{"TOKEN"}, "token-value", "", ""},
		{"one that is not", all, "getSecret", []any{"NOPE"}, undefined, "", ""},
		{"an empty one is there for getSecret", all, "getSecret", []any{"EMPTY"}, "", "", ""},
		{"names are exact", all, "getSecret", []any{"token"}, undefined, "", ""},
		{"a name that is no string", all, "getSecret", []any{5}, "", "getSecret: name must be a string, not the number 5", ""},
		{"no name", all, "getSecret", nil, "", "getSecret: name must be a string, not undefined", ""},
		{"an empty name", all, "getSecret", []any{""}, undefined, "", ""},
		{"in scope", some, "getSecret", []any{"TOKEN"}, "token-value", "", ""},
		{"out of scope", some, "getSecret", []any{"OTHER"}, "", `getSecret: "OTHER" cannot be read: this run may read only "TOKEN", "BOUND"`, bridges.KindDenied},
		{"out of scope and not set", some, "getSecret", []any{"NOPE"}, "", `may read only "TOKEN", "BOUND"`, bridges.KindDenied},
		{"an empty scope", none, "getSecret", []any{"TOKEN"}, "", "declares no secrets, so it can read none", bridges.KindDenied},
		{"a scope without a provider still counts", &Policy{Scope: []string{}}, "getSecret", []any{"TOKEN"}, "", "declares no secrets, so it can read none", bridges.KindDenied},
		{"no provider", &Policy{}, "getSecret", []any{"TOKEN"}, undefined, "", ""},
		{"get of a secret that is set", all, "nodetool.secrets.get", []any{"TOKEN"}, "token-value", "", ""},
		{"get of one that is not", all, "nodetool.secrets.get", []any{"NO\"PE"}, "", `nodetool.secrets.get("NO\"PE"): not set; the host adds it`, ""},
		{"get of an empty one", all, "nodetool.secrets.get", []any{"EMPTY"}, "", `nodetool.secrets.get("EMPTY"): not set`, ""},
		{"get says where to add it", &Policy{Where: "add it under Settings"}, "nodetool.secrets.get", []any{"X"}, "", `nodetool.secrets.get("X"): not set; add it under Settings`, ""},
		{"get without a name", all, "nodetool.secrets.get", nil, "", "nodetool.secrets.get: a secret name is required", ""},
		{"get with a blank name", all, "nodetool.secrets.get", []any{" "}, "", "nodetool.secrets.get: a secret name is required", ""},
		{"get with a number", all, "nodetool.secrets.get", []any{7}, "", "nodetool.secrets.get: a secret name is required", ""},
		{"get out of scope", some, "nodetool.secrets.get", []any{"OTHER"}, "", `nodetool.secrets.get: "OTHER" cannot be read`, bridges.KindDenied},
		{"tryGet of a secret that is set", all, "nodetool.secrets.tryGet", []any{"TOKEN"}, "token-value", "", ""},
		{"tryGet of one that is not", all, "nodetool.secrets.tryGet", []any{"NOPE"}, undefined, "", ""},
		{"tryGet of an empty one", all, "nodetool.secrets.tryGet", []any{"EMPTY"}, undefined, "", ""},
		{"tryGet without a name", all, "nodetool.secrets.tryGet", []any{nil}, "", "a secret name is required", ""},
		{"tryGet out of scope", none, "nodetool.secrets.tryGet", []any{"TOKEN"}, "", "declares no secrets", bridges.KindDenied},
		{"list without a scope", all, "nodetool.secrets.list", nil, "<nil>", "", ""},
		{"list of a scope", some, "nodetool.secrets.list", nil, "[TOKEN BOUND]", "", ""},
		{"list of an empty scope", none, "nodetool.secrets.list", nil, "[]", "", ""},
		{"a value that is no text", all, "getSecret", []any{"LATIN"}, "", `getSecret: the secret "LATIN" is no text in UTF-8`, ""},
		{"not granted: getSecret", nil, "getSecret", []any{"TOKEN"}, undefined, "", ""},
		{"not granted: tryGet", nil, "nodetool.secrets.tryGet", []any{"TOKEN"}, undefined, "", ""},
		{"not granted: get", nil, "nodetool.secrets.get", []any{"TOKEN"}, "", "nodetool.secrets.get is not available without a context: this run was not granted secrets; the host grants it with Options.Secrets", bridges.KindDenied},
		{"not granted: get without a name", nil, "nodetool.secrets.get", nil, "", "a secret name is required", ""},
		{"not granted: list", nil, "nodetool.secrets.list", nil, "<nil>", "", ""},
	} {
		s, _ := session(t, row.policy, nil)
		got, err := call(t, s, row.call, row.args...)
		if row.fails != "" {
			var e *bridges.Error
			if !errors.As(err, &e) || !strings.Contains(e.Error(), row.fails) || e.Kind != row.kind {
				t.Errorf("%s: got %v, %#v\nwant %s", row.name, got, err, row.fails)
			}
			continue
		}
		if err != nil || fmt.Sprint(got) != row.want {
			t.Errorf("%s: got %v, %v, want %s", row.name, got, err, row.want)
		}
	}
}

func TestWithoutAGrantTheLogsSaySoOnce(t *testing.T) {
	s, warnings := session(t, nil, nil)
	for range 3 {
		call(t, s, "getSecret", "A")
	}
	if len(*warnings) != 1 || (*warnings)[0] != "getSecret: this run was not granted secrets, so none is set; the host grants them with Options.Secrets (on the command line --secret)" {
		t.Errorf("got %q", *warnings)
	}
}

func TestBoundSecretsArePlaceholders(t *testing.T) {
	for _, row := range []struct {
		name   string
		policy *Policy
		denied bool
	}{
		{"without a grant of secrets", nil, false},
		{"before the provider's value", &Policy{Provider: Map{"BOUND": "the provider's"}}, false},
		{"in scope", &Policy{Scope: []string{"BOUND"}}, false},
		{"out of scope", &Policy{Scope: []string{"TOKEN"}}, true},
	} {
		s, warnings := session(t, row.policy, bindings())
		want, ok := fetch.Placeholder(s, "BOUND")
		if !ok || want == "bound-value" {
			t.Fatalf("the placeholder is %q", want)
		}
		for _, name := range []string{"getSecret", "nodetool.secrets.get", "nodetool.secrets.tryGet"} {
			got, err := call(t, s, name, "BOUND")
			if row.denied {
				var e *bridges.Error
				if !errors.As(err, &e) || e.Kind != bridges.KindDenied {
					t.Errorf("%s: %s: got %v, %v", row.name, name, got, err)
				}
			} else if got != want || err != nil {
				t.Errorf("%s: %s: got %v, %v, want %s", row.name, name, got, err, want)
			}
		}
		if got := s.Redactor.Redact("bound-value"); got != "[redacted BOUND]" {
			t.Errorf("%s: a text shows %s", row.name, got)
		}
		if len(*warnings) != 0 {
			t.Errorf("%s: got warnings %q", row.name, *warnings)
		}
	}
}

func TestValuesAreRedactedOnceRead(t *testing.T) {
	s, _ := session(t, &Policy{Provider: provider}, nil)
	if got := s.Redactor.Redact("token-value"); got != "token-value" {
		t.Errorf("before it is read: got %s", got)
	}
	call(t, s, "getSecret", "TOKEN")
	if got := s.Redactor.Redact("x token-value"); got != "x [redacted TOKEN]" {
		t.Errorf("got %s", got)
	}
	v, _ := marshal.NewValue("token-value", marshal.EncodeOptions{})
	if got, _ := s.Redactor.RedactValue(v).Str(); got != "token-value" {
		t.Errorf("a result: got %s", got)
	}
}

func TestAProviderThatFails(t *testing.T) {
	broken := errors.New("dial vault.internal:8200: refused")
	calls := 0
	p := ProviderFunc(func(context.Context, string) (string, bool, error) {
		if calls++; calls == 1 {
			return "", false, broken
		}
		return "value", true, nil
	})
	s, _ := session(t, &Policy{Provider: p}, nil)
	_, err := call(t, s, "getSecret", "A")
	var e *bridges.Error
	if !errors.As(err, &e) || e.Kind != bridges.KindInternal || e.Error() != `getSecret: the secret "A" could not be read` || !errors.Is(err, broken) {
		t.Errorf("got %#v", err)
	}
	for range 3 {
		if got, err := call(t, s, "getSecret", "A"); got != "value" || err != nil {
			t.Errorf("the next call: got %v, %v", got, err)
		}
	}
	if calls != 2 {
		t.Errorf("%d lookups, want two: what is found is kept for the run", calls)
	}
}

func TestLimits(t *testing.T) {
	wantLimit := func(err error, name string, value, used int64) {
		t.Helper()
		var e *bridges.Error
		if !errors.As(err, &e) || e.Kind != bridges.KindLimit || e.Limit != name || e.Value != value || e.Used != used || !strings.HasSuffix(e.Message, "("+name+")") {
			t.Errorf("got %#v, want the limit %s", err, name)
		}
	}
	s, _ := session(t, &Policy{Provider: provider}, nil)
	if _, err := call(t, s, "getSecret", strings.Repeat("N", maxName)); err != nil {
		t.Errorf("the longest name: %v", err)
	}
	_, err := call(t, s, "getSecret", strings.Repeat("N", maxName+1))
	wantLimit(err, "SecretName", maxName, maxName+1)
	if v, err := call(t, s, "getSecret", "FULL"); err != nil || len(v.(string)) != maxValue {
		t.Errorf("the longest value: %v", err)
	}
	_, err = call(t, s, "getSecret", "LONG")
	wantLimit(err, "SecretValue", maxValue, maxValue+1)

	same := ProviderFunc(func(_ context.Context, name string) (string, bool, error) {
		return strings.Repeat("x", maxValue-8) + name, true, nil
	})
	s, _ = session(t, &Policy{Provider: same}, nil)
	for i := range maxBytes / maxValue {
		if _, err := call(t, s, "getSecret", fmt.Sprintf("%08d", i)); err != nil {
			t.Fatal(err)
		}
	}
	_, err = call(t, s, "getSecret", "99999999")
	wantLimit(err, "SecretBytes", maxBytes, maxBytes+maxValue)

	s, _ = session(t, &Policy{Provider: Map{}}, nil)
	for i := range maxNames {
		if _, err := call(t, s, "getSecret", fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	_, err = call(t, s, "getSecret", "one more")
	wantLimit(err, "Secrets", maxNames, maxNames+1)
	if _, err := call(t, s, "getSecret", "7"); err != nil {
		t.Errorf("a name that was asked for before: %v", err)
	}
	for _, l := range Bridge.Limits {
		if l.Doc == "" || l.Default != l.Ceiling {
			t.Errorf("the limit %s is not fixed", l.Name)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, grant := range []any{nil, (*Policy)(nil), Policy{}, 5} {
		if _, err := Bridge.Check(grant); err == nil || !strings.Contains(err.Error(), "not a *secrets.Policy") {
			t.Errorf("%T: got %v", grant, err)
		}
	}
	p := &Policy{Scope: []string{" A ", "A", ""}}
	checked, err := Bridge.Check(p)
	if err != nil || fmt.Sprint(checked.(*Policy).Scope) != "[A]" || p.Scope[0] != " A " {
		t.Errorf("got %v, %v", checked, err)
	}
	if again, err := Bridge.Check(checked); err != nil || fmt.Sprint(again.(*Policy).Scope) != "[A]" {
		t.Errorf("checked twice: got %v, %v", again, err)
	}
	if got := Bridge.Describe(checked); fmt.Sprint(got) != "map[scope:[A]]" {
		t.Errorf("it is described as %v", got)
	}
}
