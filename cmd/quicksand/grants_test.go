package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"quicksand/canvas/fonts"
)

func TestGrants(t *testing.T) {
	files := map[string]string{
		"work/a.txt":  "hello",
		"rows.jsonl":  "{\"n\":1}\n{\"n\":2}\n",
		"file":        "",
		"face.ttf":    string(fonts.Faces()[0].TTF),
		"store/.keep": "",
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/hang" {
			<-r.Context().Done()
			return
		}
		fmt.Fprintf(w, "%s %s", r.URL.Path, r.Header.Get("X-Key"))
	}))
	defer server.Close()
	host := strings.TrimPrefix(server.URL, "http://")
	t.Setenv("QUICKSAND_TEST_TOKEN", "from the environment")
	cases := []struct {
		name   string
		stdin  string
		args   string // split at blanks
		status int
		stdout string
		stderr string // contained in standard error; empty means nothing is written
	}{
		{"a file of the workspace", "return await workspace.read('a.txt')", "- --raw --workspace work", 0, "hello\n", ""},
		{"a new file in it", "await workspace.write('b/c.txt', 'x'); return await workspace.list('b')", "- --workspace work", 0, "[\n  \"c.txt\"\n]\n", ""},
		{"none without the flag", "return await workspace.read('a.txt')", "-", 1, "", "the host grants it with Options.Workspace (on the command line --workspace)"},
		{"nothing outside of it", "return await workspace.read('../rows.jsonl')", "- --workspace work", 1, "", "outside the workspace"},
		{"no changes when it is to read only", "await workspace.write('a.txt', '')", "- --workspace work --read-only", 1, "", "quicksand: denied: EROFS: the workspace is read-only: a.txt"},
		{"a workspace that is a file", "", "- --workspace file", 2, "", "quicksand: --workspace: file is no directory"},
		{"a workspace that is not there", "", "- --workspace absent", 2, "", "quicksand: --workspace:"},
		{"read-only alone", "", "- --read-only", 2, "", "--read-only needs --workspace"},
		{"a secret with its value", "return (await getSecret('A')).length", "- --secret A=12345", 0, "5\n", ""},
		{"a secret from the environment", "return (await nodetool.secrets.get('QUICKSAND_TEST_TOKEN')).length", "- --secret QUICKSAND_TEST_TOKEN", 0, "20\n", ""},
		{"a secret that the environment does not have", "", "- --secret QUICKSAND_TEST_ABSENT", 2, "", "the environment has no variable QUICKSAND_TEST_ABSENT"},
		{"secrets are not printed", "console.log(await getSecret('A')); throw new Error('bad ' + await getSecret('A'))", "- --secret A=hunter22", 1, "", "bad [redacted A]"},
		{"a request", "return await (await fetch('" + server.URL + "/x')).text()", "- --raw --allow-net " + host + " --allow-private-network", 0, "/x \n", ""},
		{"a request to another host", "return await (await fetch('" + server.URL + "/x')).text()", "- --allow-net example.com --allow-private-network", 1, "", "quicksand: denied: fetch: "},
		{"a request to this machine", "return await (await fetch('" + server.URL + "/x')).text()", "- --allow-net all", 1, "", "is blocked"},
		{"no request without the flag", "await fetch('" + server.URL + "')", "-", 1, "", "the host grants it with Options.Fetch (on the command line --allow-net)"},
		{"a secret that only its host sees", "const k = await getSecret('K'); const r = await fetch('" + server.URL + "', { headers: { 'x-key': k } }); return [k.includes('real-value'), (await r.text()).includes(k)]",
			"- --allow-net " + host + " --allow-private-network --secret K=real-value-1 --secret-host K=" + host, 0, "[\n  false,\n  true\n]\n", ""}, // the echo shows the placeholder
		{"a secret does not go to a public host by http, whatever network is allowed", "const k = await getSecret('K'); await fetch('http://example.com', { headers: { 'x-key': k } })",
			"- --allow-net all --allow-private-network --secret K=real-value-1 --secret-host K=example.com", 1, "", `the secret "K" may be sent by https only`},
		{"nor beside a host of this machine", "const k = await getSecret('K'); await fetch('http://example.com', { headers: { 'x-key': k } })",
			"- --allow-net all --allow-private-network --secret K=real-value-1 --secret-host K=example.com,localhost", 1, "", `the secret "K" is not bound to "example.com"`},
		{"it does where the flag says http", "const k = await getSecret('K'); const r = await fetch('" + server.URL + "', { headers: { 'x-key': k } }); return (await r.text()).includes(k)",
			"- --allow-net all --allow-private-network --secret K=real-value-1 --secret-host K=example.com,http://" + host, 0, "true\n", ""},
		{"a host that cannot be one", "", "- --allow-net http://a/b", 2, "", `quicksand: --allow-net: "http://a/b" is no host pattern`},
		{"a secret for a host that cannot be one", "", "- --allow-net all --secret K=real-value-1 --secret-host K=a/b", 2, "", `quicksand: --secret-host: K: "a/b" is no host pattern`},
		{"a bound secret that is too short", "", "- --allow-net all --secret K=1 --secret-host K=example.com", 2, "", "quicksand: --secret-host: the value of K is shorter than 4 bytes"},
		{"a request that is cut off", "fetch('" + server.URL + "/hang')", "- --allow-net " + host + " --allow-private-network", 0, "null\n", "which were cancelled: fetch"},
		{"a bound secret without its value", "", "- --allow-net all --secret-host K=example.com", 2, "", "--secret-host K needs --secret K"},
		{"the private network alone", "", "- --allow-private-network", 2, "", "--allow-private-network needs --allow-net"},
		{"an empty host", "", "- --allow-net a,,b", 2, "", "want a host"},
		{"a file becomes an asset and a file again", "const a = await sandboxToAsset('a.txt'); await assetToSandbox(a.asset_id, 'copy.txt'); return [a.type, await media.text(a), await workspace.read('copy.txt')]",
			"- --workspace work --assets store", 0, "[\n  \"document\",\n  \"hello\",\n  \"hello\"\n]\n", ""},
		{"assets in a place that is a file", "", "- --assets file", 2, "", "quicksand: --assets: mkdir file"},
		{"timers", "return await new Promise((done) => setTimeout(done, 1, 'late'))", "- --raw --timers", 0, "late\n", ""},
		{"no timers without the flag", "return typeof setTimeout", "- --raw", 0, "undefined\n", ""},
		{"a stream from a file", "let n = 0; for await (const v of stream('rows')) n += v.n; return n", "- --stream rows=rows.jsonl", 0, "3\n", ""},
		{"a font of a file", "return (await canvas.fonts()).filter((f) => !f.bundled).map((f) => [f.family, f.weight].join()).join()", "- --raw --font face.ttf --font Other=face.ttf", 0, "Liberation Sans,400,Other,400\n", ""},
		{"a font that is none", "", "- --font file", 2, "", "quicksand: --font: file: register font: "},
		{"a font that is not there", "", "- --font absent.ttf", 2, "", "quicksand: --font: open absent.ttf"},
		{"a font without a file", "", "- --font A=", 2, "", "want FILE or FAMILY=FILE"},
		{"two streams", "", "- --stream a=rows.jsonl --stream b=rows.jsonl", 2, "", "there can be one stream"},
		{"no stream without the flag", "stream('a')", "-", 1, "", "the host grants it with Options.Input (on the command line --stream)"},
		{"a stream that is not there", "", "- --stream a=absent", 2, "", "quicksand: --stream:"},
		{"standard input twice", "", "- --stream a=-", 2, "", "standard input can be read only once"},
	}
	put(t, files)
	eachEngine(t, func(t *testing.T, engine string) {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				status, stdout, stderr := execute(c.stdin, append([]string{"run", "--engine", engine}, strings.Fields(c.args)...)...)
				if status != c.status || stdout != c.stdout || !strings.Contains(stderr, c.stderr) || c.stderr == "" && stderr != "" {
					t.Errorf("got %d %q %q\nwant %d %q …%q…", status, stdout, stderr, c.status, c.stdout, c.stderr)
				}
				if strings.Contains(stdout+stderr, "hunter22") || strings.Contains(stdout+stderr, "real-value") {
					t.Errorf("the secret was printed: %q %q", stdout, stderr)
				}
			})
		}
	})
}

// TestInvoiceRun runs the example against a server that answers only when all five requests
// have come.
func TestInvoiceRun(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	eachEngine(t, func(t *testing.T, engine string) {
		var mu sync.Mutex
		waiting := 0
		all := make(chan struct{})
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			if waiting++; waiting == 5 {
				close(all)
			}
			mu.Unlock()
			select {
			case <-all:
			case <-r.Context().Done():
				return
			}
			json.NewEncoder(w).Encode(map[string]any{"euros": 0.5})
		}))
		defer server.Close()
		host := strings.TrimPrefix(server.URL, "http://")
		status, stdout, stderr := execute("", "run", filepath.Join(root, "examples/invoice-run.js"), "--engine", engine, "--json",
			"--workspace", filepath.Join(root, "testdata/invoices"), "--read-only", "--allow-net", host, "--allow-private-network",
			"--secret", "INVOICE_KEY=example", "--inputs", `{"rates":"`+server.URL+`"}`)
		if status != 0 || stderr != "" {
			t.Fatalf("got %d, %s%s", status, stdout, stderr)
		}
		var report struct {
			Result struct {
				Invoices int
				Total    string
				Examples map[string]struct{ Amount, Due string }
			}
			Emitted []struct {
				Name  string
				Value struct{ Number, Amount, Issued, Due, Signature string }
			}
		}
		if err := json.Unmarshal([]byte(stdout), &report); err != nil {
			t.Fatal(err)
		}
		if report.Result.Invoices != 60 || len(report.Result.Examples) != 5 || len(report.Emitted) != 60 {
			t.Fatalf("got %+v and %d emitted values", report.Result, len(report.Emitted))
		}
		for locale, want := range map[string][2]string{
			"de-DE": {"9.926,39\u00a0€", "5. Juni 2026"},
			"ja-JP": {"￥398,860", "2026年11月5日"},
			"ar-EG": {"\u200f١٬٨٧٩٫١٨\u00a0ج.م.\u200f", "٦ مارس ٢٠٢٦"},
			"pt-BR": {"R$\u00a02.356,96", "13 de fevereiro de 2027"},
			"en-US": {"$6,818.00", "October 16, 2026"},
		} {
			if got := report.Result.Examples[locale]; got.Amount != want[0] || got.Due != want[1] {
				t.Errorf("%s: got %q, want %q", locale, got, want)
			}
		}
		// Of "INV-2026-0001\nKessler Maschinenbau GmbH\nEUR\n9926.39\n2026-05-22", by openssl dgst.
		if got := report.Emitted[0]; got.Name != "invoice" || got.Value.Number != "INV-2026-0001" || got.Value.Amount != "9.926,39\u00a0€" || got.Value.Signature != "2d43bf9f0daaf7f8137b20c9c86f2ee4e36968dc9504f51d2bc11ba04747659f" {
			t.Errorf("got %+v", got)
		}
	})
}

// TestAStreamThatWaitsForInput ends a run while it waits for a line that does not come.
func TestAStreamThatWaitsForInput(t *testing.T) {
	eachEngine(t, func(t *testing.T, engine string) {
		input, w := io.Pipe()
		defer w.Close()
		put(t, map[string]string{"p.js": "const first = stream.first('rows'); return await Promise.race([first, sleep(1).then(() => 'none')])"})
		var stdout, stderr bytes.Buffer
		status := run([]string{"run", "p.js", "--raw", "--engine", engine, "--stream", "rows=-"}, onlyReader{input}, &stdout, &stderr)
		if want := "[warn] the program ended while host calls were open, which were cancelled: stream.take\n"; status != 0 || stdout.String() != "none\n" || stderr.String() != want {
			t.Errorf("got %d %q %q", status, stdout.String(), stderr.String())
		}
	})
}

// onlyReader hides that a reader can be closed, as standard input cannot while it is read.
type onlyReader struct{ io.Reader }
