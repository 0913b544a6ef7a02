package quicksand_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing/fstest"

	"quicksand"
	"quicksand/bridges"
	"quicksand/bridges/fetch"
	"quicksand/bridges/secrets"
	"quicksand/bridges/workspace"
)

// A run may make HTTP requests to the hosts that its policy names. The example's server
// is on this machine, which needs a grant of its own.
func Example_fetch() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"path": %q}`, r.URL.Path)
	}))
	defer server.Close()

	o := quicksand.Options{
		Inputs: server.URL,
		Fetch:  &fetch.Policy{Allow: []string{strings.TrimPrefix(server.URL, "http://")}, AllowPrivateNetwork: true},
	}
	res, err := quicksand.Run(context.Background(), `
		const r = await fetch(inputs + "/orders");
		return [r.status, (await r.json()).path];
	`, o)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Value)

	_, err = quicksand.Run(context.Background(), `await fetch("https://elsewhere.example/")`, o)
	fmt.Println(errors.Is(err, quicksand.ErrDenied))
	// Output:
	// [200,"/orders"]
	// true
}

// A workspace is a directory, or as here an fs.FS with changes in memory above it.
func Example_workspace() {
	files := workspace.Overlay(fstest.MapFS{"in/names.txt": {Data: []byte("Ada\nGrace\n")}})
	_, err := quicksand.Run(context.Background(), `
		const names = (await workspace.read("in/names.txt")).trim().split("\n");
		await workspace.write("out/greeting.txt", names.map((n) => "Hello " + n).join(", "));
	`, quicksand.Options{Workspace: &workspace.Policy{FS: files}})
	if err != nil {
		log.Fatal(err)
	}
	text, err := fs.ReadFile(files, "out/greeting.txt")
	fmt.Println(string(text), err)
	// Output: Hello Ada, Hello Grace <nil>
}

// A secret that is bound to a host goes out to that host only. The program sees a
// placeholder.
func Example_boundSecret() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.Header.Get("Authorization") == "Bearer s3cr3t-token")
	}))
	defer server.Close()
	host := strings.TrimPrefix(server.URL, "http://")

	res, err := quicksand.Run(context.Background(), `
		const token = await getSecret("API_TOKEN");
		const r = await fetch(inputs, { headers: { authorization: "Bearer " + token } });
		return { arrived: await r.text(), seen: token.includes("s3cr3t") };
	`, quicksand.Options{
		Inputs: server.URL,
		Fetch: &fetch.Policy{Allow: []string{host}, AllowPrivateNetwork: true,
			Secrets: []fetch.Binding{{Name: "API_TOKEN", Value: "s3cr3t-token", Hosts: []string{host}, AllowHTTP: true}}},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Value)
	// Output: {"arrived":"true","seen":false}
}

// Secrets that programs may know are redacted wherever the run writes text.
func Example_secrets() {
	res, err := quicksand.Run(context.Background(), `
		const key = await getSecret("KEY");
		console.log("using", key);
		return key.length;
	`, quicksand.Options{Secrets: &secrets.Policy{Provider: secrets.Map{"KEY": "correct horse"}, Scope: []string{"KEY"}}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Value, res.Logs)
	// Output: 13 [using [redacted KEY]]
}

// An embedder's own capability: its globals exist in every run of the sandbox, and each run
// is granted it or not.
func Example_ownCapability() {
	customers := map[string]string{"c-17": "Ada"}
	crm := &bridges.Bridge{
		Name: "crm", Doc: "customer records",
		Funcs: []bridges.Func{{
			Name: "crm.find", Params: []bridges.Param{{Name: "id", Type: bridges.String}},
			Call: func(ctx context.Context, c *bridges.Call) (any, error) {
				name, ok := c.State.(map[string]string)[c.Str(0)]
				if !ok {
					return nil, &bridges.Error{Op: c.Op(), Code: "ENOCUSTOMER", Message: "there is no such customer"}
				}
				return name, nil
			},
		}},
	}
	box, err := quicksand.New(quicksand.Config{Bridges: []*bridges.Bridge{crm}})
	if err != nil {
		log.Fatal(err)
	}
	defer box.Close()

	o := quicksand.Options{Grants: []bridges.Grant{{Bridge: crm, Value: customers}}}
	res, err := box.Run(context.Background(), `return [await crm.find("c-17"), await crm.find("c-18").catch((e) => e.code)]`, o)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Value)

	_, err = box.Run(context.Background(), `await crm.find("c-17")`, quicksand.Options{})
	fmt.Println(errors.Is(err, quicksand.ErrDenied))
	// Output:
	// ["Ada","ENOCUSTOMER"]
	// true
}
