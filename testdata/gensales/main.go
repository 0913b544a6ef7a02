// Command gensales writes the order rows of testdata/sales.json, the data that the
// sales report example reads. It always writes the same bytes:
//
//	go run ./testdata/gensales > testdata/sales.json
package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"os"
	"time"
)

const orders = 6000

// A place is a country with the region it is reported under and its share of orders.
type place struct {
	country, region string
	weight          int
}

var places = []place{
	{"DE", "EMEA", 18}, {"FR", "EMEA", 12}, {"GB", "EMEA", 14}, {"ES", "EMEA", 7}, {"AE", "EMEA", 4},
	{"US", "Americas", 26}, {"CA", "Americas", 8}, {"BR", "Americas", 6}, {"MX", "Americas", 4},
	{"JP", "APAC", 10}, {"AU", "APAC", 6}, {"IN", "APAC", 9}, {"SG", "APAC", 3},
}

// A product has a list price in cents and the quantity that a usual order has at most.
type product struct {
	name        string
	cents       int
	maxQuantity int
	weight      int
}

var products = []product{
	{"Desk Lamp", 3490, 6, 14}, {"Office Chair", 18900, 4, 10}, {"Standing Desk", 54900, 2, 6},
	{"Monitor Arm", 8990, 5, 9}, {"USB-C Dock", 15950, 4, 12}, {"Keyboard", 7995, 8, 15},
	{"Mouse", 3995, 10, 18}, {"Webcam", 6450, 6, 11}, {"Headset", 9990, 6, 12},
	{"Notebook Pack", 1245, 40, 16}, {"Whiteboard", 12900, 3, 4}, {"Cable Kit", 1890, 25, 13},
}

var channels = []struct {
	name   string
	weight int
}{{"web", 55}, {"partner", 20}, {"store", 17}, {"phone", 8}}

// discounts are in percent; most orders have none.
var discounts = []struct{ percent, weight int }{{0, 62}, {5, 16}, {10, 12}, {15, 6}, {25, 4}}

// monthly is how busy the months are, January first, in percent of an average one.
var monthly = [12]int{82, 80, 92, 95, 98, 96, 85, 83, 104, 110, 142, 133}

// random is SplitMix64, which no release of Go can change.
type random uint64

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below is a number from 0 to n-1.
func (r *random) below(n int) int { return int(r.next() % uint64(n)) }

// pick chooses an index with the probability of its weight.
func (r *random) pick(n int, weight func(int) int) int {
	sum := 0
	for i := range n {
		sum += weight(i)
	}
	x := r.below(sum)
	for i := range n {
		if x -= weight(i); x < 0 {
			return i
		}
	}
	return n - 1
}

// write writes all rows in the order of their dates, one on each line.
func write(w io.Writer) error {
	out := bufio.NewWriter(w)
	r := random(20240229)
	day := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	const days = 366
	var weights [days]int
	total := 0
	for d := range days {
		t := day.AddDate(0, 0, d)
		weights[d] = monthly[t.Month()-1] * (100 + d/8) // growth over the year
		if wd := t.Weekday(); wd == time.Saturday || wd == time.Sunday {
			weights[d] /= 2
		}
		total += weights[d]
	}
	out.WriteString("[\n")
	n, seen := 0, 0
	for d := range days {
		seen += weights[d]
		date := day.AddDate(0, 0, d).Format("2006-01-02")
		for ; n < int(math.Round(orders*float64(seen)/float64(total))); n++ {
			pl := places[r.pick(len(places), func(i int) int { return places[i].weight })]
			pr := products[r.pick(len(products), func(i int) int { return products[i].weight })]
			ch := channels[r.pick(len(channels), func(i int) int { return channels[i].weight })]
			di := discounts[r.pick(len(discounts), func(i int) int { return discounts[i].weight })]
			// Small orders are more frequent than large ones.
			quantity := 1 + min(r.below(pr.maxQuantity), r.below(pr.maxQuantity))
			if di.percent >= 15 {
				quantity++
			}
			if r.below(500) == 0 {
				quantity *= 20 + r.below(30) // a company furnishes an office
			}
			// Prices differ by up to four percent between orders.
			cents := pr.cents * (980 + r.below(41)) / 1000
			sep := ",\n"
			if n == 0 {
				sep = ""
			}
			fmt.Fprintf(out, `%s{"id":"SO-%06d","date":"%s","region":"%s","country":"%s","product":"%s","quantity":%d,"unitPrice":%d.%02d,"discount":%s,"channel":"%s"}`,
				sep, 100000+n, date, pl.region, pl.country, pr.name, quantity, cents/100, cents%100, fraction(di.percent), ch.name)
		}
	}
	out.WriteString("\n]\n")
	return out.Flush()
}

// fraction is a percentage as the shortest JSON number.
func fraction(percent int) string {
	return fmt.Sprint(float64(percent) / 100)
}

func main() {
	if err := write(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "gensales:", err)
		os.Exit(1)
	}
}
