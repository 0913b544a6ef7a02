package entry

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// The scanner reads the tokens of an ECMAScript module, and nothing more of its
// grammar than the tokens themselves depend on. Three questions need context:
//
//   - Is "/" a division or the start of a regular expression? It divides after an
//     operand, so the scanner knows after each token whether one just ended.
//   - What did "{" open? After "}" of a block a statement starts; after "}" of an
//     object literal, a function expression or a class expression an operand ended.
//   - Is a word a keyword? It is a plain name after ".", as the key of an object
//     literal and as the name of a class element.
//
// So it keeps one state and a stack with one frame per open bracket, both of a
// fixed small size per nesting level, and never recurses.
//
// On a text that is the beginning of a valid module its answers are those of a full
// parser. On other text they may differ, but then the engine refuses the text.
// That is why the scanner may be trusted with the balance of the brackets: text
// that closes the wrapper of the entry module must be valid up to that bracket.

// maxDepth bounds the open brackets. The engines refuse far less than that.
const maxDepth = 100_000

// state says what the tokens so far lead up to.
type state uint8

const (
	// stExpr: an operand must follow.
	stExpr state = iota
	// stOperand: an operand just ended.
	stOperand
	// stItem: a statement or declaration starts.
	stItem
	// stSub: a statement starts that is the body of another one, so that a
	// declaration such as import cannot follow.
	stSub
	// stEnd: something ended that only a line break may separate from a following
	// statement, for example the block body of an arrow function.
	stEnd
	// stDefault: after "export default".
	stDefault
)

// tok is the kind of the previous token, as far as a later token depends on it.
type tok uint8

const (
	tOther   tok = iota
	tName        // identifier or literal
	tDot         // . and ?.
	tArrow       // =>
	tGreater     // > and what ends with it
	tHead        // if, while, with
	tFor
	tAwait
	tAsync
	tStatic
	tUsing
	tExport
	tExtends
	tNew
	tClass
	tRestricted // return, yield: a line break ends the statement
	tBreak      // break, continue
	tAt
	tDeclare  // let, const, var, and the commas of their lists
	tTypeWord // keyof and its like, which nest in types
)

// kind is what a bracket opened.
type kind uint8

const (
	kBlock kind = iota // statements
	kObject
	kClass
	kParen
	kHead   // of if, while, with
	kFor    // of for
	kParams // of a function
	kBracket
	kTemplate // ${ }
)

// frame is one open bracket.
type frame struct {
	pos   int32 // offset of the bracket
	kind  kind
	after state // what follows the closing bracket
	// inValue is false while an object literal awaits a key, or a class an element
	// name, and true in a value or initializer.
	inValue bool
	// decoExpr: a decorator started where an operand was expected, so the class that
	// follows is an expression.
	decoExpr bool
	// declaring is true inside the list of let, const or var, where a bare name is no
	// operand: "let x" and a regular expression on the next line are two statements.
	declaring   bool
	questions   int32 // ? without their :
	pendings    int32 // len(scanner.pending) when the frame was opened
	base        int32 // nesting outside the frame
	stmts, exps int32 // nesting inside the frame: see Nesting
}

// pending is a function or class keyword whose body has not been opened yet.
type pending struct {
	class  bool
	expr   bool // an expression, not a declaration
	params bool // the parameter list was closed
}

// scanner holds the state over one source text.
type scanner struct {
	src        string
	pos        int
	typescript bool
	module     bool            // exports are allowed and collected
	done       <-chan struct{} // ends the scan; nil: nothing does

	frames  []frame
	pending []pending
	st      state
	nl      bool // a line terminator came before the current token
	prev    tok
	prev2   tok
	asyncAt state // the state before the last async, resolved to stItem or stExpr

	nesting int32

	imports []declaration
	header  header
	outline *outline // what ReadModule asks for; nil: nobody does
	// separators are the offsets of U+2028 and U+2029 between tokens and in comments.
	separators []int32

	// Room for the frames of ordinary programs, so that they need no allocation.
	frameRoom   [24]frame
	pendingRoom [8]pending
}

// fault is a syntax error at an offset. The scanner returns it instead of a
// position because computing positions costs a pass over the text.
type fault struct {
	off  int
	msg  string
	hint string
}

// errStopped is what run returns when done is closed.
var errStopped = &fault{msg: "stopped"}

// Character classes of ASCII.
const (
	cOther = iota
	cSpace
	cNewline
	cIdent // letter, _ and $
	cDigit
	cQuote
)

var classes = func() (t [256]uint8) {
	for c := 0; c < 256; c++ {
		switch {
		case c == ' ' || c == '\t' || c == '\v' || c == '\f':
			t[c] = cSpace
		case c == '\n' || c == '\r':
			t[c] = cNewline
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$':
			t[c] = cIdent
		case c >= '0' && c <= '9':
			t[c] = cDigit
		case c == '"' || c == '\'':
			t[c] = cQuote
		}
	}
	return
}()

// isSpace reports white space outside ASCII.
func isSpace(r rune) bool {
	switch {
	case r == 0xa0, r == 0xfeff, r == 0x1680, r >= 0x2000 && r <= 0x200a, r == 0x202f, r == 0x205f, r == 0x3000:
		return true
	}
	return false
}

func isSeparator(r rune) bool { return r == 0x2028 || r == 0x2029 }

// separatorAt reports whether U+2028 or U+2029 is encoded at s[i].
func separatorAt(s string, i int) bool {
	return s[i] == 0xe2 && i+2 < len(s) && s[i+1] == 0x80 && (s[i+2] == 0xa8 || s[i+2] == 0xa9)
}

func (s *scanner) init(src string) {
	s.src = src
	s.frames = append(s.frameRoom[:0], frame{pos: -1, kind: kBlock})
	s.pending = s.pendingRoom[:0]
	s.st = stItem
	s.nl = true
}

// skip passes white space and comments, and notes line terminators in s.nl.
func (s *scanner) skip() *fault {
	src := s.src
	i := s.pos
	for i < len(src) {
		c := src[i]
		switch classes[c] {
		case cSpace:
			i++
			continue
		case cNewline:
			s.nl = true
			i++
			continue
		}
		if c == '/' && i+1 < len(src) {
			if src[i+1] == '/' {
				i += 2
				for i < len(src) && src[i] != '\n' && src[i] != '\r' && !separatorAt(src, i) {
					i++
				}
				continue
			}
			if src[i+1] == '*' {
				n := strings.Index(src[i+2:], "*/")
				if n < 0 {
					return &fault{off: i, msg: "comment is not closed", hint: `add "*/"`}
				}
				end := i + 2 + n
				for j := i + 2; j < end; j++ {
					switch c := src[j]; {
					case c == '\n' || c == '\r':
						s.nl = true
					case c == 0xe2 && separatorAt(src, j):
						s.nl = true
						s.separators = append(s.separators, int32(j))
					}
				}
				i = end + 2
				continue
			}
			break
		}
		if c < utf8.RuneSelf {
			break
		}
		r, n := utf8.DecodeRuneInString(src[i:])
		if isSeparator(r) {
			s.nl = true
			s.separators = append(s.separators, int32(i))
		} else if !isSpace(r) {
			break
		}
		i += n
	}
	s.pos = i
	return nil
}

// checkEvery is how many bytes pass between two looks at done: about a millisecond. A
// token is not interrupted, but then a long one is the fastest text to scan.
const checkEvery = 128 << 10

// run scans the whole text.
func (s *scanner) run() *fault {
	next := checkEvery
	for {
		if s.pos >= next {
			select {
			case <-s.done:
				return errStopped
			default:
			}
			next = s.pos + checkEvery
		}
		s.nl = s.pos == 0
		if f := s.skip(); f != nil {
			return f
		}
		if s.pos >= len(s.src) {
			return s.finish()
		}
		if f := s.token(); f != nil {
			return f
		}
	}
}

func (s *scanner) finish() *fault {
	if len(s.frames) == 1 {
		return nil
	}
	top := s.frames[len(s.frames)-1]
	open, closing := s.opener(top)
	line, col := position(s.src, int(top.pos))
	return &fault{
		off:  len(s.src),
		msg:  fmt.Sprintf("expected %q before the end: %q of line %d, column %d is not closed", closing, open, line, col),
		hint: fmt.Sprintf("add %q", closing),
	}
}

func (s *scanner) opener(f frame) (open, closing string) {
	switch f.kind {
	case kParen, kHead, kFor, kParams:
		return "(", ")"
	case kBracket:
		return "[", "]"
	case kTemplate:
		return "${", "}"
	}
	return "{", "}"
}

// top is the innermost frame. The pointer is valid until the next push.
func (s *scanner) top() *frame { return &s.frames[len(s.frames)-1] }

// deeper counts one level of nesting inside the current frame, of a statement or of
// an expression.
func (s *scanner) deeper(f *frame, stmt bool) {
	if stmt {
		f.stmts++
	} else {
		f.exps++
	}
	if n := f.base + f.stmts + f.exps; n > s.nesting {
		s.nesting = n
	}
}

func (s *scanner) push(k kind, after state) *fault {
	if len(s.frames) > maxDepth {
		return &fault{off: s.pos, msg: fmt.Sprintf("brackets are nested more than %d deep", maxDepth)}
	}
	f := s.top()
	base := f.base + f.stmts + f.exps + 1
	if base > s.nesting {
		s.nesting = base
	}
	s.frames = append(s.frames, frame{pos: int32(s.pos), kind: k, after: after, pendings: int32(len(s.pending)), base: base})
	return nil
}

// atStatement reports whether a statement starts with the current token: either the
// state says so, or a line break ends the statement before (automatic semicolon
// insertion, which applies because nothing else can continue an operand).
func (s *scanner) atStatement(f *frame) bool {
	switch s.st {
	case stItem, stSub, stEnd:
		return true
	case stOperand:
		return s.nl && f.kind == kBlock
	}
	return false
}

// atItem reports whether a declaration may start here.
func (s *scanner) atItem(f *frame) bool {
	switch s.st {
	case stItem:
		return true
	case stOperand, stEnd:
		return s.nl && f.kind == kBlock
	case stExpr:
		// Types end in what would be operators elsewhere: A<B>, void, as const.
		return s.typescript && s.nl && f.kind == kBlock
	}
	return false
}

func (s *scanner) set(st state, t tok) {
	s.st = st
	s.prev2 = s.prev
	s.prev = t
}

// operand handles the end of a literal or name.
func (s *scanner) operand() {
	s.set(stOperand, tName)
}

// nameOrLiteral prepares for a token that starts an operand or names a class
// element: in a class it may end the initializer before.
func (s *scanner) nameOrLiteral(f *frame) {
	if f.kind == kClass && f.inValue && (s.st == stEnd || s.st == stOperand && s.nl) {
		f.inValue = false
		s.st = stItem
	}
}

// token scans the token at s.pos, which is no white space.
func (s *scanner) token() *fault {
	src := s.src
	c := src[s.pos]
	f := &s.frames[len(s.frames)-1]
	if s.nl {
		if s.prev == tRestricted && s.st == stExpr && f.kind == kBlock {
			s.st = stItem
		}
	}
	switch s.st {
	case stItem:
		// "else" continues the statement before: nesting goes on.
		f.declaring = false
		if c != 'e' || !strings.HasPrefix(src[s.pos:], "else") {
			f.stmts, f.exps = 0, 0
		}
	case stOperand:
		if s.nl && f.kind == kBlock && classes[c] == cIdent && s.prev != tTypeWord {
			f.stmts, f.exps = 0, 0
			f.declaring = f.declaring && continues(src[s.pos:])
		}
	case stEnd:
		if s.nl && f.declaring && c != ',' && c != '=' {
			f.declaring = false
		}
	}
	if s.outline != nil && s.outline.exporting && s.prev == tDeclare && len(s.frames) == 1 && (c == '{' || c == '[') {
		s.notePattern()
	}
	switch classes[c] {
	case cIdent:
		return s.word(f)
	case cDigit:
		s.nameOrLiteral(f)
		s.number()
		s.operand()
		return nil
	case cQuote:
		s.nameOrLiteral(f)
		end, ft := scanString(src, s.pos)
		if ft != nil {
			return ft
		}
		s.pos = end
		s.operand()
		return nil
	}
	return s.punctuator(f, c)
}

// continues reports whether text starts with an operator that is a word.
func continues(text string) bool {
	return text[0] == 'i' && (strings.HasPrefix(text, "in") || strings.HasPrefix(text, "instanceof"))
}

// next is the byte n after the current one, or 0.
func (s *scanner) next(n int) byte {
	if s.pos+n < len(s.src) {
		return s.src[s.pos+n]
	}
	return 0
}

func (s *scanner) punctuator(f *frame, c byte) *fault {
	switch c {
	case '{':
		return s.openBrace(f)
	case '(':
		return s.openParen(f)
	case '[':
		if f.kind == kClass && f.inValue && s.st == stEnd {
			f.inValue = false
		}
		if s.st == stOperand {
			s.deeper(f, false)
		}
		if ft := s.push(kBracket, stOperand); ft != nil {
			return ft
		}
		s.pos++
		s.set(stExpr, tOther)
		return nil
	case '}', ')', ']':
		return s.close(f, c)
	case '`':
		if s.st == stOperand {
			s.deeper(f, false)
		}
		return s.template(s.pos+1, s.pos)
	case ';':
		s.pos++
		s.pending = s.pending[:f.pendings]
		f.questions = 0
		switch f.kind {
		case kBlock:
			s.set(stItem, tOther)
		case kClass, kObject:
			f.inValue = false
			s.set(stItem, tOther)
		default:
			s.set(stExpr, tOther)
		}
		return nil
	case ',':
		s.pos++
		f.exps = 0
		if f.kind == kObject {
			f.inValue = false
		}
		if f.declaring {
			s.set(stExpr, tDeclare)
		} else {
			s.set(stExpr, tOther)
		}
		return nil
	case ':':
		s.pos++
		switch {
		case f.questions > 0:
			f.questions--
			s.set(stExpr, tOther)
		case f.kind == kBlock:
			s.deeper(f, false)
			s.set(stSub, tOther)
		default:
			if f.kind == kObject {
				f.inValue = true
			}
			s.set(stExpr, tOther)
		}
		return nil
	case '.':
		if n := s.next(1); classes[n] == cDigit {
			s.nameOrLiteral(f)
			s.number()
			s.operand()
			return nil
		} else if n == '.' && s.next(2) == '.' {
			s.pos += 3
			if f.kind == kObject {
				f.inValue = true
			}
			s.set(stExpr, tOther)
			return nil
		}
		s.pos++
		s.deeper(f, false)
		s.set(stExpr, tDot)
		return nil
	case '?':
		switch n := s.next(1); {
		case n == '.' && classes[s.next(2)] != cDigit:
			s.pos += 2
			s.deeper(f, false)
			s.set(stExpr, tDot)
			return nil
		case n == '?':
			s.pos += 2
			if s.next(0) == '=' {
				s.pos++
			}
			s.deeper(f, false)
			s.set(stExpr, tOther)
			return nil
		}
		s.pos++
		if (f.kind != kObject && f.kind != kClass || f.inValue) && f.questions < math.MaxInt32 {
			f.questions++
		}
		s.deeper(f, false)
		s.set(stExpr, tOther)
		return nil
	case '=':
		if s.next(1) == '>' {
			s.pos += 2
			s.deeper(f, false)
			s.set(stExpr, tArrow)
			return nil
		}
		if s.next(1) == '=' {
			s.pos += 2
			if s.next(0) == '=' {
				s.pos++
			}
			s.set(stExpr, tOther)
			return nil
		}
		s.pos++
		if f.kind == kObject || f.kind == kClass {
			f.inValue = true
		}
		s.deeper(f, false)
		s.set(stExpr, tOther)
		return nil
	case '/':
		if s.st == stOperand {
			s.pos++
			if s.next(0) == '=' {
				s.pos++
				s.deeper(f, false)
			}
			s.set(stExpr, tOther)
			return nil
		}
		return s.regexp()
	case '+', '-':
		if s.next(1) == c {
			s.pos += 2
			if s.st == stOperand && !s.nl {
				s.operand()
			} else {
				s.deeper(f, false)
				s.set(stExpr, tOther)
			}
			return nil
		}
	case '!':
		if s.next(1) != '=' && s.st == stOperand && !s.nl {
			// TypeScript's assertion that a value is not null; an error otherwise.
			s.pos++
			s.operand()
			return nil
		}
	case '@':
		if f.kind == kClass {
			s.nameOrLiteral(f)
		}
		f.decoExpr = s.st == stExpr
		s.pos++
		s.set(stExpr, tAt)
		return nil
	case '#':
		end := scanName(s.src, s.pos+1)
		if end == s.pos+1 {
			return s.unexpected()
		}
		if s.prev != tDot {
			s.nameOrLiteral(f)
		}
		s.pos = end
		s.operand()
		return nil
	case '*':
		if f.kind == kClass && f.inValue && s.st == stEnd {
			f.inValue = false
		}
	case '%', '&', '|', '^', '<', '>', '~':
	default:
		if c == '\\' || c >= utf8.RuneSelf {
			return s.word(f)
		}
		return s.unexpected()
	}
	// The remaining operators: what matters is only where they end.
	unary := s.st != stOperand
	s.pos++
	t := tOther
	assign := false
	for s.pos < len(s.src) {
		n := s.src[s.pos]
		if n == '=' {
			s.pos++
			assign = c != '<' && c != '>' && c != '!'
			if c == '!' && s.next(0) == '=' {
				s.pos++
			}
			break
		}
		if n != c || c == '+' || c == '-' || c == '!' || c == '~' || c == '%' || c == '^' {
			break
		}
		s.pos++
	}
	if s.src[s.pos-1] == '>' {
		t = tGreater
	}
	if unary || assign || c == '<' || c == '*' && s.src[s.pos-1] == '*' && s.pos >= 2 && s.src[s.pos-2] == '*' {
		s.deeper(f, false)
	}
	s.set(stExpr, t)
	return nil
}

func (s *scanner) unexpected() *fault {
	r, _ := utf8.DecodeRuneInString(s.src[s.pos:])
	if r < 0x20 || r == 0x7f {
		return &fault{off: s.pos, msg: fmt.Sprintf("unexpected control character U+%04X", r), hint: "is this a text file?"}
	}
	return &fault{off: s.pos, msg: fmt.Sprintf("unexpected character %q", string(r))}
}

func (s *scanner) openParen(f *frame) *fault {
	k := kParen
	switch {
	case s.prev == tHead:
		k = kHead
	case s.prev == tFor || s.prev == tAwait && s.prev2 == tFor:
		k = kFor
	case len(s.pending) > int(f.pendings):
		if p := s.pending[len(s.pending)-1]; !p.class && !p.params {
			k = kParams
		}
	}
	if k == kParen && s.st == stOperand {
		s.deeper(f, false)
	}
	after := stOperand
	if k == kHead || k == kFor {
		after = stSub
	}
	if ft := s.push(k, after); ft != nil {
		return ft
	}
	s.pos++
	s.set(stExpr, tOther)
	return nil
}

func (s *scanner) openBrace(f *frame) *fault {
	k, after := kObject, stOperand
	next := stExpr
	bodyHere := s.st == stOperand || s.prev == tGreater
	var p *pending
	if len(s.pending) > int(f.pendings) {
		p = &s.pending[len(s.pending)-1]
	}
	switch {
	case s.prev == tArrow:
		k, after = kBlock, stEnd
	case p != nil && p.class && (bodyHere || s.prev == tClass):
		k, next = kClass, stItem
		if !p.expr {
			after = stItem
		}
		s.pending = s.pending[:len(s.pending)-1]
	case p != nil && !p.class && p.params && bodyHere:
		k = kBlock
		if !p.expr {
			after = stItem
		}
		s.pending = s.pending[:len(s.pending)-1]
	case f.kind == kObject && !f.inValue && bodyHere:
		k = kBlock // body of a method
	case f.kind == kClass && !f.inValue && (bodyHere || s.st == stItem):
		k, after = kBlock, stItem // body of a method, static block
	case s.atStatement(f):
		k, after = kBlock, stItem
	case s.st == stOperand:
		k = kBlock // switch, catch; in TypeScript also enum, namespace, interface
		if f.kind == kBlock {
			after = stItem
		}
	}
	if k == kBlock {
		next = stItem
	}
	if ft := s.push(k, after); ft != nil {
		return ft
	}
	s.pos++
	s.set(next, tOther)
	return nil
}

func (s *scanner) close(f *frame, c byte) *fault {
	if len(s.frames) == 1 {
		return &fault{off: s.pos, msg: fmt.Sprintf("unexpected %q: no bracket is open here", string(c))}
	}
	var ok bool
	switch f.kind {
	case kParen, kHead, kFor, kParams:
		ok = c == ')'
	case kBracket:
		ok = c == ']'
	default:
		ok = c == '}'
	}
	if !ok {
		open, closing := s.opener(*f)
		line, col := position(s.src, int(f.pos))
		return &fault{off: s.pos, msg: fmt.Sprintf("expected %q but found %q: %q of line %d, column %d is open", closing, string(c), open, line, col)}
	}
	k, after := f.kind, f.after
	s.pending = s.pending[:f.pendings]
	s.frames = s.frames[:len(s.frames)-1]
	if k == kTemplate {
		return s.template(s.pos+1, s.pos)
	}
	if k == kParams && len(s.pending) > 0 {
		s.pending[len(s.pending)-1].params = true
	}
	s.pos++
	s.set(after, tOther)
	return nil
}

// template scans template characters from i to the closing backquote or the next
// substitution. start is where the part began, for the error.
func (s *scanner) template(i, start int) *fault {
	src := s.src
	for i < len(src) {
		switch src[i] {
		case '\\':
			i += 2
			continue
		case '`':
			s.pos = i + 1
			s.operand()
			return nil
		case '$':
			if i+1 < len(src) && src[i+1] == '{' {
				s.pos = i
				if ft := s.push(kTemplate, stOperand); ft != nil {
					return ft
				}
				s.pos = i + 2
				s.set(stExpr, tOther)
				return nil
			}
		}
		i++
	}
	return &fault{off: start, msg: "template literal is not closed", hint: "add \"`\""}
}

// regexp scans a regular expression literal with its flags.
func (s *scanner) regexp() *fault {
	src := s.src
	i := s.pos + 1
	class := false
loop:
	for {
		if i >= len(src) {
			return &fault{off: s.pos, msg: "regular expression is not closed", hint: `add "/"`}
		}
		switch c := src[i]; {
		case c == '\n' || c == '\r' || c == 0xe2 && separatorAt(src, i):
			return &fault{off: s.pos, msg: "regular expression is not closed on its line", hint: `add "/"`}
		case c == '\\':
			i++
			if i < len(src) && (src[i] == '\n' || src[i] == '\r' || separatorAt(src, i)) {
				continue // reported above
			}
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			break loop
		}
		i++
	}
	s.pos = scanName(src, i+1)
	s.operand()
	return nil
}

// number scans a numeric literal. Which of them are valid is the engine's matter.
func (s *scanner) number() {
	src := s.src
	i := s.pos
	if src[i] == '0' && i+1 < len(src) {
		switch src[i+1] | 0x20 {
		case 'x', 'o', 'b':
			i += 2
			for i < len(src) && (classes[src[i]] == cDigit || classes[src[i]] == cIdent) {
				i++
			}
			s.pos = i
			return
		}
	}
	digits := func() {
		for i < len(src) && (classes[src[i]] == cDigit || src[i] == '_') {
			i++
		}
	}
	digits()
	if i < len(src) && src[i] == '.' {
		i++
		digits()
	}
	if i < len(src) && src[i]|0x20 == 'e' {
		j := i + 1
		if j < len(src) && (src[j] == '+' || src[j] == '-') {
			j++
		}
		if j < len(src) && classes[src[j]] == cDigit {
			i = j
			digits()
		}
	}
	if i < len(src) && src[i] == 'n' {
		i++
	}
	s.pos = i
}

// scanString returns the end of the string literal at i.
func scanString(src string, i int) (int, *fault) {
	start, quote := i, src[i]
	i++
	for i < len(src) {
		switch c := src[i]; c {
		case quote:
			return i + 1, nil
		case '\\':
			i++
			if i+1 < len(src) && src[i] == '\r' && src[i+1] == '\n' {
				i++
			}
		case '\n', '\r':
			return 0, &fault{off: start, msg: "string is not closed on its line", hint: fmt.Sprintf("add %s, or use a template literal for several lines", string(quote))}
		}
		i++
	}
	return 0, &fault{off: start, msg: "string is not closed", hint: fmt.Sprintf("add %s", string(quote))}
}

// scanName returns the end of the identifier at i, or i when there is none. It is
// lenient about characters outside ASCII: what is no white space belongs to a name,
// and the engine refuses what cannot.
func scanName(src string, i int) int {
	for i < len(src) {
		c := src[i]
		if k := classes[c]; k == cIdent || k == cDigit {
			i++
			continue
		}
		if c == '\\' {
			if i+1 >= len(src) || src[i+1] != 'u' {
				return i
			}
			if i+2 < len(src) && src[i+2] == '{' {
				j := i + 3
				for j < len(src) && isHex(src[j]) {
					j++
				}
				if j >= len(src) || src[j] != '}' || j == i+3 {
					return i
				}
				i = j + 1
				continue
			}
			if i+6 > len(src) || !isHex(src[i+2]) || !isHex(src[i+3]) || !isHex(src[i+4]) || !isHex(src[i+5]) {
				return i
			}
			i += 6
			continue
		}
		if c < utf8.RuneSelf {
			return i
		}
		r, n := utf8.DecodeRuneInString(src[i:])
		if isSpace(r) || isSeparator(r) {
			return i
		}
		i += n
	}
	return i
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}

// word scans an identifier or keyword.
func (s *scanner) word(f *frame) *fault {
	src := s.src
	start := s.pos
	i := start
	for i < len(src) && (classes[src[i]] == cIdent || classes[src[i]] == cDigit) {
		i++
	}
	if i < len(src) && (src[i] >= utf8.RuneSelf || src[i] == '\\') {
		i = scanName(src, i)
		if i == start {
			return s.unexpected()
		}
	}
	s.pos = i
	w := src[start:i]

	if s.prev == tDot {
		s.operand()
		return nil
	}
	if f.kind == kClass && f.inValue && w != "in" && w != "instanceof" {
		s.nameOrLiteral(f)
	}
	if (f.kind == kObject || f.kind == kClass) && !f.inValue {
		if w == "static" {
			s.set(stOperand, tStatic)
		} else {
			s.operand()
		}
		return nil
	}
	if s.prev == tAt {
		s.operand()
		return nil
	}
	if s.prev == tDeclare && f.declaring {
		if s.outline != nil && s.outline.exporting && len(s.frames) == 1 {
			s.outline.export(w)
		}
		s.set(stEnd, tName)
		return nil
	}
	if s.prev == tTypeWord {
		s.deeper(f, false)
	}

	switch w {
	case "if", "while", "with":
		s.deeper(f, true)
		s.set(stExpr, tHead)
	case "for":
		s.deeper(f, true)
		s.set(stExpr, tFor)
	case "else", "do":
		s.deeper(f, true)
		s.set(stSub, tOther)
	case "try", "finally", "catch":
		s.set(stSub, tOther)
	case "return", "yield":
		s.deeper(f, false)
		s.set(stExpr, tRestricted)
	case "break", "continue":
		s.set(stEnd, tBreak)
	case "debugger":
		s.set(stEnd, tOther)
	case "const", "let", "var":
		if s.st == stOperand && !s.nl {
			s.operand() // as const
			return nil
		}
		f.declaring = f.kind == kBlock
		if s.outline != nil && len(s.frames) == 1 {
			s.outline.exporting = s.prev == tExport
		}
		s.set(stExpr, tDeclare)
	case "switch", "in", "instanceof", "throw":
		s.set(stExpr, tOther)
	case "case":
		f.stmts, f.exps = 0, 0
		s.set(stExpr, tOther)
	case "delete", "typeof", "void":
		s.deeper(f, false)
		s.set(stExpr, tOther)
	case "new":
		s.deeper(f, false)
		s.set(stExpr, tNew)
	case "await":
		s.deeper(f, false)
		s.set(stExpr, tAwait)
	case "extends":
		s.deeper(f, false)
		s.set(stExpr, tExtends)
	case "keyof", "readonly", "unique", "infer", "asserts", "abstract", "declare":
		s.deeper(f, false)
		s.set(stOperand, tTypeWord)
	case "default":
		f.stmts, f.exps = 0, 0
		if s.prev == tExport {
			s.set(stDefault, tOther)
		} else {
			s.set(stExpr, tOther)
		}
	case "function", "class":
		s.functionOrClass(f, w == "class")
	case "async":
		s.asyncAt = stExpr
		if s.st == stDefault || s.atStatement(f) {
			s.asyncAt = stItem
		}
		s.set(stOperand, tAsync)
	case "using":
		s.set(stOperand, tUsing)
	case "of":
		if f.kind == kFor && s.st == stOperand && !(s.prev == tUsing && s.prev2 == tAwait) {
			s.set(stExpr, tOther)
		} else {
			s.operand()
		}
	case "import":
		return s.importWord(f, start)
	case "export":
		return s.exportWord(f, start)
	default:
		if s.prev == tBreak && !s.nl {
			s.set(stEnd, tName)
			return nil
		}
		if s.outline != nil && w == "require" && !s.namesFunction(f) {
			s.noteCall(&s.outline.require, start)
		}
		s.operand()
	}
	return nil
}

// namesFunction reports whether the next word is the name of a function.
func (s *scanner) namesFunction(f *frame) bool {
	if len(s.pending) == int(f.pendings) {
		return false
	}
	p := s.pending[len(s.pending)-1]
	return !p.class && !p.params
}

func (s *scanner) functionOrClass(f *frame, class bool) {
	expr := true
	switch {
	case s.prev == tAsync && !s.nl:
		expr = s.asyncAt == stExpr
	case s.st == stDefault || s.atStatement(f):
		expr = false
	case s.st == stOperand:
		// After a decorator, or after words of TypeScript such as declare and abstract.
		expr = class && f.decoExpr
	}
	if class {
		f.decoExpr = false
	}
	if !expr {
		// What was pending never got a body, such as an overload of TypeScript.
		s.pending = s.pending[:f.pendings]
	}
	s.pending = append(s.pending, pending{class: class, expr: expr})
	s.deeper(f, false)
	if class {
		s.set(stExpr, tClass)
	} else {
		s.set(stExpr, tOther)
	}
}
