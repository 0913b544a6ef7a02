package bridges

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// A Redactor replaces secrets in texts. The zero Redactor knows none. It is safe for
// concurrent use.
type Redactor struct {
	mu      sync.Mutex
	secrets []secret
	// active is nil until there is a secret: the usual run pays one load for each text.
	active atomic.Pointer[strings.Replacer]
}

type secret struct{ name, value string }

// minSecret is the shortest value that is redacted: replacing a shorter one would tear
// up ordinary text, and hide little.
const minSecret = 4

// Add makes the redactor replace value by "[redacted NAME]".
func (r *Redactor) Add(name, value string) {
	if len(value) < minSecret {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	s := secret{name, value}
	if slices.Contains(r.secrets, s) {
		return
	}
	r.secrets = append(r.secrets, s)
	// A longer secret that contains a shorter one goes first.
	slices.SortStableFunc(r.secrets, func(a, b secret) int { return len(b.value) - len(a.value) })
	pairs := make([]string, 0, 2*len(r.secrets))
	for _, s := range r.secrets {
		pairs = append(pairs, s.value, "[redacted "+s.name+"]")
	}
	r.active.Store(strings.NewReplacer(pairs...))
}

// Active reports whether there is anything to redact.
func (r *Redactor) Active() bool { return r.active.Load() != nil }

// Redact returns text without the secrets.
func (r *Redactor) Redact(text string) string {
	if p := r.active.Load(); p != nil {
		return p.Replace(text)
	}
	return text
}
