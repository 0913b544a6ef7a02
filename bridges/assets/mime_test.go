package assets

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"
	"unicode/utf8"

	"quicksand/internal/webapi"

	"golang.org/x/text/encoding/unicode"
)

func TestMIMEByName(t *testing.T) {
	for name, want := range map[string]string{
		"a.png": "image/png", "a.PNG": "image/png", "dir.d/a.jpg": "image/jpeg", "a.jpeg": "image/jpeg", `c:\x\a.mp3`: "audio/mpeg",
		"https://x.example/a.webp?v=1.2#top": "image/webp", "asset://a.svg": "image/svg+xml", "file.with.dots.csv": "text/csv", "a#b.txt": "text/plain",
		"": "", "png": "", "a.": "", "a.exe": "", "a.png/b": "", ".png": "image/png", "a.verylongextension": "", "https://png": "",
	} {
		if got := MIMEByName(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	for _, ty := range types {
		if ext := extensionFor("", ty.mime); MIMEByName("x."+ext) == "" {
			t.Errorf("%s has the extension %q, which means nothing", ty.mime, ext)
		}
	}
	for _, row := range [][3]string{{"", "image/jpeg", "jpg"}, {"", "IMAGE/PNG; x=y", "png"}, {"", "audio/x-wav", "wav"}, {"", "x/y", "bin"}, {"a.JPEG", "image/jpeg", "jpeg"},
		{"a.exe", "image/png", "png"}, {"../../a.b/c", "text/plain", "txt"}, {"", "", "bin"}} {
		if got := extensionFor(row[0], row[1]); got != row[2] {
			t.Errorf("%s of %s: got %s, want %s", row[0], row[1], got, row[2])
		}
	}
}

func TestSniff(t *testing.T) {
	for _, row := range []struct{ kind, data, want string }{
		{"image", "\x89PNG\r\n\x1a\n", "image/png"}, {"image", "\xff\xd8\xff\xe0", "image/jpeg"}, {"image", "GIF89a", "image/gif"},
		{"image", "RIFF\x00\x00\x00\x00WEBP", "image/webp"}, {"image", "\x00\x00\x00\x20ftypavif", "image/avif"}, {"image", "RIFF\x00\x00\x00\x00WAVE", ""}, {"image", "", ""},
		{"audio", "RIFF\x00\x00\x00\x00WAVE", "audio/wav"}, {"audio", "fLaC", "audio/flac"}, {"audio", "OggS", "audio/ogg"}, {"audio", "ID3\x04", "audio/mpeg"},
		{"audio", "\xff\xfb\x90", "audio/mpeg"}, {"audio", "\xff\xf3", "audio/mpeg"}, {"audio", "\xff\x0f", ""}, {"audio", "\xff", ""}, {"audio", "\x00\x00\x00\x20ftypM4A ", "audio/mp4"},
		{"video", "RIFF\x00\x00\x00\x00AVI LIST", "video/x-msvideo"}, {"video", "\x1a\x45\xdf\xa3\x01\x00B\x82\x84webm", "video/webm"}, {"video", "\x1a\x45\xdf\xa3", "video/x-matroska"},
		{"video", "\x1a\x45\xdf\xa3" + strings.Repeat("x", 60) + "webm", "video/x-matroska"},
		{"video", "\x00\x00\x00\x20ftypqt  ", "video/quicktime"}, {"video", "\x00\x00\x00\x20ftypisom", "video/mp4"}, {"video", "\x00\x00", ""},
		{"document", "\x89PNG\r\n\x1a\n", ""},
	} {
		if got := Sniff(row.kind, []byte(row.data)); got != row.want {
			t.Errorf("%s %q: got %q, want %q", row.kind, row.data, got, row.want)
		}
	}
}

func TestValidMIME(t *testing.T) {
	for s, want := range map[string]bool{
		"image/png": true, "text/plain;charset=utf-8": true, "text/plain; charset=utf-8; format=flowed": true, `multipart/x; boundary="a b;c"`: true, "a/b+c.d": true,
		"": false, "image": false, "image/": false, "/png": false, "image/png,": false, "image/png;": false, "image/png; x": false, "a b/c": false, "a/b\n": false, "é/x": false, `a/b; c="d"e"`: false, "a/b/c": false,
	} {
		if got := validMIME.MatchString(s); got != want {
			t.Errorf("%q: got %v", s, got)
		}
	}
}

// FuzzDecodeUTF8 compares with another decoder of the Encoding Standard.
func FuzzDecodeUTF8(f *testing.F) {
	for _, s := range []string{"abc", "\xf0\x9f\x98b", "\xe2\x82\xff", "\xed\xa0\x80", "\xc0\x80", "\xf4\x90\x80\x80", "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbf", "\xff\xfe", "\xc2", "\xe1\x80", "\xf1\x80\x80"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		want, err := unicode.UTF8.NewDecoder().Bytes(b)
		if err != nil {
			t.Skip()
		}
		if got := webapi.DecodeUTF8(b); got != string(want) || !utf8.ValidString(got) {
			t.Errorf("%q: got %q, want %q", b, got, want)
		}
	})
}

// FuzzDataURI checks that no URI makes more than it may, and that what was encoded comes back.
func FuzzDataURI(f *testing.F) {
	for _, s := range []string{"data:,a%20b", "data:;base64,YQ==", "data:text/plain;base64,%59%51", "data:", "data:a/b;c=d;BASE64 ,_-", "data:,%%%", "data:;base64,====", "data:;base64,A"} {
		f.Add(s, int64(10))
	}
	f.Fuzz(func(t *testing.T, s string, limit int64) {
		limit &= 0xffff
		_, data, size, err := decodeDataURI("data:"+s, limit)
		if err == nil && (int64(len(data)) > limit || size != int64(len(data))) || err != nil && data != nil {
			t.Errorf("got %d bytes of %d, %v", len(data), size, err)
		}
		if back, _, err := decodeBase64(base64.StdEncoding.EncodeToString([]byte(s)), int64(len(s))); err != nil || !bytes.Equal(back, []byte(s)) {
			t.Errorf("%q: got %q, %v", s, back, err)
		}
		if back, _, err := decodeBase64(base64.RawURLEncoding.EncodeToString([]byte(s)), int64(len(s))); err != nil || !bytes.Equal(back, []byte(s)) {
			t.Errorf("%q: got %q, %v", s, back, err)
		}
	})
}
