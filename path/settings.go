package path

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"time"
)

// Settings are common to all methods. The zero value works.
type Settings struct {
	Seed     uint64
	Runs     int            // independent runs or chains; 0: the method's default
	Threads  int            // 0: all cores; results do not depend on it
	Progress func(Progress) // called from one goroutine at a time, about ten times a second; may be nil

	// Checkpoint names a file for the finished runs, "" for none, and for the states of unfinished runs of AIS, Reverse and
	// Sandwich if the family is a Marshal; Tempered, whose chains are kept in any phase, needs one. With Resume the runs that it
	// holds are not repeated; the result is byte for byte that of an undisturbed job. Fingerprint identifies the family (a hash
	// of a model): a file with another one is refused.
	Checkpoint  string
	Resume      bool
	Fingerprint string
	Every       time.Duration // between writes of the checkpoint; 0: 30 s
}

// Progress is how far the work has come.
type Progress struct {
	Done, Total int   // runs or chains finished, and all; for Tempered, those that have finished the present phase
	Moves       int64 // transitions so far in this process
}

const (
	maxRuns         = 1 << 24
	checkpointEvery = 30 * time.Second
)

func (s Settings) withDefaults(runs int) Settings {
	s.Runs = cmp.Or(s.Runs, runs)
	s.Threads = cmp.Or(s.Threads, runtime.GOMAXPROCS(0))
	s.Every = cmp.Or(s.Every, checkpointEvery)
	return s
}

// check validates settings that withDefaults has filled in.
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
