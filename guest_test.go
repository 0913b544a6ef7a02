package quicksand

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"quicksand/bridges/assets"
	"quicksand/bridges/secrets"
	"quicksand/bridges/workspace"
	"quicksand/hostmods"
	_ "quicksand/hostmods/all"
	"quicksand/modules"
)

// Guest programs are chunks of testdata/guest/*.js, separated by lines of "---". A chunk is
// the body of a run and says what comes of it:
//
//	//= JSON            at the end of a line: the result, with the order of its keys
//	//! Name "words"    at the end of the line that fails: name or kind of the error, and a
//	                    part of its message
//
// Lines that begin with //@ and a word say more about the run:
//
//	//@inputs JSON      the inputs
//	//@globals JSON     data among the globals
//	//@timers yes       the run has timers
//	//@host a b         host functions of guestFunctions that are globals
//	//@server policy    the run may fetch from the server of fetch_test.go, the global server;
//	                    a policy is open or tight
//	//@workspace JSON   files of a workspace in memory, by path, as text
//	//@logs JSON        the lines of the console
//	//@outputs JSON     what was given to output, by name in alphabetical order
//	//@emitted JSON     what was given to emit, as [name, value]
//	//@after JSON       the globals as the program left them, in alphabetical order
//	//@stack words      a part of the error's stack
//	//@secrets JSON     the values of secrets by name
//	//@scope JSON       the names that the run declares
//	//@assets JSON      assets of a store in memory, by id, as text
//
// All programs may import guestModules; those of hostmods-*.js the modules of the host too,
// those of module-wasm.js the WebAssembly module of testdata/packs.
type chunk struct {
	name, code string
	fails      bool
	want       string // JSON of the result
	kind       string // name or kind of the error
	words      string // of its message
	line       int    // where it fails
	directives map[string]string
}

var (
	returnsMark = regexp.MustCompile(`//= (.*)$`)
	failsMark   = regexp.MustCompile(`//! (\w+)(?: "(.*)")?$`)
	directive   = regexp.MustCompile(`^//@(\w+) (.*)$`)
)

func guestChunks(t *testing.T) []chunk {
	t.Helper()
	files, err := filepath.Glob("testdata/guest/*.js")
	if err != nil || len(files) == 0 {
		t.Fatalf("no guest programs: %v", err)
	}
	var all []chunk
	for _, f := range files {
		for i, code := range strings.Split(readFile(t, f), "\n---\n") {
			first, _, _ := strings.Cut(strings.TrimSpace(code), "\n")
			c := chunk{name: fmt.Sprintf("%s/%d %.60s", filepath.Base(f), i+1, strings.TrimPrefix(first, "// ")), code: code, directives: map[string]string{}}
			for n, line := range strings.Split(code, "\n") {
				if m := directive.FindStringSubmatch(line); m != nil {
					c.directives[m[1]] = m[2]
				} else if m := failsMark.FindStringSubmatch(line); m != nil {
					c.fails, c.kind, c.line = true, m[1], n+1
					if c.words, _ = strconv.Unquote(`"` + m[2] + `"`); c.words == "" {
						c.words = m[2]
					}
				} else if m := returnsMark.FindStringSubmatch(line); m != nil {
					c.want = m[1]
				}
			}
			if !c.fails && c.want == "" {
				t.Fatalf("%s: chunk %d expects nothing", f, i+1)
			}
			all = append(all, c)
		}
	}
	return all
}

// guestFunctions are what //@host offers.
var guestFunctions = map[string]any{
	"echo":  func(v Value) Value { return v },
	"add":   func(a, b float64) float64 { return a + b },
	"bytes": func(n int) []byte { return make([]byte, n) },
	"refuse": func(message string) error {
		return &GuestError{Name: "RangeError", Message: message}
	},
	"plain": func(message string) error { return errors.New(message) },
	"lookup": map[string]any{
		"price": func(_ context.Context, name string) (float64, error) {
			if name == "tea" {
				return 2.5, nil
			}
			return 0, fmt.Errorf("no price for %s", name)
		},
	},
}

// guestModules are what guest programs may import.
var guestModules = map[string]Module{
	"@nodetool-ai/sandbox-math": {
		Code: `import { half } from "./lib/half";
export const double = (x) => x * 2;
export const quarter = (x) => half(half(x));
export default function square(x) { return x * x; }
export let count = 0;
export function bump() { return ++count; }`,
		Files: map[string]string{
			"lib/half.js":        `import { two } from "../constants"; export const half = (x) => x / two;`,
			"constants/index.js": `export const two = 2;`,
		},
	},
	"pixels": {Code: `export const px = async (h, ...at) => {
  const d = await image.decode(h);
  return at.map(([x, y]) => Array.from(d.pixels.slice(4 * (y * d.width + x), 4 * (y * d.width + x) + 4)).join());
};
export const all = async (h) => Array.from((await image.decode(h)).pixels).join();
export const size = (h) => h.width + "x" + h.height;
// quarters is a picture of four colours: red and lime above blue and white.
export const quarters = async (n = 2) => image.composite(await image.blank(2 * n, 2 * n, { color: "red" }), [
  { image: await image.blank(n, n, { color: "lime" }), x: n },
  { image: await image.blank(n, n, { color: "blue" }), y: n },
  { image: await image.blank(n, n, { color: "white" }), x: n, y: n },
]);`},
	"sounds": {Code: `// wav is a file of 16 bits: frame i of channel c is f(i, c), from -32768 to 32767.
export const wav = (rate, channels, frames, f) => {
  const b = new Uint8Array(44 + 2 * frames * channels), d = new DataView(b.buffer);
  const text = (at, s) => { for (let i = 0; i < s.length; i++) b[at + i] = s.charCodeAt(i); };
  text(0, "RIFF"); d.setUint32(4, b.length - 8, true); text(8, "WAVEfmt "); d.setUint32(16, 16, true); d.setUint16(20, 1, true);
  d.setUint16(22, channels, true); d.setUint32(24, rate, true); d.setUint32(28, 2 * rate * channels, true); d.setUint16(32, 2 * channels, true); d.setUint16(34, 16, true);
  text(36, "data"); d.setUint32(40, b.length - 44, true);
  for (let i = 0, at = 44; i < frames; i++) for (let c = 0; c < channels; c++, at += 2) d.setInt16(at, f(i, c), true);
  return b;
};
export const tone = (seconds, { rate = 44100, channels = 1, hz = 440, level = 16384 } = {}) =>
  wav(rate, channels, Math.round(seconds * rate), (i) => Math.round(level * Math.sin(2 * Math.PI * hz * i / rate)));
export const ramp = (n, rate = 8000) => wav(rate, 1, n, (i) => 100 * (i + 1));
// floats are the samples of a sound as it is, by channel.
export const floats = async (h) => {
  const b = await audio.bytes(await audio.convert(h, { float: true })), d = new DataView(b.buffer, b.byteOffset), out = [];
  let at = 12;
  while (d.getUint32(at) !== 0x64617461) at += 8 + d.getUint32(at + 4, true);
  const channels = d.getUint16(22, true), n = d.getUint32(at + 4, true) / 4;
  for (let c = 0; c < channels; c++) out.push(new Float32Array(n / channels));
  for (let i = 0; i < n; i++) out[i % channels][(i - i % channels) / channels] = d.getFloat32(at + 8 + 4 * i, true);
  return out;
};
// ints are those of one channel as 16 bits.
export const ints = async (h, c = 0) => Array.from((await floats(h))[c], (x) => Math.round(x * 32768));
export const shape = async (h) => { const i = await audio.info(h); return [Math.round(i.duration * i.sample_rate), i.sample_rate, i.channels].join(" "); };
export const near = (a, b, by = 1e-6) => Math.abs(a - b) <= by;`},
	"errors": {Code: "export function fail(m) {\n  throw new RangeError(m);\n}\nexport const make = (m) => new Error(m);"},
	"reach":  {Code: `import "./absent";`},
	"escape": {Code: `import "../escape";`},
	"broken": {Code: "export const a = ;"},
	"globals": {Code: `export const seen = [typeof setTimeout, typeof eval, typeof inputs, typeof console, typeof Function];
export const make = (s) => Function(s);
export const makeAsync = (s) => (async () => {}).constructor(s);
export const load = (s) => import(s);`},
	"late": {Code: `export const value = await (async () => { await sleep(1); return "late"; })();`},
	"a":    {Code: `import { b } from "b"; export const a = () => b; export const x = "x";`},
	"b":    {Code: `import { x } from "a"; export const b = "b"; export const lazy = () => x;`},
}

// hostModules are the modules of the host.
var hostModules = sync.OnceValues(func() (*modules.Set, error) {
	cat, err := modules.Config{Compiled: modules.NewCache("")}.Open()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, m := range hostmods.Registered() {
		names = append(names, m.Pack())
	}
	return cat.Set(names...), nil
})

func (c *chunk) options(t *testing.T) Options {
	t.Helper()
	o := Options{Modules: guestModules, Globals: map[string]any{}, Timers: c.directives["timers"] != ""}
	if strings.HasPrefix(c.name, "hostmods-") {
		var err error
		if o.Packs, err = hostModules(); err != nil {
			t.Fatal(err)
		}
	}
	if strings.HasPrefix(c.name, "module-wasm") {
		o.Packs = wasmPacks(t)
	}
	if s := c.directives["inputs"]; s != "" {
		if err := json.Unmarshal([]byte(s), &o.Inputs); err != nil {
			t.Fatalf("inputs: %v", err)
		}
	}
	if s := c.directives["globals"]; s != "" {
		if err := json.Unmarshal([]byte(s), &o.Globals); err != nil {
			t.Fatalf("globals: %v", err)
		}
	}
	if s := c.directives["secrets"]; s != "" {
		var m secrets.Map
		if err := json.Unmarshal([]byte(s), &m); err != nil {
			t.Fatalf("secrets: %v", err)
		}
		o.Secrets = &secrets.Policy{Provider: m}
		if s := c.directives["scope"]; s != "" {
			if err := json.Unmarshal([]byte(s), &o.Secrets.Scope); err != nil {
				t.Fatalf("scope: %v", err)
			}
		}
	}
	if s := c.directives["server"]; s != "" {
		o.Globals["server"], o.Fetch = fetchServer(t, s)
	}
	if s := c.directives["workspace"]; s != "" {
		var files map[string]string
		if err := json.Unmarshal([]byte(s), &files); err != nil {
			t.Fatalf("workspace: %v", err)
		}
		m := workspace.NewMemory(nil)
		for name, text := range files {
			if err := m.WriteFile(name, []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		o.Workspace = &workspace.Policy{FS: m}
	}
	if s := c.directives["assets"]; s != "" {
		var files map[string]string
		if err := json.Unmarshal([]byte(s), &files); err != nil {
			t.Fatalf("assets: %v", err)
		}
		store := new(assets.Memory)
		for id, text := range files {
			store.Put(id, "", "", []byte(text))
		}
		o.Assets = &assets.Policy{Store: store}
	}
	for _, name := range strings.Fields(c.directives["host"]) {
		if guestFunctions[name] == nil {
			t.Fatalf("no host function %q", name)
		}
		o.Globals[name] = guestFunctions[name]
	}
	return o
}

// computing are the programs that compute for long. The pure engine runs them without the
// race detector only, under which they take minutes: what they check of the host's side, the
// cgo engine checks under it, and the guest's side has one goroutine.
var computing = regexp.MustCompile(`^(audio|canvas|image|pack|hostmods)-`)

func TestGuestPrograms(t *testing.T) {
	all := guestChunks(t)
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		for _, c := range all {
			if strings.HasPrefix(c.name, "pack-") {
				continue // TestGuestPacks runs it
			}
			t.Run(c.name, func(t *testing.T) {
				if raceEnabled && engineName(s) == "pure" && computing.MatchString(c.name) {
					t.Skip("the pure engine runs it without the race detector")
				}
				res, err := s.Run(context.Background(), c.code, c.options(t))
				if c.fails {
					c.checkError(t, err)
				} else if err != nil {
					t.Fatal(err)
				} else {
					wantJSON(t, "result", res.Value, c.want)
				}
				c.checkDirectives(t, res)
			})
		}
	})
}

func (c *chunk) checkError(t *testing.T, err error) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("got error %v, want %s", err, c.kind)
	}
	if e.Name != c.kind && !strings.EqualFold(string(e.Kind), c.kind) || !strings.Contains(e.Message, c.words) {
		t.Errorf("got %s of kind %s: %s\nwant %s …%s…", e.Name, e.Kind, e.Message, c.kind, c.words)
	}
	if e.Position.Line > 0 && e.Position.Line != c.line {
		t.Errorf("got line %d, want %d: %v", e.Position.Line, c.line, e)
	}
	if want := c.directives["stack"]; !strings.Contains(e.Stack, want) {
		t.Errorf("got stack %q, want %q in it", e.Stack, want)
	}
}

func (c *chunk) checkDirectives(t *testing.T, res *Result) {
	t.Helper()
	check := func(name string, v any) {
		t.Helper()
		want, ok := c.directives[name]
		if !ok {
			return
		}
		got, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if !sameJSON(got, []byte(want)) {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, want)
		}
	}
	lines := []string{}
	for _, l := range res.Logs {
		lines = append(lines, l.String())
	}
	check("logs", lines)
	check("outputs", res.Outputs)
	emitted := [][]any{}
	for _, e := range res.Emitted {
		emitted = append(emitted, []any{e.Name, e.Value})
	}
	check("emitted", emitted)
	check("after", res.Globals)
}
