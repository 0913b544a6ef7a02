package exif

import (
	"context"
	_ "embed"

	"quicksand/bridges"
	"quicksand/hostmods"
	"quicksand/internal/marshal"
)

//go:embed SKILL.md
var skill string

func init() { hostmods.Register(module) }

var bytesParam = hostmods.BytesParam("bytes", "the picture: JPEG, PNG, WebP, TIFF, HEIC or AVIF")

var module = &hostmods.Module{
	ID:    "exif",
	Doc:   "reads the metadata of pictures (EXIF, GPS, IPTC, XMP, ICC), and removes it",
	Skill: skill,
	Funcs: []bridges.Func{{
		Name: "parse", Doc: "the metadata of a picture", Result: "an object, or null without any",
		Params: []bridges.Param{bytesParam,
			{Name: "options", Type: bridges.Any, Optional: true, Doc: "true for everything, names of tags, or {tiff?, exif?, gps?, xmp?, iptc?, icc?, jfif?, raw?, …}"}},
		Call: call(func(c *bridges.Call, b []byte) (any, error) {
			o, err := optionsOf(c.Op(), c.Arg(1))
			if err != nil {
				return nil, err
			}
			found, err := parse(b, o)
			if found == nil {
				return nil, err
			}
			return found, err
		}),
	}, {
		Name: "gps", Doc: "where a picture was taken", Result: "{latitude, longitude}, or null",
		Params: []bridges.Param{bytesParam},
		Call: call(func(c *bridges.Call, b []byte) (any, error) {
			s, err := find(b)
			if err != nil {
				return nil, err
			}
			t, first, ok := openTIFF(s.tiff)
			if !ok {
				return nil, nil
			}
			d := readDirectories(t, first, &[len(blockNames)]bool{gpsIFD: true})
			lat, lon, ok := position(d[gpsIFD])
			if !ok {
				return nil, nil
			}
			return &marshal.Object{Entries: []marshal.Entry{{Key: "latitude", Value: lat}, {Key: "longitude", Value: lon}}}, nil
		}),
	}, {
		Name: "orientation", Doc: "how a picture has to be turned", Result: "1 to 8, or null",
		Params: []bridges.Param{bytesParam},
		Call: call(func(c *bridges.Call, b []byte) (any, error) {
			s, err := find(b)
			if err != nil {
				return nil, err
			}
			if n := orientation(s.tiff); n > 0 {
				return n, nil
			}
			return nil, nil
		}),
	}, {
		Name: "thumbnail", Doc: "the small picture inside of EXIF", Result: "a Uint8Array, or null",
		Params: []bridges.Param{bytesParam},
		Call: call(func(c *bridges.Call, b []byte) (any, error) {
			s, err := find(b)
			if err != nil {
				return nil, err
			}
			if small := thumbnail(s.tiff); small != nil {
				return small, nil
			}
			return nil, nil
		}),
	}, {
		Name: "strip", Doc: "a JPEG, PNG or WebP without metadata, the pixels unchanged", Result: "a Uint8Array",
		Params: []bridges.Param{bytesParam,
			{Name: "options", Type: bridges.Any, Optional: true, Doc: "{keepOrientation?, keepProfile?}, both true by default"}},
		Call: call(func(c *bridges.Call, b []byte) (any, error) {
			o := stripOptions{orientation: true, profile: true}
			if keep, ok := c.Arg(1).Field("keepOrientation").Bool(); ok {
				o.orientation = keep
			}
			if keep, ok := c.Arg(1).Field("keepProfile").Bool(); ok {
				o.profile = keep
			}
			return strip(b, o)
		}),
	}},
}

// call is a call of a function whose first argument is a picture. The work is linear in it
// and takes milliseconds.
func call(f func(c *bridges.Call, b []byte) (any, error)) func(context.Context, *bridges.Call) (any, error) {
	return func(ctx context.Context, c *bridges.Call) (any, error) {
		b, err := hostmods.Bytes(c, 0)
		if err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		v, err := f(c, b)
		if err == nil {
			return v, nil
		}
		if _, ok := err.(*bridges.Error); ok {
			return nil, err
		}
		return nil, bridges.Errorf(c.Op(), "%v", err)
	}
}

// thumbnail is the JPEG of the second directory, nil without one.
func thumbnail(b []byte) []byte {
	t, first, ok := openTIFF(b)
	if !ok {
		return nil
	}
	d := readDirectories(t, first, &[len(blockNames)]bool{ifd1: true})
	n, _ := d[ifd1].get(tagThumbnailLength).(float64)
	return t.slice(d[ifd1].offset(tagThumbnailOffset), uint64(n))
}

// optionsOf reads the options of parse.
func optionsOf(op string, v bridges.Value) (*options, error) {
	o := defaults()
	if all, ok := v.Bool(); ok {
		if all {
			o.blocks[interopIFD], o.blocks[ifd1] = true, true
			o.jfif, o.xmp, o.iptc, o.icc, o.userComment = true, true, true, true, true
		}
		return &o, nil
	}
	pick := v.Field("pick")
	if v.Kind() == marshal.KindArray {
		pick = v
	}
	if !pick.IsNullish() {
		if pick.Kind() != marshal.KindArray {
			return nil, bridges.TypeErrorf(op, "options.pick must be an array of names of tags")
		}
		o.pick = map[string]bool{}
		for i, e := range pick.Elements() {
			name, ok := e.Str()
			if !ok || i >= 1000 {
				return nil, bridges.TypeErrorf(op, "options.pick must be an array of at most 1000 names of tags")
			}
			o.pick[name] = true
		}
	}
	set := func(to *bool, name string) {
		if b, ok := v.Field(name).Bool(); ok {
			*to = b
		}
	}
	if b, ok := v.Field("tiff").Bool(); ok {
		// The structure that has the other blocks in it.
		o.blocks[ifd0] = b
		if !b {
			o.blocks[exifIFD], o.blocks[gpsIFD] = false, false
		}
	}
	for k, name := range blockNames {
		set(&o.blocks[k], name)
	}
	set(&o.blocks[ifd1], "thumbnail")
	for name, to := range map[string]*bool{"ihdr": &o.ihdr, "jfif": &o.jfif, "xmp": &o.xmp, "iptc": &o.iptc, "icc": &o.icc,
		"makerNote": &o.makerNote, "userComment": &o.userComment, "translateKeys": &o.translateKeys,
		"translateValues": &o.translateValues, "reviveValues": &o.revive, "mergeOutput": &o.merge} {
		set(to, name)
	}
	if raw, _ := v.Field("raw").Bool(); raw {
		o.translateValues, o.revive = false, false
	}
	switch dates, _ := v.Field("dates").Str(); {
	case dates == "date":
		o.typed = true
	case dates != "iso" && !v.Field("dates").IsNullish():
		return nil, bridges.TypeErrorf(op, `options.dates must be "iso" or "date"`)
	}
	return &o, nil
}
