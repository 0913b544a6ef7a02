package text

import (
	"context"
	"fmt"
	"testing"

	"quicksand/canvas/geometry"
)

// lines are n strings of 20 characters.
func lines(n int) []string {
	words := []string{"alpha", "Beta", "gamma", "delta", "Epsilon", "zeta", "Eta", "theta", "iota", "kappa"}
	list := make([]string, n)
	for i := range list {
		s := fmt.Sprintf("%s %d %s %s", words[i%10], i*7919%1000, words[i/10%10], words[i/100%10])
		list[i] = (s + "....................")[:20]
	}
	return list
}

// BenchmarkThousandStrings shapes 1000 strings of 20 characters.
func BenchmarkThousandStrings(b *testing.B) {
	list := lines(1000)
	font, _ := ParseFont("16px sans-serif")
	run := func(b *testing.B, fonts *Fonts) {
		for _, s := range list {
			if _, err := fonts.Shape(context.Background(), font, Options{}, s); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("warm", func(b *testing.B) {
		fonts := NewFonts()
		run(b, fonts)
		b.ReportAllocs()
		for b.Loop() {
			run(b, fonts)
		}
	})
	b.Run("cold", func(b *testing.B) {
		fonts := NewFonts()
		run(b, fonts)
		b.ReportAllocs()
		for b.Loop() {
			b.StopTimer()
			*bundled()[0].caches = *newCaches()
			b.StartTimer()
			run(b, fonts)
		}
	})
	b.Run("measured", func(b *testing.B) {
		fonts := NewFonts()
		run(b, fonts)
		b.ReportAllocs()
		for b.Loop() {
			for _, s := range list {
				l, _ := fonts.Shape(context.Background(), font, Options{}, s)
				l.Metrics(AlignStart, BaselineAlphabetic)
			}
		}
	})
	b.Run("masks", func(b *testing.B) {
		fonts := NewFonts()
		run(b, fonts)
		b.ReportAllocs()
		for b.Loop() {
			for i, s := range list {
				l, _ := fonts.Shape(context.Background(), font, Options{}, s)
				m := geometry.Identity.Translate(float64(i)/10, 20)
				for j := range l.Glyphs {
					l.Glyphs[j].Mask(m, 0)
				}
			}
		}
	})
}

func BenchmarkParseFont(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		ParseFont(`italic bold 12px/1.5 "Helvetica Neue", Arial, sans-serif`)
	}
}

// BenchmarkMask takes a mask that is there already: by Mask, and from the cache behind it.
func BenchmarkMask(b *testing.B) {
	l, _ := NewFonts().Shape(context.Background(), DefaultFont, Options{}, "a")
	g := &l.Glyphs[0]
	g.Mask(geometry.Identity, 0)
	b.Run("front", func(b *testing.B) {
		for b.Loop() {
			g.Mask(geometry.Identity, 0)
		}
	})
	b.Run("cache", func(b *testing.B) {
		key := maskKey{g.Face, g.ID, float32(g.Size), float32(g.Size), 0, 0}
		for b.Loop() {
			g.Face.caches.masks.get(key)
		}
	})
}
