package entry

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Measures of a code frame.
const (
	frameAround = 2   // lines before and after
	frameWidth  = 100 // columns of code
	frameBefore = 70  // of them before the marked column, at most
	frameTab    = 4
)

// Frame shows the part of a program around a position, for people to read:
//
//	  1 | const rows = inputs.rows;
//	> 2 | return rows.map(r => r.price * );
//	    |                                ^
//
// It shows up to two lines before and after. Lines are cut to a window around the
// column, tabs become spaces, and control characters are escaped. col counts UTF-16
// units from 1; with 0 there is no caret. A line that code does not have gives "".
// The result ends with a line feed.
func Frame(code string, line, col int) string {
	if line < 1 {
		return ""
	}
	code = strings.TrimPrefix(code, "\ufeff")
	lines := frameLines(code, line)
	if len(lines) == 0 || lines[len(lines)-1].number < line {
		return ""
	}
	width := len(strconv.Itoa(lines[len(lines)-1].number))
	var b strings.Builder
	// All lines are cut at the same column, so that indentation stays readable.
	marked := ""
	for _, l := range lines {
		if l.number == line {
			marked = l.text
		}
	}
	_, caret := renderLine(marked, col)
	from := 0
	if caret > frameBefore {
		from = caret - frameBefore
	}
	for _, l := range lines {
		cells, _ := renderLine(l.text, 0)
		mark := " "
		if l.number == line {
			mark = ">"
		}
		text := strings.TrimRight(window(cells, from), " ")
		b.WriteString(strings.TrimRight(fmt.Sprintf("%s %*d | %s", mark, width, l.number, text), " "))
		b.WriteByte('\n')
		if l.number == line && col > 0 {
			fmt.Fprintf(&b, "  %*s | %s^\n", width, "", strings.Repeat(" ", caret-from))
		}
	}
	return b.String()
}

type numbered struct {
	number int
	text   string
}

// frameLines returns the lines around a line. The empty one behind a last line feed
// counts only when it is that line.
func frameLines(code string, line int) []numbered {
	first, last := line-frameAround, line+frameAround
	var out []numbered
	number, start := 1, 0
	for i := 0; i <= len(code) && number <= last; {
		n := 0
		switch {
		case i == len(code):
			n = 1
		case code[i] == '\n':
			n = 1
		case code[i] == '\r':
			n = 1
			if i+1 < len(code) && code[i+1] == '\n' {
				n = 2
			}
		case separatorAt(code, i):
			n = 3
		}
		if n == 0 {
			i++
			continue
		}
		if number >= first && (i < len(code) || start < len(code) || number == line) {
			out = append(out, numbered{number, code[start:i]})
		}
		number++
		i += n
		start = i
	}
	return out
}

// renderLine returns the line's cells, one string per printed column, up to one window
// behind the UTF-16 column col, and the cell of that column. With col 0 it renders as
// much as one window may need from the start.
func renderLine(text string, col int) (cells []string, at int) {
	unit := 1
	at = -1
	for _, r := range text {
		if at < 0 && unit >= col && col > 0 {
			at = len(cells)
		}
		if len(cells) > maxCells {
			break
		}
		unit++
		if r >= 0x10000 {
			unit++
		}
		switch {
		case r == '\t':
			for n := frameTab - len(cells)%frameTab; n > 0; n-- {
				cells = append(cells, " ")
			}
		case r == utf8.RuneError:
			cells = append(cells, "\ufffd")
		case r == ' ' || unicode.IsPrint(r):
			cells = append(cells, string(r))
		case r < 0x100:
			for _, c := range fmt.Sprintf("\\x%02x", r) {
				cells = append(cells, string(c))
			}
		default:
			for _, c := range fmt.Sprintf("\\u{%x}", r) {
				cells = append(cells, string(c))
			}
		}
	}
	if at < 0 {
		at = len(cells)
	}
	return cells, at
}

// maxCells bounds the part of a line that is rendered. Errors further to the right
// are shown at the end of it.
const maxCells = 1 << 20

// window cuts cells to frameWidth from the cell from on, and marks the cuts.
func window(cells []string, from int) string {
	if from >= len(cells) {
		if from > 0 && len(cells) > 0 {
			return "…"
		}
		return ""
	}
	end := min(from+frameWidth, len(cells))
	part := append([]string(nil), cells[from:end]...)
	if from > 0 {
		part[0] = "…"
	}
	if end < len(cells) {
		part[len(part)-1] = "…"
	}
	return strings.Join(part, "")
}
