package media

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
)

func TestHandles(t *testing.T) {
	b := NewBudget(1000)
	s := NewStore(b)
	add := func(kind Kind, n int) *Item {
		c, err := NewEncoded(string(kind)+"/x", make([]byte, n), b)
		if err != nil {
			t.Fatal(err)
		}
		i, err := s.Add(kind, 0, 0, c)
		if err != nil {
			t.Fatal(err)
		}
		return i
	}
	one, two := add(Image, 100), add(Audio, 200)
	if one.ID != "m1" || two.ID != "m2" || two.URI() != "sandbox://media/m2" || b.Used() != 300 || s.Len() != 2 {
		t.Errorf("got %s and %s, %d bytes", one.ID, two.ID, b.Used())
	}
	if got, err := s.Get("m1", Image); got != one || err != nil {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := s.Get("m2", ""); got != two || err != nil {
		t.Errorf("any kind: got %v, %v", got, err)
	}
	for _, row := range []struct {
		id   string
		want Kind
		text string
	}{
		{"m2", Video, "Expected a video handle, but sandbox://media/m2 contains audio."},
		{"m2", Image, "Expected an image handle, but sandbox://media/m2 contains audio."},
		{"m9", Image, "sandbox://media/m9 is not available in this run: a handle only lives for the action that produced it; save it as an asset to keep it"},
		{strings.Repeat("é", 50), Image, "sandbox://media/" + strings.Repeat("é", 20) + "… is not available"},
	} {
		var he *HandleError
		if _, err := s.Get(row.id, row.want); !errors.As(err, &he) || !strings.HasPrefix(err.Error(), row.text) {
			t.Errorf("%s as %s: got %v", row.id, row.want, err)
		}
	}
	if !s.Release("m1") || s.Release("m1") || b.Used() != 200 {
		t.Errorf("after releasing m1 %d bytes are used", b.Used())
	}
	if three := add(Image, 1); three.ID != "m3" {
		t.Errorf("an id was used again: %s", three.ID)
	}
	s.Close()
	if b.Used() != 0 || b.Peak() != 300 {
		t.Errorf("after Close %d bytes are used, at most %d were", b.Used(), b.Peak())
	}
	c, _ := NewEncoded("image/x", make([]byte, 10), b)
	if _, err := s.Add(Image, 1, 1, c); !errors.Is(err, context.Canceled) || b.Used() != 0 {
		t.Errorf("adding after Close: %v, %d bytes", err, b.Used())
	}
}

func TestBudget(t *testing.T) {
	b := NewBudget(100)
	if err := b.Reserve(60); err != nil {
		t.Fatal(err)
	}
	var be *BudgetError
	if err := b.Reserve(41); !errors.As(err, &be) || be.Used != 101 || be.Limit != 100 || !strings.Contains(err.Error(), "limit for one run of 100 (RunMedia)") || b.Used() != 60 {
		t.Errorf("got %v, %d used", err, b.Used())
	}
	for _, n := range []int64{-1, 1<<63 - 1} {
		if err := b.Reserve(n); err == nil {
			t.Errorf("%d bytes were reserved", n)
		}
	}
	if err := b.Reserve(40); err != nil || b.Left() != 0 {
		t.Errorf("the last bytes: %v, %d left", err, b.Left())
	}
}

func TestParallelReservationsNeverExceedTheLimit(t *testing.T) {
	b := NewBudget(1000)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 2000 {
				if b.Reserve(300) == nil {
					if b.Used() > 1000 {
						t.Error("the limit is exceeded")
					}
					b.Release(300)
				}
			}
		})
	}
	wg.Wait()
	if b.Used() != 0 || b.Peak() > 900 {
		t.Errorf("%d used, at most %d", b.Used(), b.Peak())
	}
}

func TestMediaThatAGuestHasLostMakeRoom(t *testing.T) {
	s := NewStore(NewBudget(1000))
	for range 5 {
		if err := s.Reserve(200); err != nil {
			t.Fatal(err)
		}
		s.Budget.Release(200)
		c, err := NewEncoded("image/x", make([]byte, 200), s.Budget)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Add(Image, 0, 0, c); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Reserve(1); err == nil {
		t.Fatal("media that the guest has were dropped")
	}
	s.Keep("m1")
	for _, id := range []string{"m1", "m3", "m2", "m4", "m4", "m99"} {
		s.Lose(id)
	}
	s.Keep("m4")
	s.Release("m2")
	if s.Len() != 4 {
		t.Errorf("lost media are dropped before the room is needed: %d are left", s.Len())
	}
	if err := s.Reserve(300); err != nil {
		t.Errorf("with one released and one lost: %v", err)
	}
	for id, want := range map[string]bool{"m1": true, "m2": false, "m3": false, "m4": true, "m5": true} {
		if _, err := s.Get(id, Image); (err == nil) != want {
			t.Errorf("%s: got %v", id, err)
		}
	}
	if err := s.Reserve(300); err == nil {
		t.Error("what was kept was dropped")
	}
	s.Close()
	if s.Budget.Used() != 300 {
		t.Errorf("%d bytes are used", s.Budget.Used())
	}
}
