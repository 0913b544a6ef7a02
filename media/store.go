package media

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// Kind is what a medium is.
type Kind string

// Kinds of media.
const (
	Image Kind = "image"
	Audio Kind = "audio"
	Video Kind = "video"
)

// article is the indefinite one of a kind.
func (k Kind) article() string {
	if k == Video {
		return "a"
	}
	return "an"
}

// URI is where handles say that their media are.
const URI = "sandbox://media/"

// An Item is one medium of a run. It is made once and not changed.
type Item struct {
	ID   string
	Kind Kind
	// Width and Height are pixels, 0 for sounds.
	Width, Height int
	Content       Content

	fate fate // under the lock of the store
}

// fate is what the store may do with an item.
type fate uint8

const (
	named       fate = iota // the guest has the handle
	unnamed                 // the guest has lost it: it may be dropped
	everlasting             // the handle may have been copied: only the guest may drop it
)

// URI is the item's name for guests.
func (i *Item) URI() string { return URI + i.ID }

// Content is what a medium consists of. It is safe for concurrent use.
type Content interface {
	// MIME is the media type of Bytes.
	MIME() string
	// Bytes is the encoded medium. It is encoded at the first call, and must not be changed.
	Bytes(ctx context.Context) ([]byte, error)
	// Release gives back what the content holds of its budget. The content is of no use
	// afterwards, except for calls that have begun.
	Release()
}

// MaxItems is how many media a run can hold at one time.
const MaxItems = 100_000

// A Store holds the media of one run. It is safe for concurrent use.
type Store struct {
	Budget *Budget

	mu     sync.Mutex
	items  map[string]*Item
	lost   []*Item // those which are unnamed, and more, the oldest first
	last   int
	closed bool
}

// NewStore makes an empty store.
func NewStore(b *Budget) *Store { return &Store{Budget: b, items: make(map[string]*Item)} }

// Add keeps a medium and gives it the next id.
func (s *Store) Add(kind Kind, width, height int, c Content) (*Item, error) {
	if s.Len() >= MaxItems {
		s.reclaim()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		c.Release()
		return nil, context.Canceled
	case len(s.items) >= MaxItems:
		c.Release()
		return nil, fmt.Errorf("a run can hold at most %d media at one time (MediaItems): release handles that are no longer needed", MaxItems)
	}
	s.last++
	i := &Item{ID: "m" + strconv.Itoa(s.last), Kind: kind, Width: width, Height: height, Content: c}
	s.items[i.ID] = i
	return i, nil
}

// A HandleError says why a handle does not name what is asked for.
type HandleError struct {
	ID string
	// Want and Is are the kinds, where those differ. Is is empty for a handle that names
	// nothing.
	Want, Is Kind
}

func (e *HandleError) Error() string {
	if e.Is == "" {
		id := e.ID
		if len(id) > 40 {
			id = strings.ToValidUTF8(id[:40], "") + "…"
		}
		return URI + id + " is not available in this run: a handle only lives for the action that produced it; save it as an asset to keep it"
	}
	return fmt.Sprintf("Expected %s %s handle, but %s%s contains %s.", e.Want.article(), e.Want, URI, e.ID, e.Is)
}

// Get finds a medium of a kind; an empty kind is any.
func (s *Store) Get(id string, want Kind) (*Item, error) {
	s.mu.Lock()
	i := s.items[id]
	s.mu.Unlock()
	switch {
	case i == nil:
		return nil, &HandleError{ID: id}
	case want != "" && i.Kind != want:
		return nil, &HandleError{ID: id, Want: want, Is: i.Kind}
	}
	return i, nil
}

// Release drops a medium. It reports whether there was one.
func (s *Store) Release(id string) bool {
	s.mu.Lock()
	i := s.items[id]
	delete(s.items, id)
	s.mu.Unlock()
	if i == nil {
		return false
	}
	i.Content.Release()
	return true
}

// Lose says that the guest has no handle of a medium any more, as far as its garbage
// collector knows. The medium is dropped when the room is needed, unless it was kept.
func (s *Store) Lose(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.items[id]; i != nil && i.fate == named {
		i.fate = unnamed
		s.lost = append(s.lost, i)
	}
}

// Keep says that the handle of a medium was copied or has left the guest: nothing but Release
// and Close drops it.
func (s *Store) Keep(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.items[id]; i != nil {
		i.fate = everlasting
	}
}

// reclaim drops the oldest medium that the guest has lost. It reports false without one.
func (s *Store) reclaim() bool {
	s.mu.Lock()
	var old *Item
	for len(s.lost) > 0 && old == nil {
		if i := s.lost[0]; i.fate == unnamed && s.items[i.ID] == i {
			delete(s.items, i.ID)
			old = i
		}
		s.lost = s.lost[1:]
	}
	s.mu.Unlock()
	if old == nil {
		return false
	}
	old.Content.Release()
	return true
}

// Reserve takes n bytes of the budget, for which it drops media that the guest has lost. It
// fails with a *BudgetError.
func (s *Store) Reserve(n int64) error {
	for {
		err := s.Budget.Reserve(n)
		if err == nil || n > s.Budget.Limit() || !s.reclaim() {
			return err
		}
	}
}

// Len is how many media there are.
func (s *Store) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.items)
}

// Close drops all media. Nothing can be added afterwards.
func (s *Store) Close() error {
	s.mu.Lock()
	items := s.items
	s.items, s.lost, s.closed = nil, nil, true
	s.mu.Unlock()
	for _, i := range items {
		i.Content.Release()
	}
	return nil
}

// Encoded is content that is bytes and nothing else.
type Encoded struct {
	mime   string
	data   []byte
	budget *Budget
	once   sync.Once
}

// NewEncoded keeps bytes, which must not be changed, and counts them.
func NewEncoded(mime string, data []byte, b *Budget) (*Encoded, error) {
	if err := b.Reserve(int64(len(data))); err != nil {
		return nil, err
	}
	return &Encoded{mime: mime, data: data, budget: b}, nil
}

// MIME implements Content.
func (e *Encoded) MIME() string { return e.mime }

// Bytes implements Content.
func (e *Encoded) Bytes(context.Context) ([]byte, error) { return e.data, nil }

// Release implements Content.
func (e *Encoded) Release() { e.once.Do(func() { e.budget.Release(int64(len(e.data))) }) }
