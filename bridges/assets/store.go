package assets

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"sync"
)

// An Asset is what a Store or a Storage has under an id or key.
type Asset struct {
	// Name is a file name for people, and MIME its type. Both may be empty.
	Name, MIME string
	// Size is the number of bytes of Body, or -1 if it is not known.
	Size int64
	// Body is the content. Who gets the Asset closes it.
	Body io.ReadCloser
}

// A Store keeps assets under ids that it chooses. It must be safe for concurrent use, and
// should return when ctx ends. Its errors do not reach the guest.
type Store interface {
	// Resolve opens an asset. The error of an id that does not exist is fs.ErrNotExist, and
	// so should be the one of an id that the run's user may not have. id is the guest's.
	Resolve(ctx context.Context, id string) (*Asset, error)
	// Create keeps data, which it must not change, and returns its id: letters, digits and
	// what else a URI may have. A store that creates nothing returns errors.ErrUnsupported.
	Create(ctx context.Context, name, mime string, data []byte) (id string, err error)
}

// A Storage keeps bytes under keys like "sandbox/0190….png". It must be safe for concurrent
// use, and should return when ctx ends. Its errors do not reach the guest.
type Storage interface {
	// Get opens what is under a key, or fails with fs.ErrNotExist. key is the guest's.
	Get(ctx context.Context, key string) (*Asset, error)
	// Put keeps data, which it must not change, under a new key.
	Put(ctx context.Context, key, mime string, data []byte) error
}

// newID is an id that nobody can guess. It is not from the run's own randomness: a run with
// a seed repeats that, and would meet the assets of the run before.
func newID(name, mime string) string {
	return strings.ToLower(rand.Text()) + "." + extensionFor(name, mime)
}

// Memory is a Store in memory. The zero Memory is empty.
type Memory struct {
	mu     sync.RWMutex
	assets map[string]memoryAsset
}

type memoryAsset struct {
	name, mime string
	data       []byte
}

// Put makes or replaces an asset. It keeps data, which must not change.
func (m *Memory) Put(id, name, mime string, data []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.assets == nil {
		m.assets = make(map[string]memoryAsset)
	}
	m.assets[id] = memoryAsset{name, mime, data}
}

// Resolve opens an asset.
func (m *Memory) Resolve(_ context.Context, id string) (*Asset, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	a, ok := m.assets[id]
	if !ok {
		return nil, fmt.Errorf("asset %q: %w", id, fs.ErrNotExist)
	}
	return &Asset{Name: a.name, MIME: a.mime, Size: int64(len(a.data)), Body: io.NopCloser(bytes.NewReader(a.data))}, nil
}

// Create keeps a copy of data under a new id.
func (m *Memory) Create(_ context.Context, name, mime string, data []byte) (string, error) {
	id := newID(name, mime)
	m.Put(id, name, mime, bytes.Clone(data))
	return id, nil
}

// IDs are the ids of all assets, in no order.
func (m *Memory) IDs() []string {
	m.mu.RLock()
	defer m.mu.RUnlock()
	ids := make([]string, 0, len(m.assets))
	for id := range m.assets {
		ids = append(ids, id)
	}
	return ids
}
