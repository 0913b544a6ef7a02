// Package cldr formats numbers, dates, relative times and lists, and selects plural
// forms, with the data of the Unicode Common Locale Data Repository, as ECMA-402
// specifies it. It knows no JavaScript: a formatter is made from a list of language
// tags and a struct of options.
//
// Formatters are immutable and safe for concurrent use. Data are decoded on first use
// of a language and kept. Errors are *Error.
package cldr

// Data are in sections (section.go): core.bin (locales, aliases, plural rules; the
// variable core), numbers.bin (numbers), dates.bin. A further section is one file of
// gen/ that exports {name, supplemental, locale} and is named in SECTIONS of
// gen/generate.js, and here
//
//	//go:embed dates.bin
//	var datesData string
//	var dates = newSection("dates.bin", datesData)
//
// Then dates.record(loc.data) has the entries of a negotiated locale, inheritance
// included, and dates.record("@") the supplemental ones.

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed core.bin
var coreData string

var core = newSection("core.bin", coreData)

// Version is the CLDR release of the data.
func Version() string { return core.record("@").get("version") }

// An Error is what ECMA-402 throws for arguments that are not allowed. The message is
// V8's where V8 has one. Type says which class: "RangeError" or "TypeError".
type Error struct {
	Type string
	Msg  string
}

// Error returns the message.
func (e *Error) Error() string { return e.Msg }

func rangeError(msg string) error { return &Error{Type: "RangeError", Msg: msg} }
func typeError(msg string) error  { return &Error{Type: "TypeError", Msg: msg} }

func errTag(tag string) error {
	const limit = 100
	if len(tag) > limit {
		tag = strings.ToValidUTF8(tag[:limit], "") + "…"
	}
	return rangeError("Incorrect locale information provided: " + tag)
}

// A keyword is one key of a -u- extension with its value; "" stands for "true".
type keyword struct{ key, value string }

// A tag is a parsed and canonicalised Unicode BCP 47 locale identifier (UTS 35 §3.2).
type tag struct {
	language, script, region string
	variants                 []string
	attributes               []string  // of -u-
	keywords                 []keyword // of -u-, sorted by key
	others                   []string  // other extensions with their singleton, sorted
	private                  string    // "x-…"
}

// base returns the language, script, region and variants.
func (t *tag) base() string {
	var b strings.Builder
	b.WriteString(t.language)
	for _, s := range [2]string{t.script, t.region} {
		if s != "" {
			b.WriteByte('-')
			b.WriteString(s)
		}
	}
	for _, v := range t.variants {
		b.WriteByte('-')
		b.WriteString(v)
	}
	return b.String()
}

// String returns the canonical form.
func (t *tag) String() string {
	var b strings.Builder
	b.WriteString(t.base())
	exts := slices.Clone(t.others)
	if u := unicodeExtension(t.attributes, t.keywords); u != "" {
		exts = append(exts, u)
		slices.SortFunc(exts, func(a, b string) int { return int(a[0]) - int(b[0]) })
	}
	for _, e := range exts {
		b.WriteByte('-')
		b.WriteString(e)
	}
	if t.private != "" {
		b.WriteByte('-')
		b.WriteString(t.private)
	}
	return b.String()
}

func unicodeExtension(attributes []string, keywords []keyword) string {
	if len(attributes)+len(keywords) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteByte('u')
	for _, a := range attributes {
		b.WriteByte('-')
		b.WriteString(a)
	}
	for _, k := range keywords {
		b.WriteByte('-')
		b.WriteString(k.key)
		if k.value != "" {
			b.WriteByte('-')
			b.WriteString(k.value)
		}
	}
	return b.String()
}

// keyword returns the value of a key of the -u- extension.
func (t *tag) keyword(key string) (string, bool) {
	for _, k := range t.keywords {
		if k.key == key {
			return k.value, true
		}
	}
	return "", false
}

// maxTag bounds the length of a tag; the longest meaningful ones have some 60 bytes.
const maxTag = 255

// parseTag parses and canonicalises s.
func parseTag(s string) (*tag, error) {
	if len(s) > maxTag {
		return nil, errTag(s)
	}
	lower := strings.ToLower(s)
	for i := 0; i < len(s); i++ {
		if c := lower[i]; !isAlnum(c) && c != '-' {
			return nil, errTag(s)
		}
	}
	sub := strings.Split(lower, "-")
	t := &tag{}
	i := 0
	next := func(ok func(string) bool) string {
		if i < len(sub) && ok(sub[i]) {
			i++
			return sub[i-1]
		}
		return ""
	}
	if t.language = next(isLanguage); t.language == "" {
		return nil, errTag(s)
	}
	t.script = next(isScript)
	t.region = next(isRegion)
	for v := next(isVariant); v != ""; v = next(isVariant) {
		if slices.Contains(t.variants, v) {
			return nil, errTag(s)
		}
		t.variants = append(t.variants, v)
	}
	seen := map[string]bool{}
	for i < len(sub) {
		single := sub[i]
		if len(single) != 1 || seen[single] {
			return nil, errTag(s)
		}
		seen[single] = true
		i++
		start := i
		if single == "x" {
			for i < len(sub) && len(sub[i]) >= 1 && len(sub[i]) <= 8 {
				i++
			}
			if i == start || i < len(sub) {
				return nil, errTag(s)
			}
			t.private = "x-" + strings.Join(sub[start:], "-")
			break
		}
		for i < len(sub) && len(sub[i]) >= 2 && len(sub[i]) <= 8 {
			i++
		}
		if i == start || i < len(sub) && len(sub[i]) != 1 {
			return nil, errTag(s)
		}
		switch single {
		case "u":
			if !t.parseUnicode(sub[start:i]) {
				return nil, errTag(s)
			}
		case "t":
			ext, ok := canonicalTransform(sub[start:i])
			if !ok {
				return nil, errTag(s)
			}
			t.others = append(t.others, "t-"+ext)
		default:
			t.others = append(t.others, single+"-"+strings.Join(sub[start:i], "-"))
		}
	}
	slices.SortFunc(t.others, func(a, b string) int { return int(a[0]) - int(b[0]) })
	t.canonicalise()
	return t, nil
}

func isAlpha(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isAlnum(c byte) bool { return isAlpha(c) || isDigit(c) }

func all(s string, ok func(byte) bool) bool {
	for i := 0; i < len(s); i++ {
		if !ok(s[i]) {
			return false
		}
	}
	return true
}

func isLanguage(s string) bool {
	return (len(s) == 2 || len(s) == 3 || len(s) >= 5 && len(s) <= 8) && all(s, isAlpha)
}
func isScript(s string) bool { return len(s) == 4 && all(s, isAlpha) }
func isRegion(s string) bool {
	return len(s) == 2 && all(s, isAlpha) || len(s) == 3 && all(s, isDigit)
}
func isVariant(s string) bool {
	return len(s) >= 5 && len(s) <= 8 || len(s) == 4 && isDigit(s[0])
}
func isKey(s string) bool { return len(s) == 2 && isAlpha(s[1]) }

func (t *tag) parseUnicode(sub []string) bool {
	i := 0
	for ; i < len(sub) && len(sub[i]) >= 3; i++ {
		if !slices.Contains(t.attributes, sub[i]) {
			t.attributes = append(t.attributes, sub[i])
		}
	}
	slices.Sort(t.attributes)
	for i < len(sub) {
		key := sub[i]
		if !isKey(key) {
			return false
		}
		i++
		start := i
		for i < len(sub) && len(sub[i]) >= 3 {
			i++
		}
		if _, dup := t.keyword(key); dup {
			continue // the first counts
		}
		t.keywords = append(t.keywords, keyword{key, canonicalValue(key, strings.Join(sub[start:i], "-"))})
	}
	slices.SortFunc(t.keywords, func(a, b keyword) int { return strings.Compare(a.key, b.key) })
	return true
}

// valueAliases are the deprecated values of keywords (CLDR common/bcp47).
var valueAliases = map[string]string{
	"ca-gregorian": "gregory", "ca-ethiopic-amete-alem": "ethioaa", "ca-islamicc": "islamic-civil",
	"ks-primary": "level1", "ks-secondary": "level2", "ks-tertiary": "level3", "ks-quaternary": "level4",
	"ks-identical": "identic", "ms-imperial": "uksystem", "co-dictionary": "dict", "co-phonebook": "phonebk",
	"co-traditional": "trad", "co-gb2312han": "gb2312", "nu-traditional": "traditio",
}

func canonicalValue(key, value string) string {
	if v, ok := valueAliases[key+"-"+value]; ok {
		return v
	}
	switch {
	case value == "true":
		return ""
	case value == "yes" && (key == "kb" || key == "kc" || key == "kh" || key == "kk" || key == "kn"):
		return ""
	}
	return value
}

// canonicalTransform checks a -t- extension and sorts its fields.
func canonicalTransform(sub []string) (string, bool) {
	i := 0
	for i < len(sub) && !isTransformKey(sub[i]) {
		i++
	}
	lang := strings.Join(sub[:i], "-")
	if i > 0 {
		t, err := parseTag(lang)
		if err != nil {
			return "", false
		}
		lang = strings.ToLower(t.base())
	}
	var fields []string
	for i < len(sub) {
		start := i
		i++
		for i < len(sub) && len(sub[i]) >= 3 {
			i++
		}
		if i == start+1 || i < len(sub) && !isTransformKey(sub[i]) {
			return "", false
		}
		fields = append(fields, strings.Join(sub[start:i], "-"))
	}
	slices.Sort(fields)
	if lang != "" {
		fields = append([]string{lang}, fields...)
	}
	return strings.Join(fields, "-"), len(fields) > 0
}

func isTransformKey(s string) bool { return len(s) == 2 && isAlpha(s[0]) && isDigit(s[1]) }

// canonicalise applies the aliases of CLDR and the letter case of BCP 47 (UTS 35 §3.2.1).
func (t *tag) canonicalise() {
	sup := core.record("@")
	t.script, t.region = titleCase(t.script), strings.ToUpper(t.region)
	slices.Sort(t.variants)
	t.aliasLanguage(sup)
	for i, v := range t.variants {
		if a, ok := sup.lookup("alias/variant/" + v); ok {
			t.variants[i] = strings.ToLower(a)
		}
	}
	if a, ok := sup.lookup("alias/script/" + strings.ToLower(t.script)); ok && t.script != "" {
		t.script = a
	}
	if t.region != "" {
		if a, ok := sup.lookup("alias/region/" + strings.ToLower(t.region)); ok {
			list := strings.Fields(a)
			t.region = list[0]
			if len(list) > 1 { // a state that fell apart: the part which speaks the language
				if _, _, r := maximise(t.language, t.script, ""); slices.Contains(list, r) {
					t.region = r
				}
			}
		}
	}
	for i, v := range t.variants {
		if v == "posix" { // en-US-posix is en-US-u-va-posix
			t.variants = slices.Delete(t.variants, i, i+1)
			if _, ok := t.keyword("va"); !ok {
				t.keywords = append(t.keywords, keyword{"va", "posix"})
				slices.SortFunc(t.keywords, func(a, b keyword) int { return strings.Compare(a.key, b.key) })
			}
			break
		}
	}
}

func (t *tag) aliasLanguage(sup *record) {
	try := func(from string) bool {
		to, ok := sup.lookup("alias/lang/" + strings.ToLower(from))
		if !ok {
			return false
		}
		parts := strings.Split(to, "-")
		if parts[0] != "und" { // "und" stands for whatever the language is
			t.language = parts[0]
		}
		for _, p := range parts[1:] {
			switch {
			case len(p) == 4 && isAlpha(p[0]):
				if t.script == "" {
					t.script = p
				}
			case len(p) <= 3:
				if t.region == "" {
					t.region = p
				}
			default:
				t.variants = append(t.variants, strings.ToLower(p))
			}
		}
		return true
	}
	if i, j := slices.Index(t.variants, "hepburn"), slices.Index(t.variants, "heploc"); i >= 0 && j >= 0 {
		t.variants = slices.DeleteFunc(t.variants, func(v string) bool { return v == "hepburn" || v == "heploc" })
		try("und-hepburn-heploc")
	}
	for _, v := range slices.Clone(t.variants) {
		keep := t.variants
		t.variants = slices.DeleteFunc(slices.Clone(t.variants), func(x string) bool { return x == v })
		if !try(t.language+"-"+v) && !try("und-"+v) {
			t.variants = keep
		}
	}
	slices.Sort(t.variants)
	if t.region != "" {
		region := t.region
		t.region = ""
		if try(t.language + "-" + region) {
			return
		}
		t.region = region
	}
	try(t.language)
}

func titleCase(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// maximise adds the likely script and region.
func maximise(lang, script, region string) (l, s, r string) {
	sup := core.record("@")
	for _, k := range [4]string{join(lang, script, region), join(lang, "", region), join(lang, script, ""), lang} {
		v, ok := sup.lookup("likely/" + k)
		if !ok {
			continue
		}
		p := strings.Split(v, "-")
		if len(p) != 3 {
			continue
		}
		if script == "" {
			script = p[1]
		}
		if region == "" {
			region = p[2]
		}
		return lang, script, region
	}
	return lang, script, region
}

func join(lang, script, region string) string {
	if script != "" {
		lang += "-" + script
	}
	if region != "" {
		lang += "-" + region
	}
	return lang
}

// A Locale is what a list of requested tags was resolved to.
type Locale struct {
	// Tag is the locale's tag without extensions: "de-AT".
	Tag string
	// data is the id of the records that have its data: "zh-Hant" for "zh-TW".
	data string
	// keywords are those of the tag that was chosen.
	keywords []keyword
	// language, script and region with the likely ones filled in.
	language, script, region string
}

// keyword returns the value of a key of the -u- extension of the chosen tag.
func (l *Locale) keyword(key string) (string, bool) {
	t := tag{keywords: l.keywords}
	return t.keyword(key)
}

// with returns the tag with the keywords that a formatter kept: "de-u-nu-arab".
func (l *Locale) with(keywords []keyword) string {
	if u := unicodeExtension(nil, keywords); u != "" {
		return l.Tag + "-" + u
	}
	return l.Tag
}

// DefaultLocale is used when no tag is given, or none of them is available.
const DefaultLocale = "en-US"

// Canonical returns the canonical form of a language tag, as Intl.getCanonicalLocales.
func Canonical(s string) (string, error) {
	t, err := parseTag(s)
	if err != nil {
		return "", err
	}
	return t.String(), nil
}

// CanonicalList returns the canonical forms of the tags without duplicates.
func CanonicalList(tags []string) ([]string, error) {
	var out []string
	for _, s := range tags {
		c, err := Canonical(s)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out, nil
}

// Supported returns the canonical forms of those tags that there are data for.
func Supported(tags []string) ([]string, error) {
	list, err := CanonicalList(tags)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, s := range list {
		t, err := parseTag(s)
		if err != nil {
			return nil, err
		}
		if available(t) != "" {
			out = append(out, s)
		}
	}
	return out, nil
}

// Locales returns the locales with data of their own, sorted.
var Locales = sync.OnceValue(func() []string {
	var out []string
	core.record("@").each("locale/", func(id, _ string) {
		if id != "und" {
			out = append(out, id)
		}
	})
	slices.Sort(out)
	return out
})

// available returns the longest name within t's language, script and region that
// names a locale, or "".
func available(t *tag) string {
	sup := core.record("@")
	known := func(id string) bool {
		if _, ok := sup.lookup("locale/" + id); ok {
			return true
		}
		_, ok := sup.lookup("default/" + id)
		return ok
	}
	if t.language == "und" {
		return ""
	}
	for _, c := range [3][2]string{{t.script, t.region}, {t.script, ""}, {"", ""}} {
		id := join(t.language, c[0], c[1])
		if known(id) {
			return id
		}
		if c[0] == "" && c[1] != "" {
			_, s, _ := maximise(t.language, "", c[1])
			if known(join(t.language, s, c[1])) {
				return id
			}
		}
	}
	return ""
}

// dataOf returns the id of the record for a name that available returned.
func dataOf(name string) (data, lang, script, region string) {
	p := strings.Split(name, "-")
	lang = p[0]
	for _, s := range p[1:] {
		if len(s) == 4 {
			script = s
		} else {
			region = s
		}
	}
	_, likely, _ := maximise(lang, "", "")
	askedRegion := region
	_, script, region = maximise(lang, script, region)
	sup := core.record("@")
	has := func(id string) bool {
		_, ok := sup.lookup("locale/" + id)
		return ok
	}
	_, regionScript, _ := maximise(lang, "", region)
	switch {
	case askedRegion != "" && has(join(lang, script, region)):
		data = join(lang, script, region)
	case askedRegion != "" && regionScript == script && has(join(lang, "", region)):
		data = join(lang, "", region)
	case has(join(lang, script, "")):
		data = join(lang, script, "")
	case script == likely && has(lang):
		data = lang
	default:
		data = "und"
	}
	return data, lang, script, region
}

// ParseLocales canonicalises a list of tags and picks the first that there are data
// for: the best-fit matcher of ECMA-402. When there is none it is DefaultLocale.
func ParseLocales(tags []string) (Locale, error) {
	var chosen *tag
	name := ""
	for _, s := range tags {
		t, err := parseTag(s)
		if err != nil {
			return Locale{}, err
		}
		if chosen == nil {
			if name = available(t); name != "" {
				chosen = t
			}
		}
	}
	if chosen == nil {
		name, chosen = DefaultLocale, &tag{}
	}
	l := Locale{Tag: name, keywords: chosen.keywords}
	l.data, l.language, l.script, l.region = dataOf(name)
	return l, nil
}
