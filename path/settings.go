package path

import (
	"errors"
	"fmt"
	"runtime"
	"time"
)

// Settings say how to do the work, whatever the method. The zero value works.
type Settings struct {
	Seed     uint64
	Runs     int            // independent runs or chains; 0: what the method says
	Threads  int            // 0: all cores; results do not depend on it
	Progress func(Progress) // called from one goroutine at a time, about ten times a second; may be nil

	// Checkpoint names a file that keeps the finished runs, "" for none, and where the unfinished ones of AIS, Reverse
	// and Sandwich are if the family is a Marshal. With Resume what it holds is not made again; the result is byte for
	// byte that of an undisturbed job. Fingerprint says what the family is (a hash of a model): a file with another one
	// is refused.
	Checkpoint  string
	Resume      bool
	Fingerprint string
	Every       time.Duration // between writes of the checkpoint; 0: 30 s
}

// Progress is how far the work has come.
type Progress struct {
	Done, Total int   // runs or chains finished, and all; for Tempered those through with the present phase
	Moves       int64 // transitions so far in this process
}

const (
	maxRuns         = 1 << 24
	checkpointEvery = 30 * time.Second
)

func (s Settings) withDefaults(runs int) Settings {
	if s.Runs == 0 {
		s.Runs = runs
	}
	if s.Threads == 0 {
		s.Threads = runtime.GOMAXPROCS(0)
	}
	if s.Every == 0 {
		s.Every = checkpointEvery
	}
	return s
}

// check judges settings that withDefaults has filled in.
func (s Settings) check() error {
	switch {
	case s.Runs < 1 || s.Runs > maxRuns:
		return fmt.Errorf("path: %d runs; ask for 1 to %d", s.Runs, maxRuns)
	case s.Threads < 1:
		return fmt.Errorf("path: threads = %d must be 0 (all cores) or more", s.Threads)
	case s.Resume && s.Checkpoint == "":
		return errors.New("path: to resume, name the file of finished runs (Settings.Checkpoint)")
	}
	return nil
}
