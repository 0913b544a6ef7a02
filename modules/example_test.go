package modules_test

import (
	"fmt"

	"quicksand/modules"
)

func ExampleOpen() {
	cat, err := modules.Open("../testdata/packs/geo", "../testdata/packs/other")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range cat.Summaries() {
		if !s.Shipped {
			fmt.Println(s.Specifier, s.Version, s.Kind)
		}
	}
	fmt.Println(cat.Set("@other/pack").Deny([]string{"@other/pack"}))
	// Output:
	// @acme/geo 1.2.0 js
	// @acme/geo/extra 1.2.0 js
	// @other/pack 0.1.0 js
	// cannot import "@acme/geo" (imported by @other/pack): the run is not allowed to import it (allowed: @other/pack)
}
