package typescript

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"quicksand/internal/entry"
)

// mixTokens are combined at random. Those with brackets in regular expressions reveal
// a slash that is read wrongly.
var mixTokens = strings.Split("a b if( while( for( ) ( { } [ ] ; , : ? => = . ?. ... /}/ / /[)]/g ++ -- ! + * "+
	"async await yield function class extends static get set of in let const x y => {} () [] ; return "+
	"import \"x\" import(\"x\") from as `t` `${ }` 1 \"s\" #p new typeof do else try{} catch finally{} case "+
	"default: switch( break continue debugger @d this super {a:1} {b} function(){} class{} ()=>{} label: "+
	"async()=>{} function*g(){ class\\u0041{ x= \n \n \n \n \n ;", " ")

// The scanner and esbuild agree on random sequences of tokens. This finds what a
// fuzzer that knows no tokens reaches late.
func TestRandomTokens(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	r := rand.New(rand.NewPCG(1, 1))
	accepted := 0
	for range 6000 {
		var b strings.Builder
		for k := 2 + r.IntN(7); k > 0; k-- {
			b.WriteString(mixTokens[r.IntN(len(mixTokens))])
			if r.IntN(6) > 0 {
				b.WriteByte(' ')
			}
		}
		code := b.String()
		switch r.IntN(4) {
		case 0:
			code += "\n/}/.t"
		case 1:
			code += " / 2 /[/}]/1"
		case 2:
			code = "class A { " + code + " }"
		}
		if strings.Contains(code, "let []") || strings.Contains(code, "let {") {
			continue // esbuild accepts patterns without a value
		}
		raw, _ := parse(code)
		first, _ := parse("(async () => {\n" + code + "\n})")
		second, _ := parse(insideMethod(code))
		valid := raw || first && second
		if valid {
			accepted++
		}
		e, err := entry.Build(t.Context(), code)
		var se *entry.SyntaxError
		if errors.As(err, &se) {
			if valid && !slices.ContainsFunc(otherRules, func(rule string) bool { return strings.Contains(se.Message, rule) }) {
				t.Errorf("%v\n%s", se, code)
			}
			continue
		}
		if first && !second && !strings.Contains(code, "import") {
			t.Errorf("a body that closes its wrapper is accepted\n%s", code)
		}
		if !raw {
			continue
		}
		if ok, message := parse(e.Source); !ok {
			t.Errorf("built source is refused: %s\n%s", message, code)
		}
		if strings.Contains(code, "import") {
			want, _ := imports(t, code)
			var got []string
			for _, i := range e.Imports {
				got = append(got, i.Specifier)
			}
			slices.Sort(got)
			if got = slices.Compact(got); !slices.Equal(got, want) {
				t.Errorf("imports %q, esbuild finds %q\n%s", got, want, code)
			}
		}
	}
	if accepted < 80 {
		t.Errorf("only %d sequences are valid", accepted)
	}
}
