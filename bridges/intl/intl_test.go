package intl_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"quicksand"
	"quicksand/bridges"
	"quicksand/bridges/intl"
)

func onEngines(t *testing.T, f func(t *testing.T, box *quicksand.Sandbox)) {
	for _, e := range quicksand.Engines() {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			box, err := quicksand.New(quicksand.Config{Engine: e.Name, Logger: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { box.Close() })
			f(t, box)
		})
	}
}

func TestDefaultsOfTheHostApplyWhereTheGuestNamesNone(t *testing.T) {
	t.Parallel()
	const code = `const d = new Intl.DateTimeFormat();
return [d.resolvedOptions().locale, d.resolvedOptions().timeZone, (1234.5).toLocaleString(), await format.date(0, { dateStyle: "long", timeStyle: "short" }),
	new Intl.NumberFormat("en").format(1234.5), new Intl.DateTimeFormat("en", { timeZone: "UTC", hour: "numeric", hour12: false }).format(0), new Intl.NumberFormat("xx").resolvedOptions().locale]`
	onEngines(t, func(t *testing.T, box *quicksand.Sandbox) {
		for _, c := range []struct {
			name  string
			grant any
			want  string
		}{
			{"without a grant they are en-US and UTC", nil, `["en-US","UTC","1,234.5","January 1, 1970 at 12:00 AM","1,234.5","00","en-US"]`},
			{"a value", intl.Defaults{Locale: "de", TimeZone: "Asia/Tokyo"}, `["de","Asia/Tokyo","1.234,5","1. Januar 1970 um 09:00","1,234.5","00","de"]`},
			{"a pointer with a locale alone", &intl.Defaults{Locale: "fr"}, `["fr","UTC","1 234,5","1 janvier 1970 à 00:00","1,234.5","00","fr"]`},
		} {
			t.Run(c.name, func(t *testing.T) {
				o := quicksand.Options{}
				if c.grant != nil {
					o.Grants = []bridges.Grant{{Bridge: intl.Bridge, Value: c.grant}}
				}
				res, err := box.Run(context.Background(), code, o)
				if err != nil {
					t.Fatal(err)
				}
				got, err := res.Value.JSON()
				if err != nil {
					t.Fatal(err)
				}
				if s := strings.ReplaceAll(string(got), "\u202f", " "); s != c.want {
					t.Errorf("got %s, want %s", s, c.want)
				}
			})
		}
	})
}

func TestTheTimeIsThatOfTheRun(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, box *quicksand.Sandbox) {
		o := quicksand.Options{Now: time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)}
		res, err := box.Run(context.Background(), `return new Intl.DateTimeFormat("en").format() + new Intl.DateTimeFormat("en").formatToParts()[0].value + new Date().toLocaleDateString("de")`, o)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(res.Value.Any()); got != "2/3/200123.2.2001" {
			t.Errorf("got %s", got)
		}
	})
}

func TestDefaultsThatThereAreNoDataForAreRefused(t *testing.T) {
	t.Parallel()
	box, err := quicksand.New(quicksand.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { box.Close() })
	for grant, want := range map[any]string{
		intl.Defaults{Locale: "e_"}:             "Incorrect locale information provided: e_",
		intl.Defaults{Locale: "xx"}:             `no data for the locale "xx"`,
		intl.Defaults{TimeZone: "Mars/Olympus"}: "Invalid time zone specified: Mars/Olympus",
		"de":                                    "the grant is a string",
	} {
		_, err := box.Run(context.Background(), "1", quicksand.Options{Grants: []bridges.Grant{{Bridge: intl.Bridge, Value: grant}}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v gives %v, want %s", grant, err, want)
		}
	}
}

// Large and odd arguments end in an error of the guest's or a short answer.
func TestHostileArguments(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, box *quicksand.Sandbox) {
		for _, c := range []struct{ name, code, want string }{
			{"a bigint of more digits than there may be", `return (10n ** 30000n).toLocaleString()`, "RangeError: Intl: a number of more than 20000 digits (IntlDigits)"},
			{"as many digits as there may be", `return (10n ** 19999n).toLocaleString("en").length`, "26666"},
			{"an exponent beyond all reason", `return new Intl.NumberFormat("en").format("1e999999999")`, "∞"},
			{"a long option is quoted in part", `return new Intl.NumberFormat("en", { style: "x".repeat(1e6) })`, "RangeError: Value " + strings.Repeat("x", 80) + "… out of range for Intl.NumberFormat options property style"},
			{"a long tag", `return new Intl.NumberFormat("en-" + "x".repeat(1e6)).format(1)`, "RangeError: Incorrect locale information provided: en-" + strings.Repeat("x", 97) + "…"},
			{"many tags", `return new Intl.NumberFormat(Array(1001).fill("en")).format(1)`, "RangeError: Intl: more than 1000 locales (IntlLocales)"},
			{"an endless array of tags", `return new Intl.NumberFormat({ length: 2 ** 53 }).format(1)`, "RangeError: Intl: more than 1000 locales (IntlLocales)"},
			{"separators in an option", `return new Intl.NumberFormat("en", { unit: "a\x1fb" }).format(1)`, "RangeError: Invalid unit argument for Intl.NumberFormat() 'a?b'"},
			{"separators in a tag", `return new Intl.NumberFormat("en\x1f\x1fpercent").format(1)`, "RangeError: Incorrect locale information provided: en\x1f\x1fpercent"},
			{"a comma in a tag", `return new Intl.NumberFormat("en,de").format(1)`, "RangeError: Incorrect locale information provided: en,de"},
			{"an empty tag", `return new Intl.NumberFormat("").format(1)`, "RangeError: Incorrect locale information provided: "},
			{"a long list", `return new Intl.ListFormat("en").format(Array(100001).fill("a"))`, "RangeError: Intl: a list of more than 100000 items (IntlItems)"},
			{"a lone surrogate", `return (await format.list(["\ud800", "b"])).length`, "7"},
			{"options that change while they are read", `let n = 0; const o = { get style() { o.currency = "EUR"; return "currency"; } }; return new Intl.NumberFormat("en", o).format(1)`, "€1.00"},
			{"a getter that throws", `return new Intl.NumberFormat("en", { get style() { throw new EvalError("mine"); } })`, "EvalError: mine"},
			{"a list that cancels itself", `return new Intl.ListFormat("en").format({ *[Symbol.iterator]() { yield "a"; throw new EvalError("mine"); } })`, "EvalError: mine"},
			{"formatting while options are read", `return new Intl.NumberFormat("en", { get style() { return (1).toLocaleString("de") === "1" ? "percent" : "decimal"; } }).format(1)`, "100%"},
		} {
			t.Run(c.name, func(t *testing.T) {
				res, err := box.Run(context.Background(), "try { return await (async () => {"+c.code+"})(); } catch (e) { return e.name + \": \" + e.message; }", quicksand.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if got := fmt.Sprint(res.Value.Any()); got != c.want {
					t.Errorf("got %.300q, want %q", got, c.want)
				}
			})
		}
	})
}

// Runs share the formatters of the process; more of them than are kept come and go.
func TestFormattersAreSharedByRunsAtTheSameTime(t *testing.T) {
	t.Parallel()
	box, err := quicksand.New(quicksand.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { box.Close() })
	const code = `const old = new Intl.NumberFormat("de", { minimumFractionDigits: 1 });
for (let i = 0; i < 600; i++) if (new Intl.NumberFormat("en-x-" + inputs.id + "-" + i, { minimumFractionDigits: i % 7 }).format(1) !== (1).toFixed(i % 7)) return "wrong at " + i;
return old.format(1.5)`
	var wg sync.WaitGroup
	for id := range 4 {
		wg.Go(func() {
			res, err := box.Run(context.Background(), code, quicksand.Options{Inputs: map[string]any{"id": id}})
			if err != nil {
				t.Error(err)
				return
			}
			if got := fmt.Sprint(res.Value.Any()); got != "1,5" {
				t.Errorf("run %d gives %s", id, got)
			}
		})
	}
	wg.Wait()
}

func BenchmarkGuest(b *testing.B) {
	for _, e := range quicksand.Engines() {
		box, err := quicksand.New(quicksand.Config{Engine: e.Name})
		if err != nil {
			b.Fatal(err)
		}
		defer box.Close()
		for _, c := range []struct{ name, setup, call string }{
			{"nothing", "", ""},
			{"format", `const f = new Intl.NumberFormat("de", { style: "currency", currency: "EUR" });`, "f.format(1234.5)"},
			{"toLocaleString", "", `(1234.5).toLocaleString("de")`},
			{"awaited", "", `await format.number(1234.5, { locale: "de" })`},
			{"date", `const f = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });`, "f.format(0)"},
		} {
			b.Run(e.Name+"/"+c.name, func(b *testing.B) {
				code := c.setup + "for (let i = 0; i < inputs.n; i++) " + c.call + ";"
				if _, err := box.Run(context.Background(), code, quicksand.Options{Inputs: map[string]any{"n": b.N}}); err != nil {
					b.Fatal(err)
				}
			})
		}
		b.Run(e.Name+"/first", func(b *testing.B) {
			for b.Loop() {
				if _, err := box.Run(context.Background(), `return (1234.5).toLocaleString("de")`, quicksand.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(e.Name+"/untouched", func(b *testing.B) {
			for b.Loop() {
				if _, err := box.Run(context.Background(), `return 1`, quicksand.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
