package quicksand

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"quicksand/bridges"
)

var update = flag.Bool("update", false, "rewrite CAPABILITIES.md and the table of capabilities in LIMITS.md")

// standardGlobals are those of the language and of the web, which are no capabilities.
const standardGlobals = `AbortController AbortSignal AggregateError Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean
	DOMException DataView Date Error EvalError Event EventTarget FinalizationRegistry Float16Array Float32Array Float64Array
	Function Infinity Int16Array Int32Array Int8Array InternalError Iterator JSON Map Math NaN Number Object Promise Proxy
	RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String Symbol SyntaxError TextDecoder TextEncoder TypeError
	URIError URL URLSearchParams Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet
	__maxIter __secretScope decodeURI decodeURIComponent encodeURI encodeURIComponent escape globalThis isFinite isNaN
	parseFloat parseInt undefined unescape`

// liveFunctions is a program that lists the functions which it finds below the globals that
// are not standard.
const liveFunctions = `
const found = [];
const look = (path, v, depth) => {
  if (typeof v === "function") found.push(path);
  if (v === null || typeof v !== "object" && typeof v !== "function" || depth > 3) return;
  for (const k of Object.keys(v)) look(path + "." + k, v[k], depth + 1);
};
for (const name of Object.getOwnPropertyNames(globalThis)) if (!inputs.standard.includes(name) && name !== "inputs") look(name, globalThis[name], 0);
const called = inputs.listed.filter((path) => typeof path.split(".").reduce((o, k) => o?.[k], globalThis) !== "function");
return { found, missing: called };`

func TestTheManifestListsWhatIsThere(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		o := Options{Timers: true} // without it their globals are absent
		m, err := s.Manifest(o)
		if err != nil {
			t.Fatal(err)
		}
		var listed []string
		for _, c := range m {
			if c.Doc == "" || strings.HasSuffix(c.Doc, ".") {
				t.Errorf("%s: its line is %q", c.Name, c.Doc)
			}
			for _, f := range c.Functions {
				listed = append(listed, f.Name)
			}
		}
		res, err := s.Run(context.Background(), liveFunctions, Options{Timers: true, Inputs: map[string]any{"standard": strings.Fields(standardGlobals), "listed": listed}})
		if err != nil {
			t.Fatal(err)
		}
		var live struct{ Found, Missing []string }
		if err := res.Value.Unmarshal(&live); err != nil {
			t.Fatal(err)
		}
		for _, name := range live.Missing {
			t.Errorf("the manifest lists %s, which is no function of a guest", name)
		}
		for _, name := range live.Found {
			if !slices.Contains(listed, name) {
				t.Errorf("a guest finds %s, which the manifest does not list", name)
			}
		}
		// The guest's own view of its run.
		res, err = s.Run(context.Background(), `return nodetool.capabilities()`, o)
		if err != nil {
			t.Fatal(err)
		}
		got, _ := res.Value.JSON()
		want, _ := json.Marshal(m)
		if !sameJSON(got, want) {
			t.Errorf("nodetool.capabilities():\ngot  %s\nwant %s", got, want)
		}
	})
}

// TestCapabilitiesPage compares CAPABILITIES.md with the registry.
func TestCapabilitiesPage(t *testing.T) {
	s, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	m, err := s.Manifest(Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("# Capabilities\n\nWhat guests find besides the language itself. This page is made from the code\n(`go test -run TestCapabilitiesPage -update .`); `nodetool.capabilities()` gives a guest the\nsame list for its own run, `Sandbox.Manifest` the host. Where there is no line on granting,\nevery run has the capability.\n")
	for _, c := range m {
		fmt.Fprintf(&b, "\n## %s\n\n%s.\n", c.Name, strings.ToUpper(c.Doc[:1])+c.Doc[1:])
		if !c.Granted {
			fmt.Fprintf(&b, "Granted by %s.\n", c.Grant)
		}
		b.WriteString("\n")
		for _, f := range c.Functions {
			fmt.Fprintf(&b, "- `%s`", f.Signature)
			if f.Doc != "" {
				fmt.Fprintf(&b, ": %s", f.Doc)
			}
			b.WriteString("\n")
		}
	}
	compareFile(t, "CAPABILITIES.md", b.String())
}

func compareFile(t *testing.T, name, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got := readFile(t, name); got != want {
		t.Errorf("%s is not what the code says: run go test -update .", name)
	}
}

const (
	limitsBegin = "| Limit of a capability | Default | Floor | Ceiling | What it bounds |\n|---|---|---|---|---|\n"
	limitsEnd   = "\nEngine limits"
)

// TestLimitsOfCapabilities compares their table in LIMITS.md with the registry.
func TestLimitsOfCapabilities(t *testing.T) {
	page := readFile(t, "LIMITS.md")
	before, rest, ok := strings.Cut(page, limitsBegin)
	_, after, ok2 := strings.Cut(rest, limitsEnd)
	if !ok || !ok2 {
		t.Fatal("LIMITS.md has no table of the limits of capabilities")
	}
	var b strings.Builder
	for _, l := range bridgeLimits(t) {
		show := func(v int64) string {
			if l.Unit == "ns" {
				return time.Duration(v).String()
			}
			return fmt.Sprintf("%d %s", v, l.Unit)
		}
		if l.Doc == "" {
			t.Errorf("the limit %s has no doc", l.Name)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", l.Name, show(l.Default), show(l.Floor), show(l.Ceiling), strings.ToUpper(l.Doc[:1])+l.Doc[1:])
	}
	compareFile(t, "LIMITS.md", before+limitsBegin+b.String()+limitsEnd+after)
}

// bridgeLimits are the limits of the built-in bridges, in the order of the manifest.
func bridgeLimits(t *testing.T) []bridges.Limit {
	t.Helper()
	reg, err := newRegistry(bridges.Registered(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var all []bridges.Limit
	for _, b := range reg.bridges {
		all = append(all, b.Limits...)
	}
	return all
}
