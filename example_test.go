package quicksand_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"
	"time"

	"quicksand"
	_ "quicksand/typescript"
)

func Example() {
	res, err := quicksand.Run(context.Background(), `
		const big = inputs.orders.filter((o) => o.total > 100);
		console.log("orders above 100:", big.length);
		return { count: big.length, rate: await rate("EUR") };
	`, quicksand.Options{
		Inputs:  map[string]any{"orders": []map[string]any{{"total": 250}, {"total": 40}}},
		Globals: map[string]any{"rate": func(currency string) float64 { return 1.09 }},
		Limits:  quicksand.Limits{Timeout: 2 * time.Second, Memory: 32 << 20},
	})
	if err != nil {
		log.Fatal(err) // *quicksand.Error: kind, message, position, stack
	}
	fmt.Println(res.Value, res.Logs)
	// Output: {"count":1,"rate":1.09} [orders above 100: 1]
}

// A service makes one sandbox with its own defaults and shares it.
func ExampleNew() {
	box, err := quicksand.New(quicksand.Config{
		Engine:   "pure",
		Isolates: 4,
		Limits:   quicksand.Limits{Timeout: 5 * time.Second, Memory: 16 << 20},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer box.Close()
	for _, n := range []int{10, 20} {
		res, err := box.Run(context.Background(), "return inputs.reduce((a, b) => a + b)", quicksand.Options{Inputs: []int{n, n + 1}})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(res.Value)
	}
	// Output:
	// 21
	// 41
}

// Functions among the globals are the capabilities of a program. Their errors reject
// the promise of the guest, objects are read back.
func ExampleOptions_globals() {
	stock := map[string]int{"lamp": 3}
	res, err := quicksand.Run(context.Background(), `
		report.lamps = await shop.stock("lamp");
		try {
			await shop.stock("sofa");
		} catch (e) {
			report.problem = e.message;
		}
	`, quicksand.Options{Globals: map[string]any{
		"report": map[string]any{},
		"shop": map[string]any{
			"stock": func(ctx context.Context, name string) (int, error) {
				n, ok := stock[name]
				if !ok {
					return 0, fmt.Errorf("there is no %s", name)
				}
				return n, nil
			},
		},
	}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Globals["report"])
	// Output: {"lamps":3,"problem":"there is no sofa"}
}

// A Func gets its arguments as they are, whatever their number and type.
func ExampleFunc() {
	join := quicksand.Func(func(ctx context.Context, args []quicksand.Value) (any, error) {
		var kinds []string
		for _, a := range args {
			kinds = append(kinds, fmt.Sprint(a.Kind(), "=", a))
		}
		return strings.Join(kinds, " "), nil
	})
	res, err := quicksand.Run(context.Background(), `return describe(1, "x", [true], 10n)`,
		quicksand.Options{Globals: map[string]any{"describe": join}})
	if err != nil {
		log.Fatal(err)
	}
	s, _ := res.Value.Str()
	fmt.Println(s)
	// Output:
	// number=1 string=x array=[true] bigint=10n
}

// Static imports find what the run declares, and nothing else.
func ExampleModule() {
	modules := map[string]quicksand.Module{
		"@acme/prices": {
			Code:  `import { vat } from "./vat.js"; export const gross = (net) => net * (1 + vat);`,
			Files: map[string]string{"vat.js": "export const vat = 0.25;"},
		},
	}
	code := `import { gross } from "@acme/prices"; return gross(100)`
	res, err := quicksand.Run(context.Background(), code, quicksand.Options{Modules: modules})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Value)

	_, err = quicksand.Run(context.Background(), `import fs from "fs"`, quicksand.Options{Modules: modules})
	fmt.Println(err)
	fmt.Println(errors.Is(err, quicksand.ErrDenied))
	// Output:
	// 125
	// run: TypeError: cannot import "fs": it is not a sandbox package this run serves (it serves @acme/prices) (main.js:1:16)
	// true
}

// The error of a run says what stopped it, and where.
func ExampleError() {
	_, err := quicksand.Run(context.Background(), "const limit = 100;\nthrow new RangeError(`more than ${limit}`);", quicksand.Options{Name: "rule.js"})
	var e *quicksand.Error
	if errors.As(err, &e) {
		fmt.Println(e.Kind, "in", e.Position.Source, "line", e.Position.Line)
		fmt.Println(e.Text())
	}
	// Output:
	// guest in rule.js line 2
	// RangeError: more than 100
}

// Each limit has an error of its own, which errors.Is tells apart.
func ExampleLimits() {
	for _, code := range []string{
		"for (;;);",
		"const list = []; for (;;) list.push({});",
		"const f = () => 1 + f(); f();",
	} {
		_, err := quicksand.Run(context.Background(), code, quicksand.Options{
			Limits: quicksand.Limits{Timeout: 2 * time.Second, Memory: 8 << 20},
		})
		switch {
		case errors.Is(err, quicksand.ErrTimeout):
			fmt.Println("too slow:", err)
		case errors.Is(err, quicksand.ErrMemory):
			fmt.Println("too large:", err)
		case errors.Is(err, quicksand.ErrStack):
			fmt.Println("too deep")
		}
	}
	// Output:
	// too slow: run: ExecutionTimeout: the program exceeded the maximum allowed time limit of 2s
	// too large: run: MemoryLimit: out of memory: the program reached its limit of 8388608 bytes
	// too deep
}

// Console lines, progress and emitted values reach the host while the program runs.
func ExampleOptions_streaming() {
	_, err := quicksand.Run(context.Background(), `
		console.warn("starting");
		for (const n of [1, 2]) await emit("row", { n });
	`, quicksand.Options{
		OnLog: func(level, message string) { fmt.Printf("%s: %s\n", level, message) },
		OnEmit: func(ctx context.Context, name string, v quicksand.Value) error {
			fmt.Println(name, v)
			return nil // an error would reject the emit of the guest
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// warn: starting
	// row {"n":1}
	// row {"n":2}
}

func ExampleOptions_typeScript() {
	res, err := quicksand.Run(context.Background(), `
		interface Point { x: number; y: number }
		const length = ({ x, y }: Point): number => Math.hypot(x, y);
		return length({ x: 3, y: 4 });
	`, quicksand.Options{TypeScript: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Value)
	// Output: 5
}

// With a seed and a time a run gives the same result each time.
func ExampleOptions_reproducible() {
	o := quicksand.Options{Seed: 42, Now: time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)}
	var results []string
	for range 2 {
		res, err := quicksand.Run(context.Background(), "return [new Date().toISOString(), Math.random(), crypto.randomUUID()]", o)
		if err != nil {
			log.Fatal(err)
		}
		results = append(results, res.Value.String())
	}
	fmt.Println(results[0] == results[1], results[0][:28])
	// Output: true ["2026-01-31T12:00:00.000Z",
}

// A host function that waits for a person stops the clock meanwhile.
func ExampleSuspendClock() {
	answer := make(chan string, 1)
	ask := func(ctx context.Context, question string) (string, error) {
		resume := quicksand.SuspendClock(ctx)
		defer resume()
		time.AfterFunc(600*time.Millisecond, func() { answer <- "yes" }) // the person
		select {
		case a := <-answer:
			return a, nil
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	res, err := quicksand.Run(context.Background(), `return await ask("Send the mail?")`, quicksand.Options{
		Globals: map[string]any{"ask": ask},
		Limits:  quicksand.Limits{Timeout: 500 * time.Millisecond},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Value, res.Usage.Suspended >= 500*time.Millisecond)
	// Output: yes true
}

// A result can fill a Go variable, be walked, or become JSON.
func ExampleValue() {
	res, err := quicksand.Run(context.Background(), `return { name: "Ada", born: new Date(0), langs: new Set(["js", "go"]), id: 2n ** 64n }`, quicksand.Options{})
	if err != nil {
		log.Fatal(err)
	}
	var person struct {
		Name  string    `json:"name"`
		Born  time.Time `json:"born"`
		Langs []string  `json:"langs"`
	}
	if err := res.Value.Unmarshal(&person); err != nil {
		log.Fatal(err)
	}
	fmt.Println(person.Name, person.Born.UTC().Year(), person.Langs)
	for key, v := range res.Value.Fields() {
		fmt.Println(key, v.Kind())
	}
	text, err := res.Value.JSON()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(text))
	// Output:
	// Ada 1970 [js go]
	// name string
	// born date
	// langs set
	// id bigint
	// {"name":"Ada","born":"1970-01-01T00:00:00.000Z","langs":["js","go"],"id":"18446744073709551616"}
}
