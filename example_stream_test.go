package quicksand_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"quicksand"
	"quicksand/bridges/stream"
)

// The host ranges over what the program emits while it runs. Leaving the loop ends the run.
func ExampleSandbox_Iterate() {
	box, err := quicksand.New(quicksand.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer box.Close()

	it := box.Iterate(context.Background(), `
		for (const n of [1, 2, 3]) await emit("square", n * n);
		return "all sent";
	`, quicksand.Options{})
	for e, err := range it.All() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(e.Name, e.Value)
	}
	fmt.Println(it.Result().Value)

	endless := box.Iterate(context.Background(), `for (let n = 0; ; n++) await emit("n", n);`, quicksand.Options{})
	for e := range endless.All() {
		if n, _ := e.Value.Int(); n == 2 {
			break
		}
	}
	fmt.Println(endless.Err())
	// Output:
	// square 1
	// square 4
	// square 9
	// all sent
	// run: ExecutionCancelled: Execution cancelled
}

// A program reads a stream of JSON lines and emits what it makes of them.
func ExampleOptions_input() {
	orders := strings.NewReader(`{"item":"lamp","price":30}
{"item":"sofa","price":700}
{"item":"rug","price":90}
`)
	res, err := quicksand.Run(context.Background(), `
		let sum = 0;
		for await (const order of stream("orders")) {
			sum += order.price;
			if (sum > 500) break; // the rest is not read
		}
		return sum;
	`, quicksand.Options{Input: stream.Lines("orders", orders)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Value)
	// Output: 730
}

// Input can come from any iterator of the host, which advances when the guest asks.
func ExampleOptions_inputPairs() {
	events := func(yield func(string, any) bool) {
		defer fmt.Println("stopped")
		for i := 1; ; i++ {
			if !yield("tick", i) || !yield("tock", []int{i, i}) {
				return
			}
		}
	}
	res, err := quicksand.Run(context.Background(), `
		const seen = [];
		for await (const [name, value] of stream.any()) {
			seen.push(name, value);
			if (value === 2) break;
		}
		return seen;
	`, quicksand.Options{Input: stream.Pairs(events)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Value)
	// Output:
	// stopped
	// ["tick",1,"tock",[1,1],"tick",2]
}
