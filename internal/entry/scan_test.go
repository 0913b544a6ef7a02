package entry

import (
	"strings"
	"testing"
)

var _ = strings.Count

func TestQuick(t *testing.T) {
	e, err := Build("import a, {b as c, \"x y\" as d} from 'm'; import * as n from \"n\" with {type: 'json'}\nconst x = a / 2\nreturn x")
	t.Log(e.Source, err, e.Imports)
}
