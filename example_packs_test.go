package quicksand_test

import (
	"context"
	"fmt"

	"quicksand"
	"quicksand/modules"
)

// A run may import what a set of a catalog holds. Discovery runs no code of packs.
func ExampleOptions_packs() {
	cat, err := modules.Open("testdata/packs/geo")
	if err != nil {
		fmt.Println(err)
		return
	}
	o := quicksand.Options{Packs: cat.Set("@acme/geo")}
	res, err := quicksand.Run(context.Background(), `
		import { haversine } from "@acme/geo";
		return [haversine(1, 3), (await nodetool.packs.exports("@acme/geo")).exports];
	`, o)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Value)

	_, err = quicksand.Run(context.Background(), `import "@other/pack"`, o)
	fmt.Println(err)
	// Output:
	// [222,["count","haversine"]]
	// run: TypeError: cannot import "@other/pack": not a sandbox package this run serves (allowed: @acme/geo, @acme/geo/extra) (main.js:1:8)
}
