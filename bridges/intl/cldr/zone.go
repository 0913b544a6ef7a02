package cldr

// Keys of zones.bin.
//
//	zh zg zz zr zf   hour format, GMT format, GMT zero format, region format, fallback format
//	mz/METAZONE      names: long generic, standard, daylight, then short ones, joined by "|"
//	zn/ZONE          the same of a zone of its own
//	ec/ZONE          city, where it is not the last part of the name, if it can be shown
//	cn/REGION        countries that name a zone, or have one that stands for a metazone
//
// In the record "@": zone/LOWERCASE = name and CLDR's name where another, zoneinfo/ZONE =
// country and whether it names the zone, metazones/ZONE = name, from, to in minutes of the
// epoch;…, golden/METAZONE = REGION=ZONE;…

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // so that results do not depend on the machine
)

//go:embed zones.bin
var zonesData string

var zones = newSection("zones.bin", zonesData)

// DefaultTimeZone is used when no zone is given: results must not depend on the host.
const DefaultTimeZone = "UTC"

// A timeZone is an IANA zone or a fixed offset. Immutable.
type timeZone struct {
	name   string // as resolvedOptions shows it
	cldr   string // CLDR's name; "" for an offset
	loc    *time.Location
	fixed  bool // the offset never changes
	offset int  // seconds, when fixed

	country string
	named   bool // the country names the zone
	metas   []metaPeriod
	flips   []flip
}

type metaPeriod struct {
	name     string
	from, to int64 // seconds
}

// A flip is a time in which the data for Go and those for CLDR's names take another of
// two clocks for the standard one (IANA's "negative daylight saving time").
type flip struct{ from, to int64 }

const forever = int64(1) << 62

var flips = map[string][]flip{
	"Europe/Dublin":     {{57722400, forever}},
	"Africa/Casablanca": {{1540692000, forever}},
	"Africa/El_Aaiun":   {{1540692000, forever}},
	"Africa/Windhoek":   {{764200800, 1508796000}},
}

// TimeZones returns the IANA names that can be asked for, sorted, links included.
func TimeZones() []string {
	var out []string
	zones.record("@").each("zone/", func(_, v string) {
		name, _, _ := strings.Cut(v, listSep)
		out = append(out, name)
	})
	slices.Sort(out)
	return out
}

var zoneCache sync.Map // name in lower case to *timeZone; only IANA names, so bounded

// maxZoneName bounds what is looked up; the longest name has 32 bytes.
const maxZoneName = 64

func errZone(name string) error {
	return rangeError("Invalid time zone specified: " + clip(name))
}

// timeZoneNamed resolves an IANA name in any case, or an offset as "+05:30", "+0530" or
// "+05".
func timeZoneNamed(name string) (*timeZone, error) {
	if len(name) > maxZoneName || name == "" {
		return nil, errZone(name)
	}
	if name[0] == '+' || name[0] == '-' {
		return offsetZone(name)
	}
	for i := range len(name) {
		if name[i] >= 0x80 {
			return nil, errZone(name)
		}
	}
	lower := strings.ToLower(name)
	if z, ok := zoneCache.Load(lower); ok {
		return z.(*timeZone), nil
	}
	sup := zones.record("@")
	v, ok := sup.lookup("zone/" + lower)
	if !ok {
		return nil, errZone(name)
	}
	id, link, _ := strings.Cut(v, listSep)
	z := &timeZone{name: id, cldr: id}
	if link != "" {
		z.cldr = link
	}
	var err error
	if z.loc, err = time.LoadLocation(id); err != nil {
		if z.loc, err = time.LoadLocation(z.cldr); err != nil {
			return nil, errZone(name)
		}
	}
	switch id {
	case "GMT", "Etc/GMT", "GMT0", "GMT+0", "GMT-0":
		z.cldr = "Etc/UTC" // ECMA-402: GMT is UTC
	}
	z.fixed = z.cldr == "Etc/UTC" || z.cldr == "Etc/GMT"
	country, named, _ := strings.Cut(sup.get("zoneinfo/"+z.cldr), listSep)
	z.country, z.named = country, named != ""
	z.flips = flips[z.cldr]
	if list := sup.get("metazones/" + z.cldr); list != "" {
		for p := range strings.SplitSeq(list, ";") {
			f := strings.Split(p, ",")
			if len(f) != 3 {
				continue
			}
			m := metaPeriod{f[0], 0, forever} // CLDR's record begins in 1970
			if n, err := strconv.ParseInt(f[1], 10, 64); err == nil {
				m.from = n * 60
			}
			if n, err := strconv.ParseInt(f[2], 10, 64); err == nil {
				m.to = n * 60
			}
			z.metas = append(z.metas, m)
		}
	}
	kept, _ := zoneCache.LoadOrStore(lower, z)
	return kept.(*timeZone), nil
}

// offsetZone makes the zone of an offset: ±HH, ±HHMM or ±HH:MM.
func offsetZone(s string) (*timeZone, error) {
	d := s[1:]
	switch len(d) {
	case 2:
		d += "00"
	case 5:
		if d[2] != ':' {
			return nil, errZone(s)
		}
		d = d[:2] + d[3:]
	}
	if len(d) != 4 || !all(d, isDigit) {
		return nil, errZone(s)
	}
	h, m := int(d[0]-'0')*10+int(d[1]-'0'), int(d[2]-'0')*10+int(d[3]-'0')
	if h > 23 || m > 59 {
		return nil, errZone(s)
	}
	z := &timeZone{fixed: true, offset: h*3600 + m*60}
	sign := s[:1]
	if sign == "-" {
		z.offset = -z.offset
	}
	if z.offset == 0 {
		sign = "+"
	}
	z.name = sign + d[:2] + ":" + d[2:]
	return z, nil
}

// at returns the offset from UTC at a time and whether it is daylight saving time.
func (z *timeZone) at(sec int64) (offset int, dst bool) {
	if z.fixed {
		return z.offset, false
	}
	t := time.Unix(sec, 0).In(z.loc)
	_, offset = t.Zone()
	dst = t.IsDST()
	for _, f := range z.flips {
		if sec >= f.from && sec < f.to {
			dst = !dst
		}
	}
	return offset, dst
}

// nearDST tells whether daylight saving time begins or ended within half a year.
func (z *timeZone) nearDST(sec int64) bool {
	if z.fixed {
		return false
	}
	const half = 184 * 86400
	start, end := time.Unix(sec, 0).In(z.loc).ZoneBounds()
	if !start.IsZero() && sec-start.Unix() < half {
		if _, dst := z.at(start.Unix() - 1); dst {
			return true
		}
	}
	if !end.IsZero() && end.Unix()-sec < half {
		if _, dst := z.at(end.Unix()); dst {
			return true
		}
	}
	return false
}

func (z *timeZone) metazone(sec int64) string {
	for i := range z.metas {
		if m := &z.metas[i]; sec >= m.from && sec < m.to {
			return m.name
		}
	}
	return ""
}

// Indices into the six names of a zone.
const (
	nameGeneric = iota
	nameStandard
	nameDaylight
	namesPerWidth
)

// zoneNames has what the zones are called in a locale. Immutable.
type zoneNames struct {
	rec    *record
	region string

	gmtPrefix, gmtSuffix string
	signs, ends          [2]string // plus, minus: what stands before the hour and after the minute
	separator            string    // between hour and minute
	regionFormat         string
	fallback             string
}

// zoneNamesOf returns the names for a locale.
func zoneNamesOf(loc *Locale) *zoneNames {
	n := &zoneNames{rec: zones.record(loc.data), region: loc.region}
	n.gmtPrefix, n.gmtSuffix, _ = strings.Cut(n.rec.get("zg"), "{0}")
	plus, minus, _ := strings.Cut(n.rec.get("zh"), ";")
	n.separator = ":"
	for i, p := range [2]string{plus, minus} {
		j, k := strings.IndexByte(p, 'H'), strings.IndexByte(p, 'm')
		if j < 0 || k < j {
			continue
		}
		n.signs[i] = p[:j]
		n.separator = strings.TrimLeft(p[j:k], "H")
		n.ends[i] = strings.TrimLeft(p[k:], "m")
	}
	n.regionFormat, n.fallback = n.rec.get("zr"), n.rec.get("zf")
	return n
}

// six returns one of the six names under a key.
func (n *zoneNames) six(key string, i int) string {
	v, ok := n.rec.lookup(key)
	if !ok {
		return ""
	}
	for ; i > 0; i-- {
		if _, v, ok = strings.Cut(v, listSep); !ok {
			return ""
		}
	}
	v, _, _ = strings.Cut(v, listSep)
	return v
}

// offset appends the localised GMT format.
func (n *zoneNames) offset(b []byte, seconds int, short bool, digits *[10]string) []byte {
	sign := 0
	if seconds < 0 {
		seconds, sign = -seconds, 1
	}
	b = append(b, n.gmtPrefix...)
	b = append(b, n.signs[sign]...)
	two := func(v int) {
		b = append(b, digits[v/10%10]...)
		b = append(b, digits[v%10]...)
	}
	h, m, s := seconds/3600, seconds/60%60, seconds%60
	if h >= 10 || !short {
		two(h)
	} else {
		b = append(b, digits[h]...)
	}
	if m != 0 || s != 0 || !short {
		b = append(b, n.separator...)
		two(m)
		if s != 0 {
			b = append(b, n.separator...)
			two(s)
		}
		b = append(b, n.ends[sign]...)
	}
	return append(b, n.gmtSuffix...)
}

// specific returns the name for the time at hand ("" when there is none): z and zzzz.
func (n *zoneNames) specific(z *timeZone, sec int64, dst, long bool) string {
	if z.cldr == "" {
		return ""
	}
	i := nameStandard
	if dst {
		i = nameDaylight
	}
	if !long {
		i += namesPerWidth
	}
	if s := n.six("zn/"+z.cldr, i); s != "" {
		return s
	}
	if m := z.metazone(sec); m != "" {
		return n.six("mz/"+m, i)
	}
	return ""
}

// generic returns the name for all of the year, a location where there is none, or "":
// v and vvvv (UTS 35 "Time Zone Format Terminology": generic non-location format).
func (n *zoneNames) generic(z *timeZone, sec int64, offset int, dst, long bool) string {
	if z.cldr == "" {
		return ""
	}
	add := 0
	if !long {
		add = namesPerWidth
	}
	if s := n.six("zn/"+z.cldr, nameGeneric+add); s != "" {
		return s
	}
	if meta := z.metazone(sec); meta != "" {
		name := n.six("mz/"+meta, nameGeneric+add)
		if !dst && !z.nearDST(sec) {
			std := n.specific(z, sec, false, long)
			if std != "" && !strings.EqualFold(std, name) {
				return std
			}
		}
		if name != "" {
			golden := goldenZone(meta, n.region)
			if golden == "" || golden == z.cldr {
				return name
			}
			if g, err := timeZoneNamed(golden); err == nil {
				if o, d := g.at(sec); o == offset && d == dst {
					return name
				}
			}
			place := ""
			if z.country != "" && goldenZone(meta, z.country) == z.cldr {
				place = n.rec.get("cn/" + z.country)
			}
			if place == "" {
				place = n.city(z)
			}
			return fillTemplate(n.fallback, place, name)
		}
	}
	if z.country == "" {
		return ""
	}
	place := ""
	if z.named {
		place = n.rec.get("cn/" + z.country)
		if place == "" {
			place = z.country
		}
	} else {
		place = n.city(z)
	}
	return fillTemplate(n.regionFormat, place)
}

func (n *zoneNames) city(z *timeZone) string {
	if c, ok := n.rec.lookup("ec/" + z.cldr); ok {
		return c
	}
	return strings.ReplaceAll(z.cldr[strings.LastIndexByte(z.cldr, '/')+1:], "_", " ")
}

// goldenZone is the zone that stands for a metazone in a region.
func goldenZone(meta, region string) string {
	world := ""
	for e := range strings.SplitSeq(zones.record("@").get("golden/"+meta), ";") {
		r, z, _ := strings.Cut(e, "=")
		if r == region {
			return z
		}
		if r == "001" {
			world = z
		}
	}
	return world
}
