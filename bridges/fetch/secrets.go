package fetch

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strings"
	"sync"
	"unicode/utf16"

	"quicksand/bridges"
)

// minSecret is the shortest value that can be redacted.
const minSecret = bridges.MinSecret

// vault holds the bound secrets of a run.
type vault struct {
	secrets []*bound
	// register learns the values, for what else leaves the run. It may be nil.
	register func(name, value string)

	mu sync.Mutex // for looking up
	// forms are the encodings of all values, longest first. They are final once ready is true.
	forms []form
	ready bool
}

type bound struct {
	Binding
	hosts       []pattern
	placeholder string
	value       string
	err         error // why it could not be looked up
}

type form struct {
	text        []byte
	placeholder []byte
	secret      *bound
}

func newVault(s *settings, register func(name, value string)) *vault {
	v := &vault{register: register}
	for i, b := range s.Secrets {
		// Not from the run's own randomness, which a seed makes predictable.
		var id [16]byte
		rand.Read(id[:])
		v.secrets = append(v.secrets, &bound{Binding: b, hosts: s.secretHosts[i], placeholder: "qsk" + hex.EncodeToString(id[:])})
		if b.Value != "" && register != nil {
			register(b.Name, b.Value)
		}
	}
	return v
}

// open looks the values up. It is called before each request, since all answers are
// redacted, also of requests that carry no secret.
func (v *vault) open(ctx context.Context) {
	if len(v.secrets) == 0 {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.ready {
		return
	}
	v.ready, v.forms = true, nil
	for _, b := range v.secrets {
		if b.value == "" {
			b.value, b.err = b.Value, nil
			if b.value == "" {
				b.value, b.err = b.Lookup(ctx)
			}
			if b.err != nil || len(b.value) < minSecret {
				b.value = ""
				v.ready = v.ready && b.err == nil // the next request tries again
				continue
			}
			if v.register != nil {
				v.register(b.Name, b.value)
			}
		}
		for _, text := range encodings(b.value) {
			v.forms = append(v.forms, form{text, []byte(b.placeholder), b})
		}
	}
	slices.SortStableFunc(v.forms, func(a, b form) int { return cmp.Compare(len(b.text), len(a.text)) })
}

// snapshot is what is known now.
func (v *vault) snapshot() redaction {
	if len(v.secrets) == 0 {
		return nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.forms
}

// place is where a request holds a placeholder.
type place int

const (
	inHeader place = iota
	inURL
	inBody
)

// inject replaces the placeholders in text, each by the value as encode writes it, or
// says why one must not go to t.
func (v *vault) inject(t *target, where place, text string, encode func(string) string) (string, *bridges.Error) {
	if len(v.secrets) == 0 {
		return text, nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, b := range v.secrets {
		if !strings.Contains(text, b.placeholder) {
			continue
		}
		switch {
		case !matches(b.hosts, t):
			return "", bridges.Deniedf("fetch", "the secret %q is not bound to %q", b.Name, t.authority)
		case t.scheme != "https:" && !b.AllowHTTP:
			return "", bridges.Deniedf("fetch", "the secret %q may be sent by https only", b.Name)
		case where == inURL && !b.URL:
			return "", bridges.Deniedf("fetch", "the secret %q may not be used in a URL", b.Name)
		case where == inBody && !b.Body:
			return "", bridges.Deniedf("fetch", "the secret %q may not be used in a request body", b.Name)
		case b.value == "":
			return "", &bridges.Error{Op: "fetch", Message: fmt.Sprintf("the secret %q is not set", b.Name), Err: b.err}
		}
		text = strings.ReplaceAll(text, b.placeholder, encode(b.value))
	}
	return text, nil
}

// holds reports whether text has a placeholder in it, Basic credentials included.
func (v *vault) holds(text string) bool {
	plain, _ := basic(text)
	return slices.ContainsFunc(v.secrets, func(b *bound) bool {
		return strings.Contains(text, b.placeholder) || strings.Contains(plain, b.placeholder)
	})
}

// injectHeader is inject for the value of a header.
func (v *vault) injectHeader(t *target, value string) (string, *bridges.Error) {
	if plain, ok := basic(value); ok && len(v.secrets) > 0 {
		filled, err := v.inject(t, inHeader, plain, asIs)
		if err != nil || filled == plain {
			return value, err
		}
		return value[:len("Basic ")] + base64.StdEncoding.EncodeToString([]byte(filled)), nil
	}
	return v.inject(t, inHeader, value, asIs)
}

// basic is "user:password" of a Basic Authorization header.
func basic(value string) (string, bool) {
	const scheme = "basic "
	if len(value) < len(scheme) || !strings.EqualFold(value[:len(scheme)], scheme) {
		return "", false
	}
	b, err := base64.StdEncoding.DecodeString(strings.TrimSpace(value[len(scheme):]))
	return string(b), err == nil
}

func asIs(s string) string { return s }

// bodyEncoding is how a value is written into a body of a media type.
func bodyEncoding(contentType string) func(string) string {
	kind, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	switch kind = strings.TrimSpace(kind); {
	case strings.HasSuffix(kind, "/json") || strings.HasSuffix(kind, "+json"):
		return inJSON
	case kind == "application/x-www-form-urlencoded":
		return url.QueryEscape
	}
	return asIs
}

// inJSON is s between the quotes of a JSON string.
func inJSON(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) != nil {
		return s // cannot happen
	}
	return strings.TrimSuffix(strings.TrimPrefix(b.String(), `"`), "\"\n")
}

// encodings are the forms in which a server may repeat a value.
func encodings(value string) (out [][]byte) {
	for _, form := range append(bridges.SecretForms(value), html.EscapeString(value)) {
		out = append(out, []byte(form))
	}
	var le, be []byte
	for _, u := range utf16.Encode([]rune(value)) {
		le, be = append(le, byte(u), byte(u>>8)), append(be, byte(u>>8), byte(u))
	}
	return append(out, le, be)
}

// A redaction puts placeholders back where an answer repeats secrets.
type redaction []form

// margin is how much of a body must be known behind a cut so that no part of a secret
// stays before it.
func (r redaction) margin() int {
	if len(r) == 0 {
		return 0
	}
	return len(r[0].text)
}

func (r redaction) bytes(b []byte) []byte {
	for _, f := range r {
		if bytes.Contains(b, f.text) {
			b = bytes.ReplaceAll(b, f.text, f.placeholder)
		}
	}
	return b
}

func (r redaction) text(s string) string {
	for _, f := range r {
		s = strings.ReplaceAll(s, string(f.text), string(f.placeholder))
	}
	return s
}

// edges replaces a secret of which the beginning or end of b is a part, for bodies that are
// parts and come from t. Only hosts to which the secret goes can repeat it; at another, whose
// answers a guest may choose, the guest would learn which beginnings are right, and so
// the secret character by character.
func (r redaction) edges(b []byte, t *target) []byte {
	for _, f := range r {
		if !matches(f.secret.hosts, t) {
			continue
		}
		for k := min(len(f.text)-1, len(b)); k >= minSecret; k-- {
			if bytes.HasSuffix(b, f.text[:k]) {
				b = append(b[:len(b)-k:len(b)-k], f.placeholder...)
				break
			}
		}
		for k := min(len(f.text)-1, len(b)); k >= minSecret; k-- {
			if bytes.HasPrefix(b, f.text[len(f.text)-k:]) {
				b = append(slices.Clone(f.placeholder), b[k:]...)
				break
			}
		}
	}
	return b
}
