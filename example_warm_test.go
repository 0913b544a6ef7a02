package quicksand_test

import (
	"context"
	"fmt"

	"quicksand"
	"quicksand/modules"
)

// A sandbox whose heaps hold a library: runs that may import it take it as it is, and each
// finds it as if no other had.
func ExampleConfig_warm() {
	counter := modules.NewSet(&modules.Module{
		Specifier: "counter", Pack: "counter", Version: "1.0.0", Kind: modules.JS, Digest: "counter 1.0.0",
		Entry: "index.js",
		Files: map[string]string{
			"index.js":    `import { step } from "./lib/step.js"; let n = 0; export const next = () => n += step;`,
			"lib/step.js": `export const step = 2;`,
		},
	})
	s, err := quicksand.New(quicksand.Config{Warm: counter})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	for range 2 {
		res, err := s.Run(context.Background(), `import { next } from "counter"; return [next(), next()]`, quicksand.Options{Packs: counter})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(res.Value)
	}
	_, err = s.Run(context.Background(), `import { next } from "counter"`, quicksand.Options{})
	fmt.Println(err)
	// Output:
	// [2,4]
	// [2,4]
	// run: TypeError: cannot import "counter": it is not a sandbox package this run serves (it serves none) (main.js:1:22)
}
