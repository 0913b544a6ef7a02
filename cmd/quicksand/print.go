package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"quicksand"
)

// A console writes what a run reports on standard error. Its methods may be called
// from several goroutines.
type console struct {
	mu       sync.Mutex
	w        io.Writer
	terminal bool
	bar      string // the progress line that is on the terminal
	lines    int    // console lines written
}

func newConsole(w io.Writer) *console { return &console{w: w, terminal: isTerminal(w)} }

// isTerminal reports whether a person reads what is written to w.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// visible escapes what could move the cursor, change the terminal, or reorder text:
// control characters but for line feed and tab, and bidirectional formatting. What a
// program writes must not be able to imitate the terminal's or our own output.
func visible(s string) string {
	harmless := func(r rune, size int) bool {
		switch {
		case r == '\n' || r == '\t':
			return true
		case r == utf8.RuneError && size == 1:
			return false
		}
		return !unicode.IsControl(r) && !unicode.Is(unicode.Bidi_Control, r) && r != '\u2028' && r != '\u2029'
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case harmless(r, size):
			b.WriteString(s[i : i+size])
		case r < 0x80 || size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		i += size
	}
	return b.String()
}

// print writes lines of text above the progress line.
func (c *console) print(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.bar != "" {
		text = eraseLine + text + "\n" + c.bar
	} else {
		text += "\n"
	}
	io.WriteString(c.w, text)
}

const eraseLine = "\r\x1b[K"

// log writes a console line of the program.
func (c *console) log(level, message string) {
	c.lines++
	c.print(visible(quicksand.Log{Level: level, Message: message}.String()))
}

// rest writes the console lines that were not forwarded while the program ran.
func (c *console) rest(logs []quicksand.Log) {
	if c.lines < len(logs) {
		for _, l := range logs[c.lines:] {
			c.log(l.Level, l.Message)
		}
	}
}

// progress shows a report: in place on a terminal, else as a line.
func (c *console) progress(percent float64, message string) {
	// A line feed would leave the line that the next report replaces.
	line := strings.TrimSpace(fmt.Sprintf("%3.0f%% %s", percent, visible(strings.Join(strings.Fields(message), " "))))
	if !c.terminal {
		c.print("progress " + line)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	// A longer line would wrap, and only its last row would be replaced.
	if r := []rune(line); len(r) > 70 {
		line = string(r[:69]) + "…"
	}
	c.bar = line
	io.WriteString(c.w, eraseLine+line)
}

// finish takes the progress line away.
func (c *console) finish() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.bar != "" {
		io.WriteString(c.w, eraseLine)
		c.bar = ""
	}
}

// value writes an emitted value or an output on one line.
func (c *console) value(what, name string, v quicksand.Value) error {
	b, err := v.JSON()
	if err != nil {
		return err
	}
	c.print(visible(fmt.Sprintf("%s %s: %s", what, name, b)))
	return nil
}

func (c *console) truncations(cuts map[string]*quicksand.Truncation) {
	for _, what := range sortedNames(cuts) {
		t := cuts[what]
		c.print(visible(fmt.Sprintf("quicksand: warning: %s was cut from %d to %d characters (first at %s)", what, t.Size, t.Kept, strings.Join(t.Paths, ", "))))
	}
}

// failure describes the error of a run: what happened and where, the code around it,
// and the stack.
func (c *console) failure(err error) {
	var e *quicksand.Error
	if !errors.As(err, &e) {
		c.print(visible("quicksand: " + err.Error()))
		return
	}
	var b strings.Builder
	message := e.Message // the kind says what the name would
	if e.Kind == quicksand.KindGuest || message == "" {
		message = e.Text()
	}
	fmt.Fprintf(&b, "quicksand: %s: %s", e.Kind, message)
	if e.Cause != "" {
		fmt.Fprintf(&b, "\n  cause: %s", e.Cause)
	}
	if p := e.Position; p.Line > 0 {
		fmt.Fprintf(&b, "\n  at %s:%d", p.Source, p.Line)
		if p.Column > 0 {
			fmt.Fprintf(&b, ":%d", p.Column)
		}
	}
	if e.Frame != "" {
		fmt.Fprintf(&b, "\n\n%s", strings.TrimRight(e.Frame, "\n"))
	}
	// A stack of one line says no more than the position.
	if stack := strings.TrimRight(e.Stack, "\n"); strings.Contains(stack, "\n") || stack != "" && e.Position.Line == 0 {
		fmt.Fprintf(&b, "\n\n%s", stack)
	}
	c.print(visible(b.String()))
}

// printResult writes the result of a run.
func printResult(w io.Writer, v quicksand.Value, raw bool) error {
	if s, ok := v.Str(); raw && ok {
		return write(w, s)
	}
	b, err := v.JSONIndent("", "  ")
	if err != nil {
		return fmt.Errorf("the result cannot be printed as JSON: %w", err)
	}
	return write(w, string(b))
}

// write writes a text that may come from the program and a line feed.
func write(w io.Writer, text string) error {
	if isTerminal(w) {
		text = visible(text)
	}
	if _, err := io.WriteString(w, text+"\n"); err != nil {
		return fmt.Errorf("the result cannot be written: %w", err)
	}
	return nil
}

// A report is what --json prints. Its fields are in the order of the output.
type report struct {
	OK      bool                       `json:"ok"`
	Result  json.RawMessage            `json:"result"`
	Outputs map[string]json.RawMessage `json:"outputs"`
	Emitted []emitted                  `json:"emitted"`
	Logs    []string                   `json:"logs"`
	Error   *failure                   `json:"error"`
	Usage   quicksand.Usage            `json:"usage"`
}

type emitted struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`
}

type failure struct {
	Kind    quicksand.Kind `json:"kind"`
	Name    string         `json:"name"`
	Message string         `json:"message"`
	Stack   string         `json:"stack"`
	Line    int            `json:"line"`
	Column  int            `json:"column"`
}

// printReport writes all of a run as one object.
func printReport(w io.Writer, res *quicksand.Result, err error) error {
	r := report{OK: err == nil, Outputs: map[string]json.RawMessage{}, Emitted: []emitted{}, Logs: []string{}, Usage: res.Usage}
	var first error
	text := func(what string, v quicksand.Value) json.RawMessage {
		b, err := v.JSON()
		if err != nil && first == nil {
			first = fmt.Errorf("%s cannot be printed as JSON: %w", what, err)
		}
		return b
	}
	r.Result = text("the result", res.Value)
	for name, v := range res.Outputs {
		r.Outputs[name] = text("output "+name, v)
	}
	for _, e := range res.Emitted {
		r.Emitted = append(r.Emitted, emitted{e.Name, text("emit "+e.Name, e.Value)})
	}
	for _, l := range res.Logs {
		r.Logs = append(r.Logs, l.String())
	}
	if err != nil {
		r.Error = &failure{Message: err.Error()}
		var e *quicksand.Error
		if errors.As(err, &e) {
			message := e.Message
			if message == "" {
				message = e.Text()
			}
			r.Error = &failure{e.Kind, e.Name, message, e.Stack, e.Position.Line, e.Position.Column}
		}
	}
	if first != nil {
		return first
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(r); err != nil {
		return fmt.Errorf("the run cannot be printed as JSON: %w", err)
	}
	return write(w, strings.TrimSuffix(b.String(), "\n"))
}

func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
