package entry

import (
	"strconv"
	"strings"
)

// StackLines is how many lines CleanStack keeps unless told otherwise.
const StackLines = 5

// Limits on the stacks that are looked at: their text is the guest's.
const (
	maxStackText = 64 << 10
	maxFrameText = 400
)

// Location is a frame of a stack: a function in a module at a position. Function is
// empty when the engine names none.
type Location struct {
	Function     string
	Module       string
	Line, Column int
}

// parseFrame reads a line of a stack as the engines write it:
//
//	at f (main.js:2:1)
//	at <anonymous> (main.js:3)
//	at main.js:3:11
//	at map (native)
//
// ok is false when the line is no frame.
func parseFrame(line string) (l Location, ok bool) {
	text := strings.TrimSpace(line)
	text, ok = strings.CutPrefix(text, "at ")
	if !ok {
		return l, false
	}
	where := text
	if strings.HasSuffix(text, ")") {
		if i := strings.LastIndex(text, " ("); i >= 0 {
			l.Function, where = text[:i], text[i+2:len(text)-1]
		}
	}
	l.Module = where
	var nums []int
	for len(nums) < 2 {
		i := strings.LastIndexByte(l.Module, ':')
		if i < 0 {
			break
		}
		n, err := strconv.Atoi(l.Module[i+1:])
		if err != nil {
			break
		}
		nums = append(nums, n)
		l.Module = l.Module[:i]
	}
	switch len(nums) {
	case 1:
		l.Line = nums[0]
	case 2:
		l.Line, l.Column = nums[1], nums[0]
	}
	return l, true
}

// CleanStack keeps of an engine's stack what tells a user something: frames in the
// module name, which is the program's, and in the modules more, before any others. It
// drops frames of native functions, of the generated wrapper (they have no line, or
// one before the first), of the host's own scripts, and everything that is no frame.
// At most StackLines frames remain, in their order; frames of the user's modules take
// precedence over others. The result has one frame per line, without a line feed at
// the end.
func CleanStack(stack, name string, more ...string) string {
	return cleanStack(stack, StackLines, nil, name, more)
}

// CleanStack is the function CleanStack for a stack of this program. It knows also
// the wrapper's frames behind the program, and translates positions in text that was
// generated from TypeScript.
func (e *Entry) CleanStack(stack, name string, more ...string) string {
	return cleanStack(stack, StackLines, e, name, more)
}

func cleanStack(stack string, limit int, e *Entry, name string, more []string) string {
	if len(stack) > maxStackText {
		stack = stack[:maxStackText]
	}
	type kept struct {
		text string
		user bool
	}
	var lines []kept
	users := 0
	for line := range strings.Lines(stack) {
		l, ok := parseFrame(line)
		if !ok || len(line) > maxFrameText || !visibleFrame(l) {
			continue
		}
		program := l.Module == name
		user := program
		for _, m := range more {
			user = user || l.Module == m
		}
		if program && l.Line < 1 {
			continue
		}
		text := "    " + strings.ToValidUTF8(strings.TrimSpace(line), "\ufffd")
		if program && e != nil {
			if l.Line, l.Column = e.userPosition(l); l.Line < 1 {
				continue
			}
			text = "    " + l.String()
		}
		if user {
			users++
		}
		lines = append(lines, kept{text, user})
	}
	others := max(limit-users, 0)
	var b strings.Builder
	n := 0
	for _, l := range lines {
		if !l.user {
			if others == 0 {
				continue
			}
			others--
		}
		if n == limit {
			break
		}
		if n > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(l.text)
		n++
	}
	return b.String()
}

// visibleFrame reports whether a frame is in a module that a user may know.
func visibleFrame(l Location) bool {
	switch {
	case l.Module == "" || l.Module == "native" || l.Module == "<null>" || l.Module == "missing":
		return false
	case l.Line < 1:
		return false
	case strings.HasPrefix(l.Module, "<"), strings.HasPrefix(l.Module, "node:"), strings.Contains(l.Module, "node_modules"):
		return false
	}
	return true
}

// String writes the frame as the engines do.
func (l Location) String() string {
	where := l.Module + ":" + strconv.Itoa(l.Line)
	if l.Column > 0 {
		where += ":" + strconv.Itoa(l.Column)
	}
	if l.Function == "" {
		return "at " + where
	}
	return "at " + l.Function + " (" + where + ")"
}

// Position is the first position in a stack that lies in the module name. It is
// 0, 0 when there is none.
func Position(stack, name string) (line, col int) {
	if len(stack) > maxStackText {
		stack = stack[:maxStackText]
	}
	for text := range strings.Lines(stack) {
		if l, ok := parseFrame(text); ok && l.Module == name && l.Line > 0 {
			return l.Line, l.Column
		}
	}
	return 0, 0
}

// StackPosition is Position translated into the program. It is 0, 0 when the stack
// has no frame there.
func (e *Entry) StackPosition(stack, name string) (line, col int) {
	if len(stack) > maxStackText {
		stack = stack[:maxStackText]
	}
	for text := range strings.Lines(stack) {
		if l, ok := parseFrame(text); ok && l.Module == name {
			if line, col = e.userPosition(l); line > 0 {
				return line, col
			}
		}
	}
	return 0, 0
}

// userPosition is where a frame of the program's module lies in the program, or 0, 0
// for a frame of the wrapper.
func (e *Entry) userPosition(l Location) (line, col int) {
	if l.Line < 1 || !e.generated && l.Line > e.lines {
		return 0, 0
	}
	return e.Position(l.Line, l.Column)
}
