package tokens

import (
	"unicode"
	"unicode/utf8"
)

// The encodings cut texts into pieces by regular expressions. They are written out here as
// code that looks at each character a fixed number of times, whatever the text: the
// expressions need an engine that tracks back, which can be slow on purpose-made texts.
// The package's tests compare the two.

// class is what the expressions distinguish. \p{M} and \p{Lo} are both letters and not, by
// expression.
type class uint8

const (
	other class = iota
	space
	newline // CR and LF, which are white space too
	number  // \p{N}
	upper   // \p{Lu} and \p{Lt}
	lower   // \p{Ll}
	letter  // \p{Lm} and \p{Lo}
	mark    // \p{M}
)

var ascii = func() (t [utf8.RuneSelf]class) {
	for r := range t {
		t[r] = slowClass(rune(r))
	}
	return t
}()

func slowClass(r rune) class {
	switch {
	case r == '\r' || r == '\n':
		return newline
	case unicode.IsLetter(r):
		switch {
		case unicode.Is(unicode.Ll, r):
			return lower
		case unicode.In(r, unicode.Lu, unicode.Lt):
			return upper
		}
		return letter
	case unicode.IsSpace(r):
		return space
	case unicode.Is(unicode.M, r):
		return mark
	case unicode.Is(unicode.N, r):
		return number
	}
	return other
}

// at is the class of the character at i and where it ends; i is less than len(s).
func at(s string, i int) (class, int) {
	if c := s[i]; c < utf8.RuneSelf {
		return ascii[c], i + 1
	}
	r, n := utf8.DecodeRuneInString(s[i:])
	return slowClass(r), i + n
}

// set is a set of classes.
type set uint16

func of(cs ...class) (s set) {
	for _, c := range cs {
		s |= 1 << c
	}
	return s
}

func (s set) has(c class) bool { return s>>c&1 != 0 }

var (
	letters  = of(upper, lower, letter)
	numbers  = of(number)
	spaces   = of(space, newline)
	symbols  = of(other, mark)         // [^\s\p{L}\p{N}]
	prefixes = of(other, mark, space)  // [^\r\n\p{L}\p{N}]
	uppers   = of(upper, letter, mark) // [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]
	lowers   = of(lower, letter, mark) // [\p{Ll}\p{Lm}\p{Lo}\p{M}]
	caseless = of(letter, mark)        // both
	capitals = of(upper)
)

// run is where the characters of the set that begin at i end.
func run(s string, i int, in set) int {
	for i < len(s) {
		c, next := at(s, i)
		if !in.has(c) {
			break
		}
		i = next
	}
	return i
}

// contraction is where one of 's 't 're 've 'm 'll 'd at i ends, or i.
func contraction(s string, i int, anyCase bool) int {
	if i+1 >= len(s) || s[i] != '\'' {
		return i
	}
	fold := func(c byte) byte {
		if anyCase && c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		return c
	}
	a := fold(s[i+1])
	switch a {
	case 's', 't', 'm', 'd':
		return i + 2
	}
	if i+2 < len(s) {
		switch b := fold(s[i+2]); {
		case a == 'r' && b == 'e', a == 'v' && b == 'e', a == 'l' && b == 'l':
			return i + 3
		}
	}
	return i
}

// blank is where the piece of white space at i ends: \s+(?!\S)|\s+ and, with lines, before
// them \s*[\r\n]+.
func blank(s string, i int, lines bool) int {
	end, last, count, newlines := i, i, 0, -1
	for end < len(s) {
		c, next := at(s, end)
		if !spaces.has(c) {
			break
		}
		last, end = end, next
		count++
		if c == newline {
			newlines = end
		}
	}
	switch {
	case lines && newlines >= 0:
		return newlines
	case end < len(s) && count > 1:
		return last
	}
	return end
}

// splitGPT2 is the expression of r50k_base and p50k_base:
//
//	's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
func splitGPT2(s string, i int) int {
	if end := contraction(s, i, false); end > i {
		return end
	}
	j := i
	if s[i] == ' ' {
		j++
	}
	for _, in := range [...]set{letters, numbers, symbols} {
		if end := run(s, j, in); end > j {
			return end
		}
	}
	return blank(s, i, false)
}

// splitCL100K is the expression of cl100k_base:
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|
//	 ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
func splitCL100K(s string, i int) int {
	if end := contraction(s, i, true); end > i {
		return end
	}
	c, j := at(s, i)
	switch {
	case letters.has(c):
		return run(s, j, letters)
	case prefixes.has(c):
		if end := run(s, j, letters); end > j {
			return end
		}
	case c == number:
		return upToThree(s, i)
	}
	if end := symbolsAt(s, i, false); end > i {
		return end
	}
	return blank(s, i, true)
}

// splitO200K is the expression of o200k_base, where U is \p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M} and L
// is \p{Ll}\p{Lm}\p{Lo}\p{M}:
//
//	[^\r\n\p{L}\p{N}]?[U]*[L]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|
//	[^\r\n\p{L}\p{N}]?[U]+[L]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|
//	\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
func splitO200K(s string, i int) int {
	c, j := at(s, i)
	if prefixes.has(c) {
		if end := word(s, j); end > j {
			return contraction(s, end, true)
		}
		// A mark can also begin the word itself.
		if end := word(s, i); end > i {
			return contraction(s, end, true)
		}
		if end := run(s, j, capitals); end > j {
			return contraction(s, end, true)
		}
	} else if letters.has(c) {
		end := word(s, i)
		if end == i {
			end = run(s, i, capitals)
		}
		return contraction(s, end, true)
	} else if c == number {
		return upToThree(s, i)
	}
	if end := symbolsAt(s, i, true); end > i {
		return end
	}
	return blank(s, i, true)
}

// word is where [U]*[L]+ at i ends, or i. Without a small letter behind the longest run of U
// that run has to give back what follows its last character of both sets.
func word(s string, i int) int {
	end, both := i, i
	for end < len(s) {
		c, next := at(s, end)
		if !uppers.has(c) {
			break
		}
		end = next
		if caseless.has(c) {
			both = end
		}
	}
	if small := run(s, end, lowers); small > end {
		return small
	}
	return both
}

// upToThree is \p{N}{1,3}.
func upToThree(s string, i int) int {
	for range 3 {
		if i == len(s) {
			break
		}
		c, next := at(s, i)
		if c != number {
			break
		}
		i = next
	}
	return i
}

// symbolsAt is where  ?[^\s\p{L}\p{N}]+[\r\n]* at i ends, or i; with slashes in the last set.
func symbolsAt(s string, i int, slashes bool) int {
	j := i
	if s[i] == ' ' {
		j++
	}
	end := run(s, j, symbols)
	if end == j {
		return i
	}
	for end < len(s) && (s[end] == '\r' || s[end] == '\n' || slashes && s[end] == '/') {
		end++
	}
	return end
}
