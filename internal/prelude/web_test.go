package prelude_test

import (
	"quicksand/engine"
	"quicksand/internal/marshal"
	"quicksand/internal/prelude"
	"quicksand/internal/webapi"
)

// web serves the operations of URL and the encodings.
func web(op uint32, arg any) engine.Reply {
	list, _ := arg.([]any)
	record := func(r webapi.Record, ok bool) engine.Reply {
		if !ok {
			return engine.Reply{}
		}
		parts := make([]any, len(r))
		for i, p := range r {
			parts[i] = p
		}
		return engine.Reply{Value: encode(parts)}
	}
	switch op {
	case prelude.OpURLParse:
		base, hasBase := list[1].(string)
		return record(webapi.ParseURL(list[0].(string), base, hasBase))
	case prelude.OpURLSet:
		return record(webapi.SetURL(list[0].(string), list[1].(string), list[2].(string)))
	case prelude.OpEncodingName:
		if name, ok := webapi.EncodingName(arg.(string)); ok {
			return engine.Reply{Value: encode(name)}
		}
		return engine.Reply{}
	case prelude.OpDecodeText:
		text, consumed, ok := webapi.DecodeText(list[0].(string), list[1].([]byte), list[2].(bool), list[3].(bool))
		if !ok {
			return engine.Reply{}
		}
		return engine.Reply{Value: encode([]any{text, float64(consumed)})}
	}
	return engine.Reply{Value: encode(&marshal.Error{Name: "Error", Message: "unknown operation"}), Throw: true}
}
