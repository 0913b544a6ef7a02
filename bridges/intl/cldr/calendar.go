package cldr

import "sort"

// civil is a date in some calendar. Months count from 1; in the Hebrew calendar 1 is
// Tishri, 6 Adar I (leap years only), 7 Adar, 13 Elul.
type civil struct {
	era, year  int // year of the era
	month, day int
	leap       bool  // Hebrew: a year with Adar I
	related    int64 // the Gregorian year, for the pattern letter r
}

// A calendar converts days since 1970-01-01 to dates.
type calendar struct {
	id   string // BCP 47 type
	data string // prefix of its keys in the data
	date func(day int64) civil
}

// calendars are the ones that can be asked for. What ECMA-402 also knows, and is not
// here: chinese, dangi, iso8601.
var calendars = map[string]*calendar{}

func init() {
	for _, c := range []calendar{
		{"gregory", "g", gregorian},
		{"buddhist", "buddhist", buddhist},
		{"japanese", "japanese", japanese},
		{"persian", "persian", persian},
		{"islamic-civil", "islamic", islamicCivil},
		{"islamic-tbla", "islamic", islamicTabular},
		{"islamic-umalqura", "islamic", umalqura},
		{"hebrew", "hebrew", hebrew},
		{"roc", "roc", roc},
		{"coptic", "coptic", coptic},
		{"ethiopic", "ethiopic", ethiopic},
		{"ethioaa", "ethiopic", ethiopicAlem},
		{"indian", "indian", indian},
	} {
		calendars[c.id] = &c
	}
}

// calendarNamed returns the calendar of a BCP 47 type, or nil. The types islamic and
// islamic-rgsa stand for sightings that nothing can compute; as ECMA-402 permits they
// are taken as islamic-civil.
func calendarNamed(id string) *calendar {
	switch id {
	case "islamic", "islamic-rgsa", "islamicc":
		id = "islamic-civil"
	case "gregorian":
		id = "gregory"
	}
	return calendars[id]
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// ymd is the proleptic Gregorian date of a day, by counting in eras of 400 years.
func ymd(day int64) (year int64, month, dom int) {
	day += 719468 // from 0000-03-01
	era := floorDiv(day, 146097)
	doe := day - era*146097
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	dom = int(doy-(153*mp+2)/5) + 1
	month = int(mp) + 3
	year = yoe + era*400
	if month > 12 {
		month -= 12
		year++
	}
	return year, month, dom
}

// dayOf is the inverse of ymd.
func dayOf(year int64, month, dom int) int64 {
	if month <= 2 {
		year--
	}
	era := floorDiv(year, 400)
	yoe := year - era*400
	mp := int64(month+9) % 12
	doy := (153*mp+2)/5 + int64(dom) - 1
	return era*146097 + yoe*365 + yoe/4 - yoe/100 + doy - 719468
}

func gregorian(day int64) civil {
	y, m, d := ymd(day)
	c := civil{era: 1, year: int(y), month: m, day: d, related: y}
	if y <= 0 {
		c.era, c.year = 0, int(1-y)
	}
	return c
}

func buddhist(day int64) civil {
	y, m, d := ymd(day)
	return civil{year: int(y + 543), month: m, day: d, related: y}
}

// roc counts years of the Republic of China from 1912, and years before it.
func roc(day int64) civil {
	y, m, d := ymd(day)
	c := civil{era: 1, year: int(y - 1911), month: m, day: d, related: y}
	if c.year <= 0 {
		c.era, c.year = 0, 1-c.year
	}
	return c
}

// indian is the national calendar: a solar year of the Gregorian calendar's length that
// begins on its 81st day.
func indian(day int64) civil {
	y, _, _ := ymd(day)
	rest := day - dayOf(y, 1, 1) - 80
	year := y - 78
	if rest < 0 {
		year--
		rest = day - dayOf(y-1, 1, 1) - 80
	}
	first := dayOf(year+79, 1, 1) - dayOf(year+78, 1, 1) - 335 // 30, in leap years 31 days
	c := civil{year: int(year), related: y}
	switch {
	case rest < first:
		c.month, c.day = 1, int(rest)+1
	case rest < first+5*31:
		rest -= first
		c.month, c.day = int(rest/31)+2, int(rest%31)+1
	default:
		rest -= first + 5*31
		c.month, c.day = int(rest/30)+7, int(rest%30)+1
	}
	return c
}

// alexandrian is the year of twelve months of 30 days and one of 5 or 6 that the Coptic
// and the Ethiopic calendar share; epoch is the first day of year 1.
func alexandrian(day, epoch int64) civil {
	n := day - epoch + 365 // from the first day of year 0, which follows a leap year
	cycle := floorDiv(n, 1461)
	r := n - cycle*1461
	year := r/365 - r/1460
	doy := r - year*365
	y, _, _ := ymd(day)
	return civil{era: 1, year: int(4*cycle + year), month: int(doy/30) + 1, day: int(doy%30) + 1, related: y}
}

func coptic(day int64) civil {
	c := alexandrian(day, copticEpoch)
	if c.year <= 0 {
		c.era, c.year = 0, 1-c.year
	}
	return c
}

// ethiopic counts the years before 1 from the creation, as ethiopicAlem does all.
func ethiopic(day int64) civil {
	c := alexandrian(day, ethiopicEpoch)
	if c.year <= 0 {
		c.era, c.year = 0, c.year+5500
	}
	return c
}

func ethiopicAlem(day int64) civil {
	c := alexandrian(day, ethiopicEpoch)
	c.era, c.year = 0, c.year+5500
	return c
}

// japanese has the eras from Taika on, each from its first day; what is before counts
// in Taika.
func japanese(day int64) civil {
	y, m, d := ymd(day)
	starts := japaneseEras()
	i := sort.Search(len(starts), func(i int) bool { return starts[i].day > day }) - 1
	i = max(i, 0)
	return civil{era: i, year: int(y) - starts[i].year + 1, month: m, day: d, related: y}
}

// Days of the first of year 1.
const (
	persianEpoch      = 1948320 - julianUnix
	islamicCivilEpoch = 1948440 - julianUnix
	islamicAstroEpoch = 1948439 - julianUnix
	hebrewEpoch       = 347998 - julianUnix
	copticEpoch       = 1825030 - julianUnix
	ethiopicEpoch     = 1724221 - julianUnix
	julianUnix        = 2440588 // the Julian day that begins at noon of 1970-01-01
)

// persianLate are the years in which the 33-year rule puts the leap day a year before
// the observed calendar does (computed for the Tehran meridian, 1502 to 2988).
var persianLate = map[int64]bool{}

func init() {
	for _, y := range []int64{1502, 1601, 1634, 1667, 1700, 1733, 1766, 1799, 1832, 1865, 1898, 1931, 1964, 1997,
		2030, 2059, 2063, 2096, 2129, 2158, 2162, 2191, 2195, 2224, 2228, 2257, 2261, 2290, 2294, 2323, 2327, 2356,
		2360, 2389, 2393, 2422, 2426, 2455, 2459, 2488, 2492, 2521, 2525, 2554, 2558, 2587, 2591, 2620, 2624, 2653,
		2657, 2686, 2690, 2719, 2723, 2748, 2752, 2756, 2781, 2785, 2789, 2818, 2822, 2847, 2851, 2855, 2880, 2884,
		2888, 2913, 2917, 2921, 2946, 2950, 2954, 2979, 2983, 2987} {
		persianLate[y] = true
	}
}

func persianNewYear(year int64) int64 {
	n := persianEpoch + 365*(year-1) + floorDiv(8*year+21, 33)
	if persianLate[year-1] {
		n--
	}
	return n
}

func persian(day int64) civil {
	year := 1 + floorDiv(33*(day-persianEpoch)+3, 12053)
	for day < persianNewYear(year) {
		year--
	}
	for day >= persianNewYear(year+1) {
		year++
	}
	doy := int(day - persianNewYear(year))
	y, _, _ := ymd(day)
	c := civil{year: int(year), related: y}
	if doy < 186 {
		c.month, c.day = doy/31+1, doy%31+1
	} else {
		c.month, c.day = (doy-186)/30+7, (doy-186)%30+1
	}
	return c
}

// tabular is the arithmetic Islamic calendar: 11 leap years in 30.
func tabular(day, epoch int64) civil {
	n := day - epoch
	year := floorDiv(30*n+10646, 10631)
	rest := n - ((year-1)*354 + floorDiv(3+11*year, 30))
	month := min(2*rest/59, 11) // months of 30 and 29 days in turn
	dom := rest - (59*month+1)/2 + 1
	y, _, _ := ymd(day)
	return civil{year: int(year), month: int(month) + 1, day: int(dom), related: y}
}

func islamicCivil(day int64) civil   { return tabular(day, islamicCivilEpoch) }
func islamicTabular(day int64) civil { return tabular(day, islamicAstroEpoch) }

// umalquraYears are the first days of the years of the table, and of the year after it.
var umalquraYears = func() (out [len(umalquraMonths) + 1]int64) {
	day := int64(umalquraEpoch)
	for i, bits := range umalquraMonths {
		out[i] = day
		day += 12 * 29
		for ; bits != 0; bits &= bits - 1 {
			day++
		}
	}
	out[len(umalquraMonths)] = day
	return out
}()

// umalqura is the tabular civil calendar outside of the published years.
func umalqura(day int64) civil {
	if day < umalquraYears[0] || day >= umalquraYears[len(umalquraMonths)] {
		return islamicCivil(day)
	}
	i := sort.Search(len(umalquraYears), func(i int) bool { return umalquraYears[i] > day }) - 1
	rest := day - umalquraYears[i]
	y, _, _ := ymd(day)
	c := civil{year: umalquraFirst + i, month: 1, related: y}
	for {
		n := int64(29 + umalquraMonths[i]>>(12-c.month)&1)
		if rest < n {
			c.day = int(rest) + 1
			return c
		}
		rest -= n
		c.month++
	}
}

// hebrewElapsed is the number of days from the epoch to the new year of a year, with the
// postponements (Dershowitz and Reingold, Calendrical Calculations, "Hebrew calendar").
func hebrewElapsed(year int64) int64 {
	months := floorDiv(235*year-234, 19)
	parts := 12084 + 13753*months
	day := 29*months + floorDiv(parts, 25920)
	if (3*(day+1))%7 < 3 && (3*(day+1))%7 >= 0 {
		day++
	}
	return day
}

func hebrewNewYear(year int64) int64 {
	a, b, c := hebrewElapsed(year-1), hebrewElapsed(year), hebrewElapsed(year+1)
	n := hebrewEpoch + b
	switch {
	case c-b == 356:
		n += 2
	case b-a == 382:
		n++
	}
	return n
}

func hebrew(day int64) civil {
	year := floorDiv((day-hebrewEpoch)*98496, 35975351) + 1
	for day < hebrewNewYear(year) {
		year--
	}
	for day >= hebrewNewYear(year+1) {
		year++
	}
	start := hebrewNewYear(year)
	length := hebrewNewYear(year+1) - start
	rest := int(day - start)
	y, _, _ := ymd(day)
	c := civil{year: int(year), leap: floorMod(7*year+1, 19) < 7, related: y}
	for c.month = 1; ; c.month++ {
		if c.month == 6 && !c.leap {
			continue
		}
		n := 30
		switch c.month {
		case 2: // Heshvan is long in complete years
			if length%10 != 5 {
				n = 29
			}
		case 3: // Kislev is short in deficient ones
			if length%10 == 3 {
				n = 29
			}
		case 4, 7, 9, 11, 13:
			n = 29
		}
		if rest < n || c.month == 13 {
			c.day = rest + 1
			return c
		}
		rest -= n
	}
}

func floorMod(a, b int64) int64 { return a - b*floorDiv(a, b) }
