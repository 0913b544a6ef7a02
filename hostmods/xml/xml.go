// Package xml is the module "xml" for guests: plain objects out of XML and XML out of plain
// objects, in the shape of fast-xml-parser 5. The grammar is that of XML 1.0 (fifth edition,
// https://www.w3.org/TR/xml/), without external entities and without validation.
//
// It differs from fast-xml-parser in that it refuses "<!" which begins nothing known, names of
// processing instructions that are none, a DOCTYPE behind the root, and an XML declaration
// anywhere but at the start; that a quote which stays open in a processing instruction is no
// error; that names of entities may be long and have points; and that references to characters
// which XML has not stay as they are. Elements are 100 deep at most, not 101.
//
// Importing the package registers the module. It has no state; all of it may be used by any
// number of goroutines.
package xml

import (
	"context"
	_ "embed"
	"errors"

	"quicksand/bridges"
	"quicksand/hostmods"
	"quicksand/internal/marshal"
)

//go:embed SKILL.md
var skill string

func init() {
	hostmods.Register(&hostmods.Module{
		Limits: hostmods.Limits{MemoryPerByte: 40},
		ID:     "xml",
		Doc:    "Plain objects out of XML and XML out of plain objects.",
		Skill:  skill,
		Funcs: []bridges.Func{
			{Name: "parse", Result: "an object with an entry for each root element",
				Doc:    "Reads an XML document.",
				Params: []bridges.Param{hostmods.TextParam("text", "the XML, or its UTF-8"), hostmods.OptionsParam("attributes, arrays, numbers, booleans, decodeEntities, trim, removeNSPrefix, preserveOrder, strict")},
				Call:   parse},
			{Name: "stringify", Result: "the XML",
				Doc:    "Writes what parse returns, or an object in its shape, as XML.",
				Params: []bridges.Param{{Name: "value", Doc: "an object, or the array of parse with preserveOrder"}, hostmods.OptionsParam("format, indent, declaration")},
				Call:   stringify},
		},
	})
}

// Limits of a call.
const (
	maxDepth      = 100       // elements inside of each other
	maxNodes      = 1_000_000 // elements, texts and processing instructions
	maxAttributes = 1000      // of one element
	maxEntities   = 1000      // that a DOCTYPE declares
	maxEntity     = 10_000    // bytes of one
	maxExpansion  = 100_000   // bytes of all the places where one stands
	maxOutput     = hostmods.DefaultResult
)

func parse(ctx context.Context, c *bridges.Call) (any, error) {
	text, err := hostmods.Text(c, 0)
	if err != nil {
		return nil, err
	}
	o := c.Options(1)
	p := parser{ctx: ctx, attributes: hostmods.Truthy(o.Field("attributes"), true), html: hostmods.Truthy(o.Field("decodeEntities"), false),
		trim: hostmods.Truthy(o.Field("trim"), true), dropPrefix: hostmods.Truthy(o.Field("removeNSPrefix"), false), strict: hostmods.Truthy(o.Field("strict"), false)}
	e := emitter{ctx: ctx, numbers: hostmods.Truthy(o.Field("numbers"), false), booleans: hostmods.Truthy(o.Field("booleans"), false)}
	switch v := o.Field("arrays"); v.Kind() {
	case marshal.KindUndefined, marshal.KindNull:
	case marshal.KindArray:
		e.arrays = map[string]bool{}
		for _, name := range v.Elements() {
			s, ok := name.Str()
			if !ok {
				return nil, bridges.TypeErrorf(c.Op(), "options.arrays must hold names of elements")
			}
			e.arrays[s] = true
		}
	default:
		return nil, bridges.TypeErrorf(c.Op(), "options.arrays must be a list of names of elements")
	}
	if err := p.document(text); err != nil {
		return nil, err
	}
	v, err := e.emit(&p, hostmods.Truthy(o.Field("preserveOrder"), false))
	switch {
	case errors.Is(err, marshal.ErrTooDeep):
		return nil, bridges.Errorf(c.Op(), "the document has more than %d objects and arrays inside of each other", marshal.MaxDepth)
	case errors.Is(err, marshal.ErrTooLarge):
		return nil, bridges.Limitf(c.Op(), hostmods.LimitResult, maxOutput, maxOutput+1, "the result is more than the limit of %d bytes", maxOutput)
	}
	return v, err
}
