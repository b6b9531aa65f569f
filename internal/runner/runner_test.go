package runner

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// count is a unit that counts to an end, and saves where it is.
type count struct {
	name         string
	at, end      int
	turns, saves int
	saved        int
	at17         func() error // called at 17
	save         func() error
}

func (c *count) Place() (unit, step string) { return c.name, "" }

func (c *count) Turn(ctx context.Context, until time.Time) (more bool, err error) {
	c.turns++
	for c.at < c.end {
		if c.at++; c.at == 17 && c.at17 != nil {
			if err := c.at17(); err != nil {
				return false, err
			}
		}
		if ctx.Err() != nil || time.Now().After(until) {
			break
		}
	}
	return c.at < c.end, nil
}

func (c *count) Save() error {
	if c.saves++; c.save != nil {
		return c.save()
	}
	c.saved = c.at
	return nil
}

func counts(n, end int) (all []*count, units []Unit) {
	for range n {
		c := &count{name: "count 3", end: end}
		all, units = append(all, c), append(units, c)
	}
	return all, units
}

func TestUnitsComeToTheirEnd(t *testing.T) {
	for _, threads := range []int{1, 3, 100} {
		for _, n := range []int{0, 1, 20} {
			all, units := counts(n, 50)
			if err := Run(context.Background(), units, Settings{Threads: threads, Slice: time.Nanosecond, Every: -1}); err != nil {
				t.Fatal(err)
			}
			for _, c := range all {
				if c.saved != 50 || c.saves != 1 || c.turns < 2 {
					t.Errorf("%d threads: %+v", threads, c)
				}
			}
		}
	}
	all, units := counts(2, 50)
	if err := Run(context.Background(), units, Settings{Threads: 1, Slice: time.Nanosecond, Every: 1}); err != nil {
		t.Fatal(err)
	}
	if c := all[0]; c.saves != c.turns {
		t.Errorf("%d saves after %d turns, of which each was due", c.saves, c.turns)
	}
}

// One unit fails: the error has its name, it is not saved, and the others are.
func TestFailures(t *testing.T) {
	broken := errors.New("broken")
	for want, fail := range map[string]func(c *count){
		"count 3: broken":                     func(c *count) { c.at17 = func() error { return broken } },
		"count 3: broken ":                    func(c *count) { c.at17 = func() error { panic(Failure{fmt.Errorf("%w ", broken)}) } },
		"count 3: panic: broken":              func(c *count) { c.at17 = func() error { panic(broken) } },
		"count 3: panic while saving: broken": func(c *count) { c.save = func() error { panic(broken) } },
	} {
		all, units := counts(3, 1<<40)
		fail(all[1])
		err := Run(context.Background(), units, Settings{Threads: 2, Every: time.Millisecond})
		if err == nil || !strings.HasPrefix(err.Error(), want) || errors.Is(err, ErrInterrupted) {
			t.Errorf("%v, want %s", err, want)
		}
		if strings.Contains(want, "panic") != strings.Contains(err.Error(), "runner_test.go") {
			t.Errorf("no place, or one too many: %v", err)
		}
		if all[1].saved != 0 || all[0].saved != all[0].at || all[2].saved != all[2].at {
			t.Errorf("%s: saved %d, %d of %d, %d of %d", want, all[1].saved, all[0].saved, all[0].at, all[2].saved, all[2].at)
		}
	}
	_, units := counts(3, 1<<40)
	err := Run(context.Background(), units, Settings{Threads: 2, Watch: func() { panic(broken) }})
	if err == nil || !strings.Contains(err.Error(), "while reporting progress: broken") {
		t.Errorf("panic in Watch: %v", err)
	}
}

// The context ends: all units are saved where they are, those that had no turn too.
func TestInterruption(t *testing.T) {
	enough := errors.New("enough")
	for _, early := range []bool{true, false} {
		ctx, cancel := context.WithCancelCause(context.Background())
		all, units := counts(5, 1<<40)
		var looks atomic.Int64
		set := Settings{Threads: 1, Slice: time.Hour, Watch: func() {
			looks.Add(1)
			cancel(enough)
		}}
		if early {
			cancel(enough)
		}
		err := Run(ctx, units, set)
		if !errors.Is(err, ErrInterrupted) || !errors.Is(err, enough) {
			t.Error(err)
		}
		for i, c := range all {
			if c.saves != 1 || c.saved != c.at || (c.turns > 0) != (i == 0 && !early) {
				t.Errorf("%+v", c)
			}
		}
		if looks.Load() == 0 {
			t.Error("no progress")
		}
	}
	// An end after the last turn is none.
	ctx, cancel := context.WithCancel(context.Background())
	all, units := counts(1, 17)
	all[0].at17 = func() error { cancel(); return nil }
	if err := Run(ctx, units, Settings{Threads: 1}); err != nil {
		t.Error(err)
	}
}

// A file that units share is written after Save where that is due, and at the end with what all have noted.
func TestWrite(t *testing.T) {
	for every, least := range map[time.Duration]int{time.Nanosecond: 3, time.Hour: 1, 0: 1} {
		all, units := counts(3, 50)
		writes, noted := 0, 0
		write := func() error {
			writes++
			noted = all[0].saved + all[1].saved + all[2].saved
			return nil
		}
		if err := Run(context.Background(), units, Settings{Threads: 1, Slice: time.Nanosecond, Every: every, Write: write}); err != nil {
			t.Fatal(err)
		}
		if writes < least || every != time.Nanosecond && writes != 1 || noted != 150 {
			t.Errorf("saved every %v: %d writes, at the end of %d of 150", every, writes, noted)
		}
	}
	_, units := counts(2, 1<<40)
	full := func() error { return errors.New("the disk is full") }
	err := Run(context.Background(), units, Settings{Threads: 2, Slice: time.Nanosecond, Every: time.Nanosecond, Write: full})
	if err == nil || err.Error() != "the disk is full" {
		t.Errorf("error %v", err)
	}
}
