package quicksand_test

import (
	"context"
	"fmt"

	"quicksand"
	"quicksand/bridges"
)

// An embedder mounts functions of its own as a module which programs import. The fields of a
// struct are the options of a function, with what a schema says of them.
func ExampleModule_host() {
	type find struct {
		City  string `json:"city" doc:"where the customer lives"`
		Limit int    `json:"limit,omitempty" min:"1" max:"100"`
	}
	type customer struct {
		ID   int    `json:"id"`
		Name string `json:"name"`
	}
	crm := &bridges.Bridge{
		Name: "crm",
		Doc:  "customer records",
		Funcs: []bridges.Func{
			bridges.Typed("find", "finds customers", func(ctx context.Context, in find) ([]customer, error) {
				if in.City != "Paris" {
					return nil, &bridges.Error{Name: "NotFoundError", Code: "ENOENT", Message: "no customers in " + in.City}
				}
				return []customer{{7, "Ada"}, {8, "Blaise"}}, nil
			}),
		},
	}
	opts := quicksand.Options{Modules: map[string]quicksand.Module{"crm": {Host: crm}}}

	for _, code := range []string{
		`import { find } from "crm";
		return (await find({ city: "Paris" })).map((c) => c.name);`,
		`import { find } from "crm";
		return await find({ city: "Rome" }).catch((e) => e.code);`,
		`import { find } from "crm";
		return await find({ city: "Paris", limit: 1000 }).catch((e) => e.message);`,
	} {
		res, err := quicksand.Run(context.Background(), code, opts)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(res.Value)
	}
	fmt.Println(crm.Funcs[0].Signature())
	fmt.Println(string(crm.Funcs[0].Schema.Input))
	// Output:
	// ["Ada","Blaise"]
	// ENOENT
	// find: input.limit must be an integer from 1 to 100, not the number 1000
	// find(input: {city: string, limit?: number}): Promise<{id: number, name: string}[]>
	// {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"city":{"type":"string","description":"where the customer lives"},"limit":{"type":"integer","minimum":1,"maximum":100}},"required":["city"],"additionalProperties":false}
}
