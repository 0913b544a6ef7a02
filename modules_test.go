package quicksand

import (
	"context"
	"testing"

	"quicksand/bridges"
)

func TestHostModulesSmoke(t *testing.T) {
	b := &bridges.Bridge{Name: "geo", Funcs: []bridges.Func{
		{Name: "add", Params: []bridges.Param{{Name: "a", Type: bridges.Number}, {Name: "b", Type: bridges.Number}}, Call: func(_ context.Context, c *bridges.Call) (any, error) {
			a, _ := c.Arg(0).Float()
			b, _ := c.Arg(1).Float()
			return a + b, nil
		}},
	}}
	for _, name := range engineNames {
		t.Run(name, func(t *testing.T) {
			s, err := New(Config{Engine: name})
			if err != nil {
				t.Skip(err)
			}
			defer s.Close()
			res, err := s.Run(context.Background(), `import { add } from "geo"; import geo, * as ns from "geo"; return [await add(1, 2), await geo.add(3, 4), Object.keys(ns), add.name, Object.isFrozen(geo), await add("x").catch((e) => e.stack)];`, Options{Modules: map[string]Module{"geo": {Host: b}}})
			t.Log(err)
			if res != nil {
				t.Log(res.Value, res.Usage.Calls)
			}
		})
	}
}
