package xlsx

import (
	"bytes"
	"errors"
	"strconv"
	"unicode/utf8"
)

// token is what scanner.next found.
type token uint8

const (
	tokenEnd   token = iota // of the input, or an error
	tokenOpen               // a start tag, or a tag that is its own end: then tokenClose follows
	tokenClose              // an end tag
	tokenText               // character data
)

// scanner reads the XML of a part: elements by their local names, without namespaces and
// without checks of what no reader needs. It never recurses and holds no memory but the input.
type scanner struct {
	b     []byte
	i     int
	depth int    // elements that are open, after the token
	name  []byte // of the tag, without a prefix
	attrs []byte // of the start tag
	text  []byte // raw
	cdata bool   // text needs no unescaping
	close bool   // a tag that is its own end: its end is next
	err   error
}

var (
	errDTD       = errors.New("it has a document type, which workbooks must not have")
	errTruncated = errors.New("its XML ends too early")
)

func newScanner(b []byte) *scanner {
	return &scanner{b: bytes.TrimPrefix(b, []byte("\ufeff"))}
}

func (s *scanner) fail(err error) token {
	if s.err == nil {
		s.err = err
	}
	s.i = len(s.b)
	return tokenEnd
}

func (s *scanner) next() token {
	if s.close {
		s.close = false
		s.depth--
		return tokenClose
	}
	for s.i < len(s.b) {
		if s.b[s.i] != '<' {
			end := bytes.IndexByte(s.b[s.i:], '<')
			if end < 0 {
				end = len(s.b) - s.i
			}
			s.text, s.cdata = s.b[s.i:s.i+end], false
			s.i += end
			if s.depth == 0 {
				continue
			}
			return tokenText
		}
		rest := s.b[s.i+1:]
		if len(rest) == 0 {
			return s.fail(errTruncated)
		}
		switch rest[0] {
		case '?':
			end := bytes.Index(rest, []byte("?>"))
			if end < 0 {
				return s.fail(errTruncated)
			}
			s.i += end + 3
		case '!':
			if after, ok := bytes.CutPrefix(rest, []byte("!--")); ok {
				end := bytes.Index(after, []byte("-->"))
				if end < 0 {
					return s.fail(errTruncated)
				}
				s.i += end + 7
				continue
			}
			after, ok := bytes.CutPrefix(rest, []byte("![CDATA["))
			if !ok {
				return s.fail(errDTD)
			}
			end := bytes.Index(after, []byte("]]>"))
			if end < 0 {
				return s.fail(errTruncated)
			}
			s.text, s.cdata = after[:end], true
			s.i += end + 12
			return tokenText
		case '/':
			end := bytes.IndexByte(rest, '>')
			if end < 0 || s.depth == 0 {
				return s.fail(errTruncated)
			}
			s.name = local(bytes.TrimSpace(rest[1:end]))
			s.i += end + 2
			s.depth--
			return tokenClose
		default:
			return s.open(rest)
		}
	}
	if s.depth > 0 {
		return s.fail(errTruncated)
	}
	return tokenEnd
}

// open reads a start tag, behind its bracket.
func (s *scanner) open(rest []byte) token {
	n := 0
	for n < len(rest) && rest[n] > ' ' && rest[n] != '>' && rest[n] != '/' {
		n++
	}
	s.name = local(rest[:n])
	end := n
	for {
		if end == len(rest) {
			return s.fail(errTruncated)
		}
		c := rest[end]
		if c == '>' {
			break
		}
		end++
		if c == '"' || c == '\'' {
			q := bytes.IndexByte(rest[end:], c)
			if q < 0 {
				return s.fail(errTruncated)
			}
			end += q + 1
		}
	}
	s.attrs = rest[n:end]
	if k := len(s.attrs); k > 0 && s.attrs[k-1] == '/' {
		s.attrs, s.close = s.attrs[:k-1], true
	}
	s.i += end + 2
	s.depth++
	return tokenOpen
}

// local is a name without its prefix.
func local(name []byte) []byte {
	if i := bytes.IndexByte(name, ':'); i >= 0 {
		return name[i+1:]
	}
	return name
}

// attr is an attribute of the start tag by its local name, raw.
func (s *scanner) attr(name string) (value []byte, ok bool) {
	a := s.attrs
	for {
		eq := bytes.IndexByte(a, '=')
		if eq < 0 {
			return nil, false
		}
		key := local(bytes.TrimSpace(a[:eq]))
		a = bytes.TrimLeft(a[eq+1:], " \t\r\n")
		if len(a) == 0 {
			return nil, false
		}
		end := bytes.IndexByte(a[1:], a[0])
		if end < 0 {
			return nil, false
		}
		if string(key) == name {
			return a[1 : end+1], true
		}
		a = a[end+2:]
	}
}

// attrText is an attribute as text, "" without it.
func (s *scanner) attrText(name string) string {
	v, _ := s.attr(name)
	return unescape(nil, v)
}

// attrInt is an attribute as a number of at least 0, otherwise if it is none.
func (s *scanner) attrInt(name string, otherwise int) int {
	v, ok := s.attr(name)
	if !ok {
		return otherwise
	}
	n, err := strconv.ParseUint(string(v), 10, 31)
	if err != nil {
		return otherwise
	}
	return int(n)
}

// attrBool is an attribute as a boolean.
func (s *scanner) attrBool(name string) bool {
	v, _ := s.attr(name)
	return string(v) == "1" || string(v) == "true"
}

// skip reads up to the end of the element whose start tag was the last token.
func (s *scanner) skip() {
	for outer := s.depth; s.depth >= outer; {
		if s.next() == tokenEnd {
			return
		}
	}
}

// content is the text in the element whose start tag was the last token, which it reads to
// its end, appended to buf.
func (s *scanner) content(buf []byte) []byte {
	for outer := s.depth; s.depth >= outer; {
		switch s.next() {
		case tokenEnd:
			return buf
		case tokenText:
			buf = s.appendText(buf)
		}
	}
	return buf
}

func (s *scanner) appendText(buf []byte) []byte {
	if s.cdata {
		return append(buf, s.text...)
	}
	return appendUnescaped(buf, s.text)
}

// runs is the text of an element of type CT_Rst (18.4.8, 18.3.1.53): its own and that of its
// runs, without phonetic ones.
func (s *scanner) runs(buf []byte) []byte {
	for outer := s.depth; s.depth >= outer; {
		switch s.next() {
		case tokenEnd:
			return buf
		case tokenOpen:
			switch string(s.name) {
			case "t":
				buf = s.content(buf)
			case "rPh":
				s.skip()
			}
		}
	}
	return buf
}

func unescape(buf, raw []byte) string { return string(appendUnescaped(buf, raw)) }

// appendUnescaped replaces the references of raw; those which mean nothing stay.
func appendUnescaped(buf, raw []byte) []byte {
	for {
		amp := bytes.IndexByte(raw, '&')
		if amp < 0 {
			return append(buf, raw...)
		}
		buf = append(buf, raw[:amp]...)
		raw = raw[amp:]
		end := bytes.IndexByte(raw[:min(len(raw), 12)], ';')
		if end < 0 {
			buf, raw = append(buf, '&'), raw[1:]
			continue
		}
		switch name := string(raw[1:end]); {
		case name == "amp":
			buf = append(buf, '&')
		case name == "lt":
			buf = append(buf, '<')
		case name == "gt":
			buf = append(buf, '>')
		case name == "quot":
			buf = append(buf, '"')
		case name == "apos":
			buf = append(buf, '\'')
		case len(name) > 1 && name[0] == '#':
			base, digits := 10, name[1:]
			if digits[0] == 'x' {
				base, digits = 16, digits[1:]
			}
			r, err := strconv.ParseUint(digits, base, 32)
			if err != nil || r > utf8.MaxRune {
				r = utf8.RuneError
			}
			buf = utf8.AppendRune(buf, rune(r))
		default:
			buf = append(buf, raw[:end+1]...)
		}
		raw = raw[end+1:]
	}
}

// xstring undoes the escapes _xHHHH_ of characters which XML cannot hold (ST_Xstring, 22.9.2.19).
func xstring(b []byte) string {
	at := bytes.Index(b, []byte("_x"))
	if at < 0 {
		return string(b)
	}
	out := make([]byte, 0, len(b))
	for at >= 0 {
		out = append(out, b[:at]...)
		b = b[at:]
		n, err := uint64(0), error(nil)
		if len(b) >= 7 && b[6] == '_' {
			n, err = strconv.ParseUint(string(b[2:6]), 16, 16)
		}
		if len(b) < 7 || b[6] != '_' || err != nil {
			out, b = append(out, "_x"...), b[2:]
		} else {
			out, b = utf8.AppendRune(out, rune(n)), b[7:]
		}
		at = bytes.Index(b, []byte("_x"))
	}
	return string(append(out, b...))
}
