package tokens

import (
	"context"
	_ "embed"

	"quicksand/bridges"
	"quicksand/hostmods"
)

//go:embed SKILL.md
var skill string

func init() { hostmods.Register(module) }

var (
	textParam     = hostmods.TextParam("text", "the text, or its UTF-8")
	encodingParam = bridges.Param{Name: "encoding", Type: bridges.String, Optional: true, Doc: "cl100k_base (default), p50k_base, r50k_base or o200k_base"}
)

var module = &hostmods.Module{
	ID:    "tokens",
	Doc:   "counts, encodes, decodes and cuts texts by the tokens of language models",
	Skill: skill,
	// Two calls at a time, since texts without spaces take up to 150 MB each.
	Limits: hostmods.Limits{Concurrency: 2, MemoryPerByte: 32},
	Funcs: []bridges.Func{{
		Name: "count", Doc: "counts the tokens of a text", Result: "a number",
		Params: []bridges.Param{textParam, encodingParam},
		Call: withText(1, func(ctx context.Context, c *bridges.Call, e *Encoding, text string) (any, error) {
			return e.Count(ctx, text)
		}),
	}, {
		Name: "encode", Doc: "the ids of the tokens of a text", Result: "an array of numbers",
		Params: []bridges.Param{textParam, encodingParam},
		Call: withText(1, func(ctx context.Context, c *bridges.Call, e *Encoding, text string) (any, error) {
			return e.Encode(ctx, text)
		}),
	}, {
		Name: "decode", Doc: "the text of tokens", Result: "a string",
		Params: []bridges.Param{
			{Name: "ids", Type: bridges.Any, Doc: "an array of ids, or a typed array"}, encodingParam},
		Call: decode,
	}, {
		Name: "truncate", Doc: "the beginning of a text that n tokens hold", Result: "a string",
		Params: []bridges.Param{textParam, {Name: "n", Type: bridges.Integer, Doc: "at least 0"}, encodingParam},
		Call: withText(2, func(ctx context.Context, c *bridges.Call, e *Encoding, text string) (any, error) {
			n := c.Int(1)
			if n < 0 {
				return nil, bridges.TypeErrorf(c.Op(), "n must be at least 0, not %d", n)
			}
			return e.Truncate(ctx, text, int(n))
		}),
	}, {
		Name: "encodings", Doc: "the names of the encodings", Result: "an array of strings",
		Call: func(context.Context, *bridges.Call) (any, error) { return Names(), nil },
	}},
}

// encodingOf is the encoding that argument i names.
func encodingOf(c *bridges.Call, i int) (*Encoding, error) {
	name := "cl100k_base"
	if c.Has(i) {
		name = c.Str(i)
	}
	e, err := Load(name)
	if err != nil {
		return nil, bridges.TypeErrorf(c.Op(), "%v", err)
	}
	return e, nil
}

// withText is a call of a function whose first argument is a text, and i the encoding.
func withText(i int, f func(ctx context.Context, c *bridges.Call, e *Encoding, text string) (any, error)) func(context.Context, *bridges.Call) (any, error) {
	return func(ctx context.Context, c *bridges.Call) (any, error) {
		text, err := hostmods.Text(c, 0)
		if err != nil {
			return nil, err
		}
		e, err := encodingOf(c, i)
		if err != nil {
			return nil, err
		}
		return f(ctx, c, e, text)
	}
}

// maxIDs bounds the ids of decode: as many as the longest text can have.
const maxIDs = hostmods.MaxText

func decode(ctx context.Context, c *bridges.Call) (any, error) {
	list := c.Arg(0)
	if n := int64(list.Len()); n > maxIDs {
		return nil, bridges.Limitf(c.Op(), hostmods.LimitText, maxIDs, n, "ids has %d elements, more than the limit of %d", n, maxIDs)
	}
	var numbers []float64
	switch x := list.Any().(type) {
	case []any:
		numbers = make([]float64, len(x))
		for i, v := range x {
			f, ok := v.(float64)
			if !ok {
				return nil, bridges.TypeErrorf(c.Op(), "ids[%d] must be a number", i)
			}
			numbers[i] = f
		}
	case []byte:
		numbers = floats(x)
	case []int8:
		numbers = floats(x)
	case []uint16:
		numbers = floats(x)
	case []int16:
		numbers = floats(x)
	case []uint32:
		numbers = floats(x)
	case []int32:
		numbers = floats(x)
	case []float64:
		numbers = x
	default:
		return nil, bridges.TypeErrorf(c.Op(), "ids must be an array of numbers, not %s", bridges.Describe(c.Arg(0)))
	}
	tokens, err := ids(numbers)
	if err != nil {
		return nil, bridges.TypeErrorf(c.Op(), "%v", err)
	}
	e, err := encodingOf(c, 1)
	if err != nil {
		return nil, err
	}
	// A token has up to some hundred bytes: a text of millions of the longest is refused before it is made.
	size := 0
	for _, id := range tokens {
		part, _ := e.Part(id)
		size += len(part)
	}
	if size > maxDecoded {
		return nil, bridges.Limitf(c.Op(), hostmods.LimitResult, maxDecoded, int64(size), "the text would have %d bytes, more than the limit of %d", size, maxDecoded)
	}
	return e.Decode(tokens), nil
}

// maxDecoded is the largest text of decode in bytes.
const maxDecoded = 32 << 20

func floats[T uint8 | int8 | uint16 | int16 | uint32 | int32](list []T) []float64 {
	out := make([]float64, len(list))
	for i, x := range list {
		out[i] = float64(x)
	}
	return out
}
