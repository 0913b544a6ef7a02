package subtitle

import (
	"strconv"
	"strings"
)

// Write makes a file of cues, whose times are at least 0 and at most MaxTime: WebVTT with what
// f has of it, or SRT. Cues without an ID get the number of their place. Without cues the text
// is empty.
func Write(f *File) string {
	if len(f.Cues) == 0 {
		return ""
	}
	size := 16
	for i := range f.Cues {
		size += 48 + len(f.Cues[i].Text)
	}
	b := make([]byte, 0, size)
	if f.WebVTT {
		b = append(b, "WEBVTT"...)
		if f.Header != "" {
			b = append(b, ' ')
			b = append(b, tidy(f.Header)...)
		}
		b = append(b, "\n\n"...)
		b = blocks(b, "STYLE", f.Styles)
		b = blocks(b, "REGION", f.Regions)
	}
	for i := range f.Cues {
		c := &f.Cues[i]
		if i > 0 {
			b = append(b, '\n')
		}
		if id := tidy(strings.ReplaceAll(c.ID, "\n", " ")); f.WebVTT && id != "" && !reserved(id) {
			b = append(b, id...)
		} else {
			b = strconv.AppendInt(b, int64(i)+1, 10)
		}
		b = append(b, '\n')
		b = appendTime(b, c.Start, f.WebVTT)
		b = append(b, " --> "...)
		b = appendTime(b, c.End, f.WebVTT)
		if f.WebVTT && c.Settings != "" {
			b = append(b, ' ')
			b = append(b, tidy(strings.ReplaceAll(c.Settings, "\n", " "))...)
		}
		b = append(b, '\n')
		text := strings.ReplaceAll(strings.ReplaceAll(c.Text, "\r\n", "\n"), "\r", "\n")
		if f.WebVTT {
			text = arrow(text)
		}
		b = append(b, text...)
		b = append(b, '\n')
	}
	return string(b)
}

// reserved reports whether an id would begin a block.
func reserved(id string) bool {
	return isBlock(id, "NOTE") || isBlock(id, "STYLE") || isBlock(id, "REGION")
}

// blocks appends blocks of a kind.
func blocks(b []byte, kind string, list []string) []byte {
	for _, s := range list {
		b = append(b, kind...)
		b = append(b, '\n')
		b = append(b, tidy(s)...)
		b = append(b, "\n\n"...)
	}
	return b
}

// tidy keeps what stands in a block from ending it: lines without anything, and arrows.
func tidy(s string) string {
	var kept []string
	l := linesOf(s)
	for i := range l.n() {
		if !blank(l.at(i)) {
			kept = append(kept, l.at(i))
		}
	}
	return arrow(strings.Join(kept, "\n"))
}

// arrow escapes what may only stand between times (WebVTT, section 4.1).
func arrow(s string) string { return strings.ReplaceAll(s, "-->", "--&gt;") }

// MaxTime is the last time that Write writes: 999 999 hours, in milliseconds.
const MaxTime = 999_999 * 3600_000

func appendTime(b []byte, ms float64, webVTT bool) []byte {
	t := int64(ms + 0.5)
	comma := byte(',')
	if webVTT {
		comma = '.'
	}
	b = digits(b, t/3600_000, 2)
	b = digits(append(b, ':'), t/60_000%60, 2)
	b = digits(append(b, ':'), t/1000%60, 2)
	return digits(append(b, comma), t%1000, 3)
}

// digits appends n with at least width digits.
func digits(b []byte, n int64, width int) []byte {
	var buf [20]byte
	s := strconv.AppendInt(buf[:0], n, 10)
	for range width - len(s) {
		b = append(b, '0')
	}
	return append(b, s...)
}
