// Command rates serves exchange rates for examples/invoice-run.js, each answer a while after
// its request, as a service somewhere on the network does:
//
//	go run ./examples/rates -addr 127.0.0.1:8787
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net/http"
	"time"
)

// euros is what one unit of a currency is worth.
var euros = map[string]float64{"EUR": 1, "USD": 0.92, "JPY": 0.0061, "EGP": 0.019, "BRL": 0.17}

func main() {
	addr := flag.String("addr", "127.0.0.1:8787", "address to listen on")
	delay := flag.Duration("delay", 150*time.Millisecond, "time that an answer takes")
	flag.Parse()
	http.HandleFunc("GET /rate/{currency}", func(w http.ResponseWriter, r *http.Request) {
		rate, ok := euros[r.PathValue("currency")]
		if !ok {
			http.Error(w, "no such currency", http.StatusNotFound)
			return
		}
		time.Sleep(*delay)
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"currency": r.PathValue("currency"), "euros": rate})
	})
	fmt.Printf("http://%s\n", *addr)
	log.Fatal(http.ListenAndServe(*addr, nil))
}
