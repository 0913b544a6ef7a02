package meter

import (
	"sync"
	"testing"
	"time"
)

func TestClockStandsWhileSuspended(t *testing.T) {
	var c Clock
	start := time.Now()
	changes := 0
	c.Start(start, func() { changes++ })
	outer := c.Suspend()
	inner := c.Suspend()
	if _, standing := c.Suspended(time.Now()); !standing {
		t.Error("the clock runs inside of two suspensions")
	}
	inner()
	inner()
	later := time.Now().Add(time.Hour)
	if d, standing := c.Suspended(later); !standing || d < 59*time.Minute {
		t.Errorf("got %v suspended, standing %v: one suspension is still open", d, standing)
	}
	if r := c.Running(later); r > time.Minute {
		t.Errorf("got %v running in an hour of suspension", r)
	}
	outer()
	if _, standing := c.Suspended(time.Now()); standing {
		t.Error("the clock stands after all suspensions were resumed")
	}
	if changes != 4 {
		t.Errorf("got %d changes, want 4: resuming twice is none", changes)
	}
}

func TestClockIgnoresAResumeOfAnEarlierRun(t *testing.T) {
	var c Clock
	c.Start(time.Now(), nil)
	late := c.Suspend()
	c.Start(time.Now().Add(time.Nanosecond), nil)
	open := c.Suspend()
	late()
	if _, standing := c.Suspended(time.Now()); !standing {
		t.Error("a resume of the run before ended a suspension of this one")
	}
	open()
}

func TestClockIsSafeForConcurrentUse(t *testing.T) {
	var c Clock
	c.Start(time.Now(), func() {})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				resume := c.Suspend()
				c.Running(time.Now())
				resume()
			}
		})
	}
	wg.Wait()
	if _, standing := c.Suspended(time.Now()); standing {
		t.Error("the clock stands after all were resumed")
	}
}
