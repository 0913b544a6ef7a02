package quicksand

import (
	"fmt"
	"time"
	"unicode/utf8"
)

// logState collects the console lines of a run.
type logState struct {
	lines     []Log
	chars     int
	forwarded int
	full      bool // the closing notice was written
	cut       bool
}

// logLine takes one console line. It reports whether further lines are of use.
func (r *run) logLine(level, text string) bool {
	switch level {
	case "log", "info", "warn", "error", "debug":
	default:
		level = "log"
	}
	text = r.redact(text)
	r.logs.collect(level, text)
	return r.forward(level, text) || !r.logs.full
}

// forward gives a line to the sink, and reports whether it will take another.
func (r *run) forward(level, text string) bool {
	l := &r.logs
	if r.opts.OnLog == nil || l.forwarded >= limitForwardLines || r.ctx.Err() != nil {
		return false
	}
	l.forwarded++
	r.guard("OnLog", func() { r.opts.OnLog(level, cutChars(text, limitForwardChars)) })
	return l.forwarded < limitForwardLines
}

// collect keeps a line as far as there is room.
func (l *logState) collect(level, text string) {
	if l.full {
		l.cut = true
		return
	}
	n := utf8.RuneCountInString(text)
	if room := limitLogChars - l.chars; n > room {
		text, n = cutChars(text, room), room
		l.cut = true
	}
	if len(l.lines) < limitLogLines {
		l.lines = append(l.lines, Log{level, text})
		l.chars += n
	} else {
		l.cut = true
	}
	if l.cut {
		l.full = true
		l.lines = append(l.lines, Log{"warn", fmt.Sprintf("console output cut: a run keeps at most %d lines and %d characters", limitLogLines, limitLogChars)})
	}
}

// warn writes a line of our own to the logs.
func (r *run) warn(format string, args ...any) { r.logLine("warn", fmt.Sprintf(format, args...)) }

// guard calls a sink of the host, whose panic must not reach the engine.
func (r *run) guard(name string, f func()) {
	defer func() {
		if p := recover(); p != nil {
			r.box.log.Error("quicksand: a sink panicked", "sink", name, "panic", p)
		}
	}()
	f()
}

// cutChars is the first n characters of s.
func cutChars(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// progressState limits the rate of progress reports.
type progressState struct {
	count int
	last  time.Time
}

func (r *run) reportProgress(percent float64, message string) {
	p := &r.progress
	if r.opts.OnProgress == nil || r.ctx.Err() != nil || p.count >= limitProgress {
		return
	}
	now := time.Now()
	if p.count > 0 && now.Sub(p.last) < progressInterval {
		return
	}
	p.count, p.last = p.count+1, now
	r.guard("OnProgress", func() {
		r.opts.OnProgress(min(max(percent, 0), 100), cutChars(r.redact(message), limitProgressChars))
	})
}
