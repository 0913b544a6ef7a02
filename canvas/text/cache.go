package text

import (
	"sync"
	"sync/atomic"
)

// cache keeps values up to a number of bytes. It has two generations: what is used moves to
// the young one, and when that holds half of the limit, the old one is dropped. That is as
// good as an exact order here and a hit only takes a read lock.
//
// The zero value with a limit is ready; it is safe for concurrent use.
type cache[K comparable, V any] struct {
	limit int

	mu         sync.RWMutex
	young, old map[K]entry[V]
	size       int
}

type entry[V any] struct {
	value V
	size  int
}

func (c *cache[K, V]) get(key K) (V, bool) {
	c.mu.RLock()
	e, ok := c.young[key]
	if ok {
		c.mu.RUnlock()
		return e.value, true
	}
	e, ok = c.old[key]
	c.mu.RUnlock()
	if ok {
		c.put(key, e.value, e.size)
	}
	return e.value, ok
}

// put stores a value of about size bytes.
func (c *cache[K, V]) put(key K, value V, size int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.young[key]; ok {
		return
	}
	if c.size+size > c.limit/2 || c.young == nil {
		c.old, c.young, c.size = c.young, make(map[K]entry[V]), 0
	}
	if size > c.limit/2 {
		return
	}
	c.young[key] = entry[V]{value, size}
	c.size += size
}

// front is a small table before a cache: one load and a comparison instead of a lock and a hash,
// 40 ns for a mask instead of 170. Each key has one place, which the last to come takes.
//
// The zero value is ready; it is safe for concurrent use.
type front[K comparable, V any] struct {
	places [frontPlaces]atomic.Pointer[frontEntry[K, V]]
}

// frontPlaces is a place for each of 256 glyphs at four quarters of a pixel.
const frontPlaces = 1024

type frontEntry[K comparable, V any] struct {
	key   K
	value V
}

func (f *front[K, V]) get(place uint32, key K) (v V, ok bool) {
	e := f.places[place%frontPlaces].Load()
	if e == nil || e.key != key {
		return v, false
	}
	return e.value, true
}

func (f *front[K, V]) put(place uint32, key K, v V) {
	f.places[place%frontPlaces].Store(&frontEntry[K, V]{key, v})
}

// caches are those of a group of faces: one for the bundled faces of the process, one for the
// registered faces of each Fonts.
type caches struct {
	words    cache[wordKey, *word]
	outlines cache[glyphKey, *outline]
	masks    cache[maskKey, *Mask]

	frontOutlines front[glyphKey, *outline]
	frontMasks    front[maskKey, *Mask]
}

type glyphKey struct {
	face *Face
	id   uint32
}

// Limits of the caches in bytes. 4 MiB of words are about 20 000 words of six letters.
const (
	wordBytes    = 4 << 20
	outlineBytes = 8 << 20
	maskBytes    = 16 << 20
)

func newCaches() *caches {
	c := new(caches)
	c.words.limit, c.outlines.limit, c.masks.limit = wordBytes, outlineBytes, maskBytes
	return c
}
