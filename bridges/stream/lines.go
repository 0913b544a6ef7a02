package stream

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"quicksand/bridges"
)

// Lines makes a source of one handle, whose values are the lines of r, each a JSON text
// (https://jsonlines.org). Empty lines are skipped. A line that is no JSON is an error, after
// which the guest can go on with the next; one of more than 16 MiB is an error and the end.
//
// If r is an io.Closer it is closed at its end, when the guest leaves a loop over it early,
// and when the run ends, which also has to end a Read that waits: a reader without Close
// whose Read waits outlives the run. A run that never asks for a value does not close it.
func Lines(name string, r io.Reader) Source {
	l := &lines{name: name, r: bufio.NewReaderSize(r, 32<<10), turn: make(chan struct{}, 1)}
	if c, ok := r.(io.Closer); ok {
		l.closer = c
	}
	return l
}

type lines struct {
	name   string
	r      *bufio.Reader // of who has the turn
	n      int           // number of the line
	turn   chan struct{}
	closer io.Closer
	once   sync.Once
	ended  atomic.Bool
}

func (l *lines) Take(ctx context.Context, name string, all bool) (string, any, bool, error) {
	if !all && name != l.name {
		return "", nil, false, nil
	}
	select {
	case l.turn <- struct{}{}:
		defer func() { <-l.turn }()
	case <-ctx.Done():
		return "", nil, false, ctx.Err()
	}
	if l.ended.Load() {
		return "", nil, false, nil
	}
	stop := context.AfterFunc(ctx, func() { l.Close() })
	defer stop()
	for {
		line, err := l.line()
		if ctx.Err() != nil {
			return "", nil, false, ctx.Err()
		}
		last := errors.Is(err, io.EOF)
		switch {
		case err != nil && l.ended.Load():
			return "", nil, false, nil // closed meanwhile
		case err != nil && !last:
			l.Close()
			return "", nil, false, err
		case last:
			l.Close()
		}
		l.n++
		if l.n == 1 {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		}
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0 && last:
			return "", nil, false, nil
		case len(line) == 0:
			continue
		case !json.Valid(line):
			return "", nil, false, bridges.Errorf("stream", "line %d of %q is not JSON", l.n, l.name)
		}
		return l.name, json.RawMessage(bytes.Clone(line)), true, nil
	}
}

// try takes the next line if it is JSON and in the buffer as a whole.
func (l *lines) try(name string, all bool) (string, any, bool) {
	if !all && name != l.name || l.ended.Load() {
		return "", nil, false
	}
	select {
	case l.turn <- struct{}{}:
		defer func() { <-l.turn }()
	default:
		return "", nil, false
	}
	if l.n == 0 {
		return "", nil, false // there may be a byte order mark
	}
	buffered, err := l.r.Peek(l.r.Buffered())
	end := bytes.IndexByte(buffered, '\n')
	if err != nil || end < 0 {
		return "", nil, false
	}
	line := bytes.TrimSpace(buffered[:end])
	if !json.Valid(line) {
		return "", nil, false
	}
	line = bytes.Clone(line)
	l.r.Discard(end + 1)
	l.n++
	return l.name, json.RawMessage(line), true
}

// line reads up to the end of a line, at most maxLine bytes.
func (l *lines) line() ([]byte, error) {
	line, err := l.r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		all := bytes.Clone(line)
		for errors.Is(err, bufio.ErrBufferFull) && len(all) <= maxLine {
			line, err = l.r.ReadSlice('\n')
			all = append(all, line...)
		}
		line = all
	}
	if len(bytes.TrimRight(line, "\r\n")) > maxLine {
		return nil, bridges.Limitf("stream", "StreamLine", maxLine, int64(len(line)), "line %d of %q is longer than %d bytes", l.n+1, l.name, maxLine)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, &bridges.Error{Op: "stream", Message: fmt.Sprintf("reading %q failed", l.name), Err: err}
	}
	return line, err
}

func (l *lines) Open(name string) bool { return name == l.name && !l.ended.Load() }

func (l *lines) Release(name string, all bool) {
	if all || name == l.name {
		l.Close()
	}
}

// Close ends the source and closes the reader.
func (l *lines) Close() error {
	l.ended.Store(true)
	var err error
	if l.closer != nil {
		l.once.Do(func() { err = l.closer.Close() })
	}
	return err
}
