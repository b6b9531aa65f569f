// Package unitsfile is the checkpoint of a run of several units, each of which notes its state as bytes.
package unitsfile

import (
	"fmt"
	"sync"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/checksummed"
)

// File is a checkpoint of that kind.
type File struct {
	Path  string
	Kind  checksummed.Kind
	Saved Content // what the run is; and after Resume how far it was

	mutex sync.Mutex
}

// Content is what the file holds. Fields are exported for gob.
type Content struct {
	Fingerprint string
	Seed        uint64
	Settings    string // what the results depend on besides
	Round       int
	Spent       time.Duration // time that is limited
	Units       [][]byte
}

// Note keeps the state of a unit for the next Write. Units grow with the greatest number.
func (f *File) Note(unit int, state []byte) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	for unit >= len(f.Saved.Units) {
		f.Saved.Units = append(f.Saved.Units, nil)
	}
	f.Saved.Units[unit] = state
}

// Write replaces the file.
func (f *File) Write() error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.Kind.Write(f.Path, f.Saved)
}

// WriteAfter is Write of a run that has taken so much time.
func (f *File) WriteAfter(spent time.Duration) error {
	f.mutex.Lock()
	f.Saved.Spent = spent
	f.mutex.Unlock()
	return f.Write()
}

// Resume hands the units that the file has to restore. A file of another run is an error, none is not. A run that begins with Units has as
// many chains; one without may have any number of units.
func (f *File) Resume(restore func(unit int, state []byte) error) error {
	var s Content
	there, err := f.Kind.ReadIfThere(f.Path, &s)
	if err != nil || !there {
		return err
	}
	same := []checksummed.Property{{Name: "model", Was: s.Fingerprint, Asked: f.Saved.Fingerprint}, {Name: "seed", Was: s.Seed, Asked: f.Saved.Seed}}
	if f.Saved.Units != nil {
		same = append(same, checksummed.Property{Name: "number of chains", Was: len(s.Units), Asked: len(f.Saved.Units)})
	}
	err = checksummed.Same(append(same, checksummed.Property{Name: "settings", Was: s.Settings, Asked: f.Saved.Settings}))
	for i := 0; err == nil && i < len(s.Units); i++ {
		if len(s.Units[i]) > 0 {
			err = restore(i, s.Units[i])
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.Path, err)
	}
	f.Saved = s
	return nil
}
