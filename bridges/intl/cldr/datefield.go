package cldr

import (
	"slices"
	"strings"
)

// A dateItem is a pattern item that is ready to be written.
type dateItem struct {
	letter byte
	n      int
	text   string   // of a literal
	names  []string // of a month, day, era or day period
	hebrew bool     // the number is written in Hebrew letters
	gannen bool     // year 1 is written 元
}

// A moment is a point in time in the zone and calendar of a formatter.
type moment struct {
	sec    int64
	offset int
	dst    bool
	milli  int
	hour   int
	minute int
	second int
	day    int64 // days since 1970-01-01, local
	civil  civil
}

func (f *DateTimeFormat) moment(t int64) moment {
	var v moment
	v.sec = floorDiv(t, 1000)
	v.milli = int(t - v.sec*1000)
	v.offset, v.dst = f.zone.at(v.sec)
	local := v.sec + int64(v.offset)
	v.day = floorDiv(local, 86400)
	rest := int(local - v.day*86400)
	v.hour, v.minute, v.second = rest/3600, rest/60%60, rest%60
	v.civil = f.data.cal.date(v.day)
	return v
}

// compile prepares a pattern.
func (f *DateTimeFormat) compile(pattern []patternItem) []dateItem {
	d := f.data
	out := make([]dateItem, 0, len(pattern))
	gannen := f.plan.override == "y=jpanyear"
	if d.cal.id == "japanese" && f.loc.language == "ja" {
		for _, it := range pattern {
			gannen = gannen || strings.Contains(it.text, "年")
		}
	}
	hebrew := f.plan.override == "hebr"
	for _, it := range pattern {
		x := dateItem{letter: it.letter, n: it.n, text: plainSpaces(it.text)}
		width := shortName
		switch it.n {
		case 4:
			width = wideName
		case 5:
			width = narrowName
		}
		switch it.letter {
		case 'G':
			x.names = d.eras[width]
		case 'M', 'L':
			if it.n >= 3 {
				x.names = d.months.format[width]
				if it.letter == 'L' {
					x.names = d.months.alone[width]
				}
			}
			x.hebrew = hebrew
		case 'E':
			x.names = d.days.format[width]
		case 'c', 'e':
			if it.n >= 3 {
				x.names = d.days.alone[width]
				if it.letter == 'e' {
					x.names = d.days.format[width]
				}
			}
		case 'a', 'b', 'B':
			x.names = d.periods.format[width]
		case 'y':
			x.hebrew, x.gannen = hebrew, gannen
		case 'd':
			x.hebrew = hebrew
		}
		out = append(out, x)
	}
	return out
}

// plainSpaces does what V8 does to dates since so many programs compare with or split
// at the spaces of old: U+202F becomes a space.
func plainSpaces(s string) string { return strings.ReplaceAll(s, "\u202f", " ") }

// field appends the text of one item.
func (f *DateTimeFormat) field(b []byte, it *dateItem, v *moment) []byte {
	switch it.letter {
	case 0:
		return append(b, it.text...)
	case 'G':
		return append(b, name(it.names, v.civil.era)...)
	case 'y', 'Y', 'u':
		y := v.civil.year
		switch {
		case it.gannen && y == 1:
			return append(b, "元"...)
		case it.hebrew:
			if y > 5000 && y < 6000 {
				y -= 5000
			}
			return appendHebrew(b, y)
		case it.n == 2:
			return f.number(b, int(floorMod(int64(y), 100)), 2)
		}
		return f.number(b, y, it.n)
	case 'r':
		return f.number(b, int(v.civil.related), it.n)
	case 'U':
		return f.number(b, v.civil.year, 1)
	case 'M', 'L':
		m := v.civil.month
		if it.names != nil {
			if v.civil.leap && m == 7 && f.data.cal.id == "hebrew" {
				m = 14 // Adar II
			}
			return append(b, name(it.names, m-1)...)
		}
		if f.data.cal.id == "hebrew" && !v.civil.leap && m >= 7 {
			m--
		}
		if it.hebrew {
			return appendHebrew(b, m)
		}
		return f.number(b, m, it.n)
	case 'd':
		if it.hebrew {
			return appendHebrew(b, v.civil.day)
		}
		return f.number(b, v.civil.day, it.n)
	case 'E', 'c', 'e':
		wd := int(floorMod(v.day+4, 7))
		if it.names == nil {
			return f.number(b, wd+1, it.n)
		}
		return append(b, name(it.names, wd)...)
	case 'a':
		return append(b, name(it.names, ampm(v.hour))...)
	case 'b', 'B':
		return append(b, f.period(it, v)...)
	case 'h':
		return f.number(b, (v.hour+11)%12+1, it.n)
	case 'H':
		return f.number(b, v.hour, it.n)
	case 'K':
		return f.number(b, v.hour%12, it.n)
	case 'k':
		return f.number(b, (v.hour+23)%24+1, it.n)
	case 'm':
		return f.number(b, v.minute, it.n)
	case 's':
		return f.number(b, v.second, it.n)
	case 'S':
		m := v.milli
		for i := it.n; i < 3; i++ {
			m /= 10
		}
		return f.number(b, m, it.n)
	case 'z':
		if s := f.names.specific(f.zone, v.sec, v.dst, it.n >= 4); s != "" {
			return append(b, s...)
		}
		return f.names.offset(b, v.offset, it.n < 4, &f.sym.digits)
	case 'v':
		if s := f.names.generic(f.zone, v.sec, v.offset, v.dst, it.n >= 4); s != "" {
			return append(b, s...)
		}
		return f.names.offset(b, v.offset, it.n < 4, &f.sym.digits)
	case 'O':
		return f.names.offset(b, v.offset, it.n < 4, &f.sym.digits)
	}
	return b
}

func name(names []string, i int) string {
	if i < 0 || i >= len(names) {
		return ""
	}
	return names[i]
}

func ampm(hour int) int {
	if hour >= 12 {
		return periodPM
	}
	return periodAM
}

// period is the name of the day period of b (noon and midnight) or B (flexible).
func (f *DateTimeFormat) period(it *dateItem, v *moment) string {
	d := f.data
	// Midnight has names too, which nothing uses: whose day would it be?
	if v.hour == 12 && d.hasPeriod[periodNoon] && f.plan.onTheHour(v) {
		if s := name(it.names, periodNoon); s != "" {
			return s
		}
	}
	if it.letter == 'B' {
		if s := name(it.names, int(d.flexible[v.hour])); s != "" {
			return s
		}
	}
	return name(it.names, ampm(v.hour))
}

// number appends n with at least width digits, in the digits of the formatter.
func (f *DateTimeFormat) number(b []byte, n, width int) []byte {
	if n < 0 {
		b = append(b, f.sym.minus...)
		n = -n
	}
	var digits [20]byte
	i := len(digits)
	for n > 0 || width > 0 {
		i--
		digits[i] = byte(n % 10)
		n /= 10
		width--
		if i == 0 {
			break
		}
	}
	if f.sym.latin {
		for _, d := range digits[i:] {
			b = append(b, '0'+d)
		}
		return b
	}
	for _, d := range digits[i:] {
		b = append(b, f.sym.digits[d]...)
	}
	return b
}

var hebrewLetters = []struct {
	value  int
	letter string
}{
	{400, "ת"}, {300, "ש"}, {200, "ר"}, {100, "ק"}, {90, "צ"}, {80, "פ"}, {70, "ע"}, {60, "ס"}, {50, "נ"},
	{40, "מ"}, {30, "ל"}, {20, "כ"}, {10, "י"}, {9, "ט"}, {8, "ח"}, {7, "ז"}, {6, "ו"}, {5, "ה"}, {4, "ד"},
	{3, "ג"}, {2, "ב"}, {1, "א"},
}

// appendHebrew writes a number in Hebrew letters: 15 is ט״ו, thousands go before a geresh.
func appendHebrew(b []byte, n int) []byte {
	const geresh, gershayim = "׳", "״"
	if n <= 0 {
		return append(b, '0')
	}
	if n >= 1000 {
		b = appendHebrew(b, n/1000)
		if n %= 1000; n == 0 {
			return b
		}
	}
	var letters []string
	for _, l := range hebrewLetters {
		if n == 15 || n == 16 {
			letters = append(letters, "ט", map[int]string{15: "ו", 16: "ז"}[n])
			break
		}
		for n >= l.value {
			letters = append(letters, l.letter)
			n -= l.value
		}
	}
	if len(letters) == 1 {
		return append(append(b, letters[0]...), geresh...)
	}
	letters = slices.Insert(letters, len(letters)-1, gershayim)
	return append(b, strings.Join(letters, "")...)
}
