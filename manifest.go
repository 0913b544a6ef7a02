package quicksand

import (
	"context"
	"strings"

	"quicksand/bridges"
)

// A Manifest lists what runs can do.
type Manifest []Capability

// A Capability is one entry of a manifest.
type Capability struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
	// Granted says whether the run may use it. Where it may not, Grant says what the host
	// has to set.
	Granted   bool              `json:"granted"`
	Grant     string            `json:"grant,omitempty"`
	Functions []FunctionInfo    `json:"functions"`
	Limits    []CapabilityLimit `json:"limits,omitempty"`
	// Details are what the bridge says of the grant, such as the hosts that may be reached.
	Details any `json:"details,omitempty"`
}

// FunctionInfo describes one function of a guest.
type FunctionInfo struct {
	// Name is where guests find it: "workspace.read".
	Name string `json:"name"`
	// Signature is how it is called: "workspace.read(path: string): Promise".
	Signature string `json:"signature"`
	Doc       string `json:"doc,omitempty"`
	// Schema describes the argument and the result of a function of bridges.Typed. Nil
	// means that the signature is all there is to know.
	Schema *bridges.Schema `json:"schema,omitempty"`
}

// CapabilityLimit describes one limit by its default.
type CapabilityLimit struct {
	Name    string `json:"name"`
	Unit    string `json:"unit"`
	Default int64  `json:"default"`
}

// Manifest lists what a run with these options may do, and what it could be granted. The
// guest gets the same from nodetool.capabilities(). The namespaces of Options.Modules follow,
// named as they are imported, which guests find by nodetool.packs.
func (s *Sandbox) Manifest(o Options) (Manifest, error) {
	grants, err := s.registry.grants(&o)
	if err != nil {
		return nil, err
	}
	m := s.registry.manifest(func(b *bridges.Bridge) (any, bool) {
		v, ok := grants[b]
		return v, ok || b.Always
	})
	for _, specifier := range sortedKeys(o.Modules) {
		if b := o.Modules[specifier].Host; b != nil {
			c := describe(b, grants[b], true)
			c.Name = specifier
			m = append(m, c)
		}
	}
	return m, nil
}

func (reg *registry) manifest(grant func(*bridges.Bridge) (any, bool)) Manifest {
	m := make(Manifest, 0, len(core)+len(reg.bridges))
	for _, list := range [][]*bridges.Bridge{core, reg.bridges} {
		for _, b := range list {
			v, granted := grant(b)
			m = append(m, describe(b, v, granted))
		}
	}
	return m
}

func describe(b *bridges.Bridge, grant any, granted bool) Capability {
	c := Capability{Name: b.Name, Doc: b.Doc, Granted: granted}
	if !granted {
		c.Grant = b.Granting()
	} else if b.Describe != nil {
		c.Details = b.Describe(grant)
	}
	for i := range b.Funcs {
		if f := &b.Funcs[i]; !f.Internal() {
			c.Functions = append(c.Functions, FunctionInfo{f.Name, f.Signature(), f.Doc, f.Schema})
		}
	}
	for _, l := range b.Limits {
		c.Limits = append(c.Limits, CapabilityLimit{l.Name, l.Unit, l.Default})
	}
	return c
}

// manifestBridge gives guests the manifest of their own run.
func manifestBridge(reg *registry) *bridges.Bridge {
	return &bridges.Bridge{
		Name: "capabilities", Always: true, Replaceable: true,
		Doc: "what this run may do",
		Funcs: []bridges.Func{{
			Name: "nodetool.capabilities", Sync: true, Result: "the capabilities",
			Doc: "lists the capabilities, whether this run was granted them, and their functions and limits",
			Call: func(_ context.Context, c *bridges.Call) (any, error) {
				return reg.manifest(c.Session.Grant), nil
			},
		}},
	}
}

// core are the functions that the prelude and the run loop provide. They are no bridges
// that calls go through, but stand in the manifest like those.
var core = []*bridges.Bridge{
	coreBridge("console", "log lines, in the manner of Node's console", `
		console.log(...values) console.info(...values) console.warn(...values) console.error(...values) console.debug(...values)
		console.trace(...values) console.dir(value, options?) console.table(rows, columns?) console.assert(condition, ...values)
		console.group(...values) console.groupCollapsed(...values) console.groupEnd() console.count(label?) console.countReset(label?)
		console.time(label?) console.timeLog(label?, ...values) console.timeEnd(label?)`),
	coreBridge("output", "values for the host besides the result", `
		emit(name, value)* emit.many(name, items)* output(name, value)* progress(percent, message?)`),
	coreBridge("time", "waiting", `sleep(ms, options?)*`),
	timersBridge,
	coreBridge("crypto", "random numbers and hashes", `
		crypto.randomUUID() crypto.getRandomValues(length) crypto.digest(algorithm, data)* crypto.hmac(algorithm, key, data)* crypto.timingSafeEqual(a, b)`),
	coreBridge("bytes", "conversions of binary data", `
		toBase64(data) fromBase64(text, options?) toHex(data) fromHex(text, options?) atob(text) btoa(text)`),
	coreBridge("tasks", "work on many items at one time", `parallelMap(items, fn, options?)* queueMicrotask(callback) structuredClone(value, options?)`),
}

// timersBridge stands for Options.Timers. Its globals are absent without that.
var timersBridge = func() *bridges.Bridge {
	b := coreBridge("timers", "timers in the manner of the web", `
		setTimeout(callback, ms?, ...args) clearTimeout(id) setInterval(callback, ms?, ...args) clearInterval(id)`)
	b.Always, b.Grant = false, "Options.Timers"
	return b
}()

// coreBridge makes an entry from signatures; one with * returns a promise.
func coreBridge(name, doc, signatures string) *bridges.Bridge {
	b := &bridges.Bridge{Name: name, Doc: doc, Always: true}
	for _, s := range strings.SplitAfter(strings.TrimSpace(signatures), ")") {
		star := strings.HasPrefix(s, "*")
		s = strings.TrimSpace(strings.TrimPrefix(s, "*"))
		if star {
			b.Funcs[len(b.Funcs)-1].Sync = false
		}
		if s == "" {
			continue
		}
		fname, params, _ := strings.Cut(strings.TrimSuffix(s, ")"), "(")
		f := bridges.Func{Name: fname, Sync: true}
		for _, p := range strings.FieldsFunc(params, func(r rune) bool { return r == ',' || r == ' ' }) {
			p, optional := strings.CutSuffix(p, "?")
			f.Params = append(f.Params, bridges.Param{Name: p, Optional: optional})
		}
		b.Funcs = append(b.Funcs, f)
	}
	return b
}
