package subtitle

import (
	"context"
	"fmt"
	"strings"
	"unicode"
)

// A Cue is a text and when it is shown, in milliseconds. ID and Settings are what a WebVTT
// file has in front of its times and behind them; the indices of SRT files are no IDs.
type Cue struct {
	Start, End   float64
	Text         string
	ID, Settings string
}

// A File is what a file of subtitles holds.
type File struct {
	WebVTT bool
	// Header is what stands behind WEBVTT, in its line and those below.
	Header string
	// Styles, Regions and Notes are the contents of such blocks of WebVTT.
	Styles, Regions, Notes []string
	Cues                   []Cue
}

// Parse reads a file. Errors name the row, from 1. ctx is looked at now and then.
func Parse(ctx context.Context, text string) (*File, error) {
	p := parser{ctx: ctx, lines: linesOf(strings.TrimPrefix(text, "\ufeff"))}
	if err := p.file(); err != nil {
		return nil, err
	}
	return &p.f, nil
}

// lines are the lines of a text. A text of nothing but ends of lines has them in four bytes each.
type lines struct {
	s      string
	starts []int32 // where they begin, and as the last one where another would
}

// linesOf splits at LF, CR LF and CR.
func linesOf(s string) lines {
	if strings.Contains(s, "\r") {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	l := lines{s, make([]int32, 0, strings.Count(s, "\n")+2)}
	l.starts = append(l.starts, 0)
	for i := range len(s) {
		if s[i] == '\n' {
			l.starts = append(l.starts, int32(i)+1)
		}
	}
	l.starts = append(l.starts, int32(len(s))+1)
	return l
}

// n is how many lines there are.
func (l lines) n() int { return len(l.starts) - 1 }

func (l lines) at(i int) string { return l.span(i, i+1) }

// span is the lines from i up to j, without the last end.
func (l lines) span(i, j int) string {
	if i == j {
		return ""
	}
	return l.s[l.starts[i] : l.starts[j]-1]
}

type parser struct {
	ctx   context.Context
	lines lines
	i     int // of the next line
	f     File
}

// checkEvery is how many lines are read between two looks at the context.
const checkEvery = 4096

func (p *parser) file() error {
	p.skipBlank()
	if p.i < p.lines.n() && isBlock(p.lines.at(p.i), "WEBVTT") {
		p.f.WebVTT = true
		p.f.Header = p.block("WEBVTT")
	}
	for n := 0; ; n++ {
		if n%checkEvery == 0 {
			if err := p.ctx.Err(); err != nil {
				return err
			}
		}
		p.skipBlank()
		if p.i == p.lines.n() {
			return nil
		}
		line := p.lines.at(p.i)
		if p.f.WebVTT {
			if list, kind := p.list(line); list != nil {
				*list = append(*list, p.block(kind))
				continue
			}
		}
		if err := p.cue(line); err != nil {
			return err
		}
	}
}

func (p *parser) skipBlank() {
	for p.i < p.lines.n() && blank(p.lines.at(p.i)) {
		p.i++
	}
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }

// list is where the content of a block belongs that begins with the line; nil for a cue.
func (p *parser) list(line string) (list *[]string, kind string) {
	switch {
	case isBlock(line, "NOTE"):
		return &p.f.Notes, "NOTE"
	case isBlock(line, "STYLE"):
		return &p.f.Styles, "STYLE"
	case isBlock(line, "REGION"):
		return &p.f.Regions, "REGION"
	}
	return nil, ""
}

// isBlock reports whether a line begins a block of the kind: the word, alone or before a space.
func isBlock(line, kind string) bool {
	rest, ok := strings.CutPrefix(line, kind)
	return ok && (rest == "" || rest != strings.TrimLeftFunc(rest, unicode.IsSpace)) && !strings.Contains(line, "-->")
}

// block takes the lines of a block, up to an empty one or the times of a cue.
func (p *parser) block(kind string) string {
	first := strings.TrimSpace(strings.TrimPrefix(p.lines.at(p.i), kind))
	p.i++
	from := p.i
	for p.i < p.lines.n() && !blank(p.lines.at(p.i)) && !strings.Contains(p.lines.at(p.i), "-->") {
		p.i++
	}
	rest := p.lines.span(from, p.i)
	if first == "" {
		return rest
	}
	if rest == "" {
		return first
	}
	return first + "\n" + rest
}

// cue takes a cue that begins with line, which is the next one.
func (p *parser) cue(line string) error {
	cue, ok := times(line)
	if !ok {
		row := p.i + 1
		if !p.mayBeID(line) {
			return fmt.Errorf("row %d: expected the number of a cue or its times, like 00:00:01,000 --> 00:00:02,500, not %s", row, quote(line))
		}
		next := ""
		if p.i+1 < p.lines.n() {
			next = p.lines.at(p.i + 1)
		}
		if cue, ok = times(next); !ok {
			if !number(line) {
				return fmt.Errorf("row %d: expected the times of a cue, like 00:01.000 --> 00:02.500, or an id with its times below, not %s", row, quote(line))
			}
			return fmt.Errorf("row %d: expected the times of a cue, like 00:00:01,000 --> 00:00:02,500, not %s", row+1, quote(next))
		}
		if p.f.WebVTT {
			cue.ID = line
		}
		p.i++
	}
	p.i++
	from, end := p.i, p.i
	for p.i < p.lines.n() && !p.begins(p.i) {
		if blank(p.lines.at(p.i)) {
			// Empty lines belong to the text unless they end it.
			p.skipBlank()
			if p.i == p.lines.n() || p.begins(p.i) || p.beginsBlock() {
				break
			}
			continue
		}
		p.i++
		end = p.i
	}
	cue.Text = p.lines.span(from, end)
	p.f.Cues = append(p.f.Cues, cue)
	return nil
}

// begins reports whether a cue begins in line i: with its times, or with what may be its
// number or, behind an empty line, its id and times below.
func (p *parser) begins(i int) bool {
	line := p.lines.at(i)
	if _, ok := times(line); ok {
		return true
	}
	if !number(line) && (i == 0 || !blank(p.lines.at(i-1)) || !p.mayBeID(line)) || i+1 == p.lines.n() {
		return false
	}
	_, ok := times(p.lines.at(i + 1))
	return ok
}

func (p *parser) beginsBlock() bool {
	if !p.f.WebVTT {
		return false
	}
	list, _ := p.list(p.lines.at(p.i))
	return list != nil
}

// mayBeID reports whether a line can stand before the times of a cue.
func (p *parser) mayBeID(line string) bool {
	return number(line) || p.f.WebVTT && !blank(line) && !strings.Contains(line, "-->")
}

// number reports whether a line is digits.
func number(s string) bool {
	s = strings.TrimSpace(s)
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// times reads a line of times and settings.
func times(line string) (c Cue, ok bool) {
	from, rest, ok := strings.Cut(line, "-->")
	if !ok {
		return c, false
	}
	rest = strings.TrimLeft(rest, " \t")
	to, settings := rest, ""
	if i := strings.IndexAny(rest, " \t"); i >= 0 {
		to, settings = rest[:i], strings.TrimSpace(rest[i:])
	}
	var ok1, ok2 bool
	c.Start, ok1 = timestamp(strings.TrimSpace(from))
	c.End, ok2 = timestamp(to)
	c.Settings = settings
	return c, ok1 && ok2
}

// timestamp reads [hours:]minutes:seconds[,fraction], the fraction of up to nine digits behind
// a comma or a point, as milliseconds.
func timestamp(s string) (float64, bool) {
	var part [3]float64 // of 60
	n := 0
	for ; ; n++ {
		v, digits := 0.0, 0
		for digits < len(s) && s[digits] >= '0' && s[digits] <= '9' {
			v = v*10 + float64(s[digits]-'0')
			digits++
		}
		// Hours have up to nine digits, the others two.
		if digits == 0 || digits > 9 || n > 0 && digits > 2 || n == len(part) {
			return 0, false
		}
		part[n], s = v, s[digits:]
		if s == "" || s[0] != ':' {
			break
		}
		s = s[1:]
	}
	ms := 0.0
	if s != "" {
		if s[0] != ',' && s[0] != '.' || len(s) == 1 || len(s) > 10 {
			return 0, false
		}
		scale := 100.0
		for _, c := range []byte(s[1:]) {
			if c < '0' || c > '9' {
				return 0, false
			}
			ms += float64(c-'0') * scale
			scale /= 10
		}
		ms = float64(int(ms + 0.5))
	}
	switch {
	case n == 1 && part[0] < 100:
		return (part[0]*60+part[1])*1000 + ms, true
	case n == 2:
		return ((part[0]*60+part[1])*60+part[2])*1000 + ms, true
	}
	return 0, false
}

// quote shows a part of a line in an error.
func quote(s string) string {
	if r := []rune(s); len(r) > 40 {
		s = string(r[:40]) + "…"
	}
	return fmt.Sprintf("%q", s)
}
