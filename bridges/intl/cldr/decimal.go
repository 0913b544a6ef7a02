package cldr

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// A Decimal is an exact decimal number, an infinity or not a number. The zero value
// is 0. It is not changed once made and may be copied.
type Decimal struct {
	neg, nan, inf bool
	// digits are values 0 to 9, without zeros at either end; the number is
	// 0.d₀d₁d₂… × 10^point. Empty means zero.
	digits []byte
	point  int
}

// maxExponent bounds the exponent of a decimal string: numbers above 10^maxExponent
// are infinite here and below its inverse zero. It bounds the length of a result.
const maxExponent = 5000

// MaxDigits is how long a decimal string may be.
const MaxDigits = 20_000

// Float returns the number that JavaScript shows for f: the shortest decimal that reads
// back as f.
func Float(f float64) Decimal {
	d, _ := float(f, nil)
	return d
}

// float is Float with a buffer for the digits, which it returns.
func float(f float64, buf []byte) (Decimal, []byte) {
	d := Decimal{neg: math.Signbit(f)}
	switch {
	case f == 0:
		return d, buf
	case math.IsNaN(f):
		return Decimal{nan: true}, buf
	case math.IsInf(f, 0):
		d.inf = true
		return d, buf
	}
	buf = strconv.AppendFloat(buf[:0], math.Abs(f), 'e', -1, 64)
	n, exp := 0, 0
	for i := 0; i < len(buf); i++ {
		c := buf[i]
		if c == 'e' {
			neg := buf[i+1] == '-'
			for _, c := range buf[i+2:] {
				exp = exp*10 + int(c-'0')
			}
			if neg {
				exp = -exp
			}
			break
		}
		if c != '.' {
			buf[n] = c - '0'
			n++
		}
	}
	d.digits = trimZeros(buf[:n])
	d.point = exp + 1
	return d, buf
}

func trimZeros(d []byte) []byte {
	for len(d) > 0 && d[len(d)-1] == 0 {
		d = d[:len(d)-1]
	}
	return d
}

// ParseDecimal reads a string as the Number function of JavaScript does, but exactly:
// white space around it is ignored, the empty string is 0, anything else that is not a
// number gives NaN, as does a string of more than MaxDigits bytes.
func ParseDecimal(s string) Decimal {
	s = strings.TrimFunc(s, func(r rune) bool {
		switch r {
		case '\t', '\n', '\v', '\f', '\r', ' ', 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff:
			return true
		}
		return r >= 0x2000 && r <= 0x200a
	})
	nan := Decimal{nan: true}
	if s == "" {
		return Decimal{}
	}
	if len(s) > MaxDigits {
		return nan
	}
	if len(s) > 2 && s[0] == '0' {
		base := 0
		switch s[1] {
		case 'x', 'X':
			base = 16
		case 'o', 'O':
			base = 8
		case 'b', 'B':
			base = 2
		}
		if base != 0 {
			n, ok := new(big.Int).SetString(s[2:], base)
			if !ok || !isAlnum(s[2]) || strings.Contains(s, "_") {
				return nan
			}
			return ParseDecimal(n.String())
		}
	}
	var d Decimal
	switch s[0] {
	case '-':
		d.neg = true
		s = s[1:]
	case '+':
		s = s[1:]
	}
	if s == "Infinity" {
		d.inf = true
		return d
	}
	exp := 0
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		e := s[i+1:]
		s = s[:i]
		digits := strings.TrimLeft(e, "+-")
		if digits == "" || len(e)-len(digits) > 1 || !all(digits, isDigit) {
			return nan
		}
		v, err := strconv.Atoi(e)
		if err != nil || v > math.MaxInt32 || v < math.MinInt32 {
			v = math.MaxInt32
			if e[0] == '-' {
				v = math.MinInt32
			}
		}
		exp = v
	}
	whole, frac, _ := strings.Cut(s, ".")
	if whole == "" && frac == "" || !all(whole, isDigit) || !all(frac, isDigit) {
		return nan
	}
	whole = strings.TrimLeft(whole, "0")
	point := len(whole)
	if whole == "" {
		trimmed := strings.TrimLeft(frac, "0")
		point = len(trimmed) - len(frac)
		frac = trimmed
	}
	digits := make([]byte, 0, len(whole)+len(frac))
	for _, part := range [2]string{whole, frac} {
		for i := 0; i < len(part); i++ {
			digits = append(digits, part[i]-'0')
		}
	}
	d.digits = trimZeros(digits)
	if len(d.digits) == 0 {
		return d
	}
	d.point = point + exp
	switch {
	case d.point > maxExponent && exp > 0:
		return Decimal{neg: d.neg, inf: true}
	case d.point < -maxExponent:
		return Decimal{neg: d.neg}
	}
	return d
}

// IsNaN reports whether d is not a number.
func (d Decimal) IsNaN() bool { return d.nan }

// IsInf reports whether d is infinite.
func (d Decimal) IsInf() bool { return d.inf }

// A rounded number is a Decimal that was rounded, with how many digits to write.
type rounded struct {
	neg    bool
	digits []byte // as of Decimal
	point  int
	frac   int // digits after the point, at least those that are not zero
}

// isZero reports whether all digits to write are zero.
func (r *rounded) isZero() bool { return len(r.digits) == 0 }

// at returns the digit for 10^power.
func (r *rounded) at(power int) byte {
	i := r.point - 1 - power
	if i < 0 || i >= len(r.digits) {
		return 0
	}
	return r.digits[i]
}

// A roundingMode is one of ECMA-402.
type roundingMode uint8

const (
	halfExpand roundingMode = iota
	ceil
	floor
	expand
	trunc
	halfCeil
	halfFloor
	halfTrunc
	halfEven
)

var roundingModes = map[string]roundingMode{
	"halfExpand": halfExpand, "ceil": ceil, "floor": floor, "expand": expand, "trunc": trunc,
	"halfCeil": halfCeil, "halfFloor": halfFloor, "halfTrunc": halfTrunc, "halfEven": halfEven,
}

// up decides whether a magnitude that is not a multiple of the unit goes up to the next
// one. half compares what is above the lower multiple with half a unit; odd is about
// the lower multiple.
func (m roundingMode) up(neg bool, half int, odd bool) bool {
	switch m {
	case ceil:
		return !neg
	case floor:
		return neg
	case expand:
		return true
	case trunc:
		return false
	}
	if half != 0 {
		return half > 0
	}
	switch m {
	case halfCeil:
		return !neg
	case halfFloor:
		return neg
	case halfTrunc:
		return false
	case halfEven:
		return odd
	}
	return true
}

// round keeps the first n digits of d (n may be zero or less), in buf when the digits
// change.
func round(d Decimal, n int, mode roundingMode, buf []byte) rounded {
	r := rounded{neg: d.neg, digits: d.digits, point: d.point}
	if n >= len(d.digits) {
		return r
	}
	half := -1
	if n >= 0 {
		switch c := d.digits[n]; {
		case c > 5 || c == 5 && n+1 < len(d.digits):
			half = 1
		case c == 5:
			half = 0
		}
	}
	odd := n > 0 && d.digits[n-1]&1 == 1
	keep := max(n, 0)
	if !mode.up(d.neg, half, odd) {
		r.digits = trimZeros(d.digits[:keep])
		if len(r.digits) == 0 {
			r.point = 0
		}
		return r
	}
	if n <= 0 { // one unit of the last place
		r.digits = append(buf[:0], 1)
		r.point = d.point - n + 1
		return r
	}
	out := append(buf[:0], d.digits[:keep]...)
	i := keep - 1
	for ; i >= 0 && out[i] == 9; i-- {
		out[i] = 0
	}
	if i < 0 {
		r.digits = append(out[:0], 1)
		r.point++
		return r
	}
	out[i]++
	r.digits = out[:i+1]
	return r
}

// roundIncrement rounds d to a multiple of increment units of 10^-frac.
func roundIncrement(d Decimal, frac, increment int, mode roundingMode) rounded {
	n := d.point + frac // digits that are whole units
	whole := new(big.Int)
	if n > 0 {
		text := make([]byte, n)
		for i := range text {
			text[i] = '0'
			if i < len(d.digits) {
				text[i] += d.digits[i]
			}
		}
		whole.SetString(string(text), 10)
	}
	inc := big.NewInt(int64(increment))
	q, rest := new(big.Int).QuoRem(whole, inc, new(big.Int))
	more := max(n, 0) < len(d.digits) // something below one unit
	if rest.Sign() != 0 || more {
		half := rest.Lsh(rest, 1).Cmp(inc)
		if more {
			// rest + part of a unit: twice that against inc.
			switch {
			case half < 0 && increment-int(rest.Int64()) == 1: // rest is (inc-1)/2
				c := byte(0)
				if n >= 0 {
					c = d.digits[n]
				}
				switch {
				case c > 5 || c == 5 && n+1 < len(d.digits):
					half = 1
				case c == 5:
					half = 0
				}
			case half == 0:
				half = 1
			}
		}
		if mode.up(d.neg, half, q.Bit(0) == 1) {
			q.Add(q, big.NewInt(1))
		}
	}
	r := rounded{neg: d.neg}
	if q.Sign() == 0 {
		return r
	}
	text := q.Mul(q, inc).String()
	digits := make([]byte, len(text))
	for i := range digits {
		digits[i] = text[i] - '0'
	}
	r.digits = trimZeros(digits)
	r.point = len(text) - frac
	return r
}
