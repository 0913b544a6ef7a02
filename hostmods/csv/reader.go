package csv

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A dialect is how a text is to be read.
type dialect struct {
	delimiter string // "" while it is to be guessed
	newline   string
	quote     string
	comments  string // what lines begin with that are no rows; "" for none
	skipEmpty emptyRule
}

// emptyRule says which rows do not count.
type emptyRule uint8

const (
	keepEmpty emptyRule = iota
	skipEmpty           // lines without anything
	skipBlank           // lines whose fields are empty or white space, too
)

// A span is a field of a row: the text from start to end, in which quotes are doubled if
// escaped is true.
type span struct {
	start, end int32
	escaped    bool
}

// A reader reads the rows of a text. Every position of the text is looked at a bounded
// number of times, whatever the text is.
type reader struct {
	dialect
	text string
	// row is the row that next has read. It is good until the next.
	row []span
	// tooWide says that a row had more than maxFields.
	tooWide bool
	// flaw, where it is set, hears of quotes that are wrong, with the position of the field.
	flaw func(code, message string, at int)

	pos                    int
	nextDelim, nextNewline int // the first ones at or after pos; len(text) for none
	done                   bool
}

func newReader(text string, d dialect) *reader {
	r := &reader{dialect: d, text: text}
	r.done = text == ""
	r.seekDelim(0)
	r.seekNewline(0)
	return r
}

func (r *reader) seekDelim(from int) {
	if from > len(r.text) {
		from = len(r.text)
	}
	if i := strings.Index(r.text[from:], r.delimiter); i >= 0 {
		r.nextDelim = from + i
	} else {
		r.nextDelim = len(r.text)
	}
}

func (r *reader) seekNewline(from int) {
	if from > len(r.text) {
		from = len(r.text)
	}
	if i := strings.Index(r.text[from:], r.newline); i >= 0 {
		r.nextNewline = from + i
	} else {
		r.nextNewline = len(r.text)
	}
}

// moveTo goes to a position behind the current one.
func (r *reader) moveTo(pos int) {
	r.pos = pos
	if r.nextDelim < pos {
		r.seekDelim(pos)
	}
	if r.nextNewline < pos {
		r.seekNewline(pos)
	}
}

// next reads a row, or reports that there is none.
func (r *reader) next() bool {
	r.row = r.row[:0]
	for !r.done {
		if len(r.row) >= maxFields {
			r.tooWide, r.done = true, true
			return false
		}
		if strings.HasPrefix(r.text[r.pos:], r.quote) {
			if r.quoted() {
				return true
			}
			continue
		}
		if r.comments != "" && len(r.row) == 0 && strings.HasPrefix(r.text[r.pos:], r.comments) {
			if r.nextNewline == len(r.text) {
				r.done = true
				return false
			}
			r.moveTo(r.nextNewline + len(r.newline))
			continue
		}
		switch {
		case r.nextDelim < r.nextNewline:
			r.add(r.pos, r.nextDelim, false)
			r.pos = r.nextDelim + len(r.delimiter)
			r.seekDelim(r.pos)
		case r.nextNewline < len(r.text):
			r.add(r.pos, r.nextNewline, false)
			r.moveTo(r.nextNewline + len(r.newline))
			return true
		default:
			r.add(r.pos, len(r.text), false)
			r.done = true
			return true
		}
	}
	return false
}

func (r *reader) add(start, end int, escaped bool) {
	r.row = append(r.row, span{int32(start), int32(end), escaped})
}

// quoted reads a field that begins with a quote, and reports whether the row ends with it.
func (r *reader) quoted() (rowEnds bool) {
	text, q := r.text, len(r.quote)
	start := r.pos + q
	escaped := false
	for at := start; ; {
		i := strings.Index(text[at:], r.quote)
		if i < 0 {
			// The rest is the field, with its quotes as they are.
			r.complain("MissingQuotes", "Quoted field unterminated", start)
			r.add(start, len(text), false)
			r.done = true
			return true
		}
		closing := at + i
		after := closing + q
		if after == len(text) {
			r.add(start, closing, escaped)
			r.done = true
			return true
		}
		if strings.HasPrefix(text[after:], r.quote) {
			escaped = true
			at = after + q
			continue
		}
		if r.nextDelim < after {
			r.seekDelim(after)
		}
		if r.nextNewline < after {
			r.seekNewline(after)
		}
		// White space may stand between the quote and what ends the field.
		if d := r.nextDelim; d < len(text) && d < r.nextNewline && (d == after || blank(text[after:d])) {
			r.add(start, closing, escaped)
			r.moveTo(d + len(r.delimiter))
			return false
		}
		if n := r.nextNewline; n < len(text) && (n == after || n < r.nextDelim && blank(text[after:n])) {
			r.add(start, closing, escaped)
			r.moveTo(n + len(r.newline))
			return true
		}
		r.complain("InvalidQuotes", "Trailing quote on quoted field is malformed", start)
		at = after
	}
}

func (r *reader) complain(code, message string, at int) {
	if r.flaw != nil {
		r.flaw(code, message, at)
	}
}

// field is the text of a field.
func (r *reader) field(s span) string {
	text := r.text[s.start:s.end]
	if s.escaped {
		return strings.ReplaceAll(text, r.quote+r.quote, r.quote)
	}
	return text
}

// empty reports whether the row is one that does not count.
func (r *reader) empty() bool {
	switch r.skipEmpty {
	case skipEmpty:
		return len(r.row) == 1 && r.row[0].start == r.row[0].end
	case skipBlank:
		for _, s := range r.row {
			if !blank(r.text[s.start:s.end]) {
				return false
			}
		}
		return true
	}
	return false
}

// blank reports whether a text is white space, as ECMAScript's trim sees it.
func blank(s string) bool {
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if c != ' ' && (c < '\t' || c > '\r') {
				return false
			}
			i++
			continue
		}
		c, size := utf8.DecodeRuneInString(s[i:])
		if c != '\ufeff' && (c == '\u0085' || !unicode.IsSpace(c)) {
			return false
		}
		i += size
	}
	return true
}

// guessFrom is how much of a text is looked at for its line breaks.
const guessFrom = 1 << 20

// guessNewline finds the line break of a text: the first of its kinds, where CR and CR LF
// count as the one that is in the majority. What is in quotes does not count.
func guessNewline(text, quote string) string {
	if len(text) > guessFrom {
		text = text[:guessFrom]
	}
	returns, pairs := 0, 0
	last := byte(0) // the last byte outside of quotes
	for len(text) > 0 {
		plain := text
		text = ""
		if i := strings.Index(plain, quote); i >= 0 {
			inside := plain[i+len(quote):]
			if j := strings.Index(inside, quote); j >= 0 {
				plain, text = plain[:i], inside[j+len(quote):]
			}
		}
		for len(plain) > 0 {
			i := strings.IndexAny(plain, "\r\n")
			if i < 0 {
				last = plain[len(plain)-1]
				break
			}
			if i > 0 {
				last = plain[i-1]
			}
			switch {
			case plain[i] == '\r':
				returns++
			case last == '\r':
				pairs++
			case returns == 0:
				return "\n" // it is the first line break
			}
			last = plain[i]
			plain = plain[i+1:]
		}
	}
	switch {
	case returns == 0:
		return "\n"
	case 2*pairs >= returns+1:
		return "\r\n"
	}
	return "\r"
}

// guessed are the delimiters that are tried, the first before the others where they do as
// well.
var guessed = [...]string{",", "\t", "|", ";", "\x1e", "\x1f"}

// guessRows is how many rows are looked at for the delimiter.
const guessRows = 10

// guessDelimiter finds the delimiter with which the first rows have about the same number of
// fields, two or more. Without one it is "".
func guessDelimiter(text string, d dialect) string {
	best, bestDelta, bestMean := "", 0, 0.0
	for _, d.delimiter = range guessed {
		if d.delimiter == d.quote || d.delimiter == d.comments {
			continue
		}
		r := newReader(text, d)
		rows, counted, delta, fields, last := 0, 0, 0, 0, 0
		for rows < guessRows && r.next() {
			rows++
			if r.empty() {
				continue
			}
			n := len(r.row)
			fields += n
			if counted > 0 {
				delta += max(n-last, last-n)
			}
			counted++
			last = n
		}
		if counted == 0 {
			continue
		}
		if mean := float64(fields) / float64(counted); mean > 1.99 && (best == "" || delta < bestDelta || delta == bestDelta && mean > bestMean) {
			best, bestDelta, bestMean = d.delimiter, delta, mean
		}
	}
	return best
}
