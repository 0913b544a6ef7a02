package quicksand

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"quicksand/bridges/fetch"
)

func TestFetchSmoke(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"a":[1,2,{"b":"x"}]}`)
	}))
	defer srv.Close()
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		for _, code := range []string{
			`const r = await fetch(inputs.url); return r;`,
			`const r = await fetch(inputs.url); return [r.json.a, JSON.stringify(r.json), typeof r.json, r.headers["content-type"], r.headers.get("Content-Type"), [...r.headers.keys()]];`,
			`const r = await fetch(inputs.url); console.log(r, r.json); const d = await r.json(); return [d.a, r.json.a, JSON.stringify(r.json), JSON.stringify({q: r.json}), typeof r.json, Object.keys(r.json), {...r.json}, await r.json];`,
			`const r = await fetch(inputs.url, {headers: {Host: "x"}});`,
			`const r = await fetch("http://192.0.2.1/");`,
		} {
			res, err := s.Run(context.Background(), code, Options{Inputs: map[string]any{"url": srv.URL}, Fetch: &fetch.Policy{Allow: []string{"127.0.0.1"}, AllowPrivateNetwork: true}})
			b, _ := res.Value.JSON()
			t.Logf("%v %s %v", err, b, res.Logs)
		}
	})
}
