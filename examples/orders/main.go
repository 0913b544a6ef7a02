// Command orders writes what report.js reads, always the same bytes: orders.zip with the
// orders of a year, a CSV for each quarter and branch, and settings in YAML.
//
//	go run ./examples/orders /tmp/report
package main

import (
	"archive/zip"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

const settings = `# What the report is about.
title: Orders of 2026
currency: EUR
targets: { north: 250000, south: 240000, west: 260000 }
branches:
  - { name: north, city: Hamburg, latitude: 53.55 }
  - { name: south, city: Munich, latitude: 48.14 }
  - { name: west, city: Cologne, latitude: 50.94 }
warehouse: 51.31
`

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: orders DIR")
	}
	if err := write(os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func write(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(dir, "orders.zip"))
	if err != nil {
		return err
	}
	defer f.Close()
	w := zip.NewWriter(f)
	add := func(name, text string) error {
		e, err := w.Create(name)
		if err == nil {
			_, err = e.Write([]byte(text))
		}
		return err
	}
	if err := add("settings.yaml", settings); err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(2026, 7))
	products := []struct {
		name  string
		price float64
	}{{"desk, oak", 420}, {"chair \"Ada\"", 129.5}, {"lamp", 39.9}, {"shelf", 88}}
	id := 1000
	for quarter := 1; quarter <= 4; quarter++ {
		for _, branch := range []string{"north", "south", "west"} {
			var b strings.Builder
			b.WriteString("order;date;product;quantity;price\n")
			for range 60 {
				id++
				p := products[r.IntN(len(products))]
				fmt.Fprintf(&b, "%d;2026-%02d-%02d;%s;%d;%.2f\n", id, 3*quarter-2+r.IntN(3), 1+r.IntN(28), quoted(p.name), 2*(1+r.IntN(5)), p.price)
			}
			if err := add(fmt.Sprintf("%s/q%d.csv", branch, quarter), b.String()); err != nil {
				return err
			}
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return f.Close()
}

func quoted(s string) string {
	if !strings.ContainsAny(s, "\",;") {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}
