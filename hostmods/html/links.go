package html

import (
	"context"
	"encoding/json"
	"strings"

	"quicksand/bridges"
	"quicksand/hostmods"
	"quicksand/internal/marshal"
	"quicksand/internal/webapi"
)

// A resolver resolves addresses of a page.
type resolver struct {
	base   string // "" without one that parses
	origin string
}

// newResolver has the address of a page as its base, and with honour the base element.
func newResolver(d *document, base string, honour bool) resolver {
	if honour {
		for i := range d.elements {
			if d.elements[i].name != "base" {
				continue
			}
			if href, ok := d.attribute(int32(i), "href"); ok {
				if u, ok := webapi.ParseURL(href, base, base != ""); ok {
					base = u[0]
				}
				break
			}
		}
	}
	u, ok := webapi.ParseURL(base, "", false)
	if !ok {
		return resolver{}
	}
	return resolver{base: u[0], origin: u[10]}
}

// resolve is an address made absolute, where that works.
func (r resolver) resolve(address string) (href, origin string, ok bool) {
	u, ok := webapi.ParseURL(address, r.base, r.base != "")
	return u[0], u[10], ok
}

func extractLinks(ctx context.Context, c *bridges.Call) (any, error) {
	d, err := parseDocument(ctx, c, nil)
	if err != nil {
		return nil, err
	}
	o := c.Options(2)
	full := hostmods.Truthy(o.Field("resolve"), false)
	limit := limitOf(o.Field("limit"), maxList, maxLongList)
	r := newResolver(d, c.Str(1), full)
	result := []any{}
	for i := range d.elements {
		if len(result) >= limit {
			break
		}
		if i%4096 == 4095 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if d.elements[i].name != "a" {
			continue
		}
		href, ok := d.attribute(int32(i), "href")
		if !ok {
			continue
		}
		link := &marshal.Object{Entries: []marshal.Entry{{Key: "href", Value: href}, {Key: "text", Value: trimSpace(d.content(int32(i)))}, {Key: "type", Value: r.linkType(href)}}}
		if full {
			var url any
			if u, _, ok := r.resolve(href); ok {
				url = u
			}
			link.Set("url", url)
			for _, name := range []string{"rel", "title"} {
				if v, ok := d.attribute(int32(i), name); ok {
					link.Set(name, v)
				}
			}
		}
		result = append(result, link)
	}
	return result, nil
}

// linkType says whether a link stays on the site of the page.
func (r resolver) linkType(href string) string {
	h := lower(trimSpace(href))
	switch {
	case h == "" || h[0] == '#':
		return "internal"
	case strings.HasPrefix(h, "mailto:") || strings.HasPrefix(h, "tel:") || strings.HasPrefix(h, "javascript:"):
		return "external"
	}
	if r.base != "" {
		if _, origin, ok := r.resolve(href); ok {
			if origin == r.origin && origin != "null" {
				return "internal"
			}
			return "external"
		}
	}
	if strings.HasPrefix(h, "//") || hasScheme(h) {
		return "external"
	}
	return "internal"
}

// hasScheme reports whether an address begins with a scheme (RFC 3986, section 3.1).
func hasScheme(s string) bool {
	for i := range len(s) {
		c := s[i]
		switch {
		case c == ':':
			return i > 0
		case 'a' <= c|0x20 && c|0x20 <= 'z':
		case i > 0 && (c == '+' || c == '-' || c == '.' || '0' <= c && c <= '9'):
		default:
			return false
		}
	}
	return false
}

// A sources function lists the addresses that an element has; with all also those besides
// src.
type sources func(d *document, i int32, all bool) []string

// under reports whether an element is inside of one of a name.
func (d *document) under(i int32, name string) bool {
	for p := d.elements[i].parent; p >= 0; p = d.elements[p].parent {
		if d.elements[p].name == name {
			return true
		}
	}
	return false
}

func (d *document) values(i int32, names ...string) (list []string) {
	for _, name := range names {
		v, ok := d.attribute(i, name)
		if !ok {
			continue
		}
		if strings.HasSuffix(name, "srcset") {
			list = append(list, srcset(v)...)
		} else {
			list = append(list, v)
		}
	}
	return list
}

func imageSources(d *document, i int32, all bool) []string {
	switch name := d.elements[i].name; {
	case name == "img" && all:
		return d.values(i, "src", "data-src", "srcset", "data-srcset")
	case name == "img":
		return d.values(i, "src")
	case name == "source" && all && d.under(i, "picture"):
		return d.values(i, "srcset", "data-srcset")
	case name == "input" && all:
		if kind, _ := d.attribute(i, "type"); lower(kind) == "image" {
			return d.values(i, "src")
		}
	case name == "video" && all:
		return d.values(i, "poster")
	}
	return nil
}

func audioSources(d *document, i int32, all bool) []string {
	return mediaSources(d, i, all, "audio")
}

func videoSources(d *document, i int32, all bool) []string {
	if d.elements[i].name == "iframe" {
		return mediaSources(d, i, all, "iframe")
	}
	return mediaSources(d, i, all, "video")
}

func mediaSources(d *document, i int32, all bool, element string) []string {
	if name := d.elements[i].name; name != element && (name != "source" || !d.under(i, element)) {
		return nil
	}
	if all {
		return d.values(i, "src", "data-src")
	}
	return d.values(i, "src")
}

// srcset lists the addresses of a srcset attribute, without their descriptors (HTML Standard,
// "parse a srcset attribute").
func srcset(s string) (list []string) {
	for len(list) < maxLongList {
		s = strings.TrimLeft(s, " \t\n\f\r,")
		if s == "" {
			break
		}
		end := strings.IndexAny(s, " \t\n\f\r")
		if end < 0 {
			end = len(s)
		}
		address := s[:end]
		s = s[end:]
		if trimmed := strings.TrimRight(address, ","); trimmed != address {
			address = trimmed
		} else {
			// Up to the comma stands the descriptor.
			depth := 0
			for s != "" && (depth > 0 || s[0] != ',') {
				switch s[0] {
				case '(':
					depth++
				case ')':
					depth = max(depth-1, 0)
				}
				s = s[1:]
			}
		}
		list = append(list, address)
	}
	return list
}

func extractMedia(of sources) func(context.Context, *bridges.Call) (any, error) {
	return func(ctx context.Context, c *bridges.Call) (any, error) {
		d, err := parseDocument(ctx, c, nil)
		if err != nil {
			return nil, err
		}
		o := c.Options(2)
		all := hostmods.Truthy(o.Field("all"), false)
		limit := limitOf(o.Field("limit"), maxList, maxLongList)
		r := newResolver(d, c.Str(1), all)
		result := []string{}
		seen := map[string]bool{}
		for i := range d.elements {
			if i%4096 == 4095 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			for _, address := range of(d, int32(i), all) {
				if address == "" || len(result) >= limit {
					continue
				}
				if r.base != "" {
					if u, _, ok := r.resolve(address); ok {
						address = u
					}
				}
				if all && seen[address] {
					continue
				}
				seen[address] = true
				result = append(result, address)
			}
			if len(result) >= limit {
				break
			}
		}
		return result, nil
	}
}

func extractMetadata(ctx context.Context, c *bridges.Call) (any, error) {
	d, err := parseDocument(ctx, c, nil)
	if err != nil {
		return nil, err
	}
	var title, description, keywords any
	content := func(i int32, name string) any {
		if have, _ := d.attribute(i, "name"); have == name {
			if v, ok := d.attribute(i, "content"); ok {
				return v
			}
		}
		return nil
	}
	for i := range d.elements {
		switch e := &d.elements[i]; e.name {
		case "title":
			if s := d.content(int32(i)); title == nil && s != "" && e.node.Namespace == "" {
				title = s
			}
		case "meta":
			if description == nil {
				description = content(int32(i), "description")
			}
			if keywords == nil {
				keywords = content(int32(i), "keywords")
			}
		}
	}
	result := &marshal.Object{Entries: []marshal.Entry{{Key: "title", Value: title}, {Key: "description", Value: description}, {Key: "keywords", Value: keywords}}}
	if o := c.Options(1); hostmods.Truthy(o.Field("full"), false) {
		d.fullMetadata(result, o.Str("baseUrl"))
	}
	return result, nil
}

// Bounds of the metadata of one page.
const (
	maxMeta   = 500
	maxJSONLD = 50
)

// fullMetadata adds what a page says of itself in other ways.
func (d *document) fullMetadata(result *marshal.Object, base string) {
	r := newResolver(d, base, true)
	address := func(s string) any {
		if u, _, ok := r.resolve(s); ok {
			return u
		}
		return s
	}
	var lang, charset, canonical, icon any
	openGraph, twitter, meta := &marshal.Object{}, &marshal.Object{}, &marshal.Object{}
	known := map[string]bool{} // keys of the objects
	add := func(o *marshal.Object, group, key, value string) {
		if id := group + key; !known[id] && len(known) < maxMeta {
			known[id] = true
			o.Entries = append(o.Entries, marshal.Entry{Key: key, Value: value})
		}
	}
	feeds, jsonLD := []any{}, []any{}
	for i := range d.elements {
		i := int32(i)
		get := func(name string) string { v, _ := d.attribute(i, name); return v }
		switch d.elements[i].name {
		case "html":
			if v := get("lang"); lang == nil && v != "" {
				lang = v
			}
		case "meta":
			if v := get("charset"); charset == nil && v != "" {
				charset = lower(v)
			}
			name := lower(trimSpace(get("name")))
			property := lower(trimSpace(get("property")))
			value, ok := d.attribute(i, "content")
			switch {
			case !ok:
			case strings.HasPrefix(property, "og:"):
				add(openGraph, "og", property[3:], value)
			case strings.HasPrefix(name, "twitter:"):
				add(twitter, "tw", name[8:], value)
			case strings.HasPrefix(property, "twitter:"):
				add(twitter, "tw", property[8:], value)
			case name != "":
				add(meta, "", name, value)
			case property != "":
				add(meta, "", property, value)
			}
		case "link":
			href := get("href")
			rel := get("rel")
			switch {
			case href == "":
			case hasWord(rel, "canonical", true) && canonical == nil:
				canonical = address(href)
			case hasWord(rel, "icon", true) && icon == nil:
				icon = address(href)
			case hasWord(rel, "alternate", true) && (strings.Contains(get("type"), "rss") || strings.Contains(get("type"), "atom")) && len(feeds) < maxMeta:
				feeds = append(feeds, address(href))
			}
		case "script":
			if lower(trimSpace(get("type"))) == "application/ld+json" && len(jsonLD) < maxJSONLD {
				if v, err := marshal.NewValue(json.RawMessage(d.content(i)), marshal.EncodeOptions{}); err == nil {
					jsonLD = append(jsonLD, v)
				}
			}
		}
	}
	result.Entries = append(result.Entries, marshal.Entry{Key: "lang", Value: lang}, marshal.Entry{Key: "charset", Value: charset},
		marshal.Entry{Key: "canonical", Value: canonical}, marshal.Entry{Key: "icon", Value: icon}, marshal.Entry{Key: "feeds", Value: feeds},
		marshal.Entry{Key: "openGraph", Value: openGraph}, marshal.Entry{Key: "twitter", Value: twitter}, marshal.Entry{Key: "meta", Value: meta},
		marshal.Entry{Key: "jsonLd", Value: jsonLD})
}
