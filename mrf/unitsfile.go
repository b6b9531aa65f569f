package mrf

import (
	"fmt"
	"sync"

	"github.com/ergodic-mcmc/ergodic/internal/checksummed"
)

// unitsFile is the checkpoint of a run of several units, each of which notes its state as bytes.
type unitsFile struct {
	path string // "" for none
	kind checksummed.Kind

	mutex sync.Mutex
	saved savedUnits
}

// savedUnits is the content of the file. Fields are exported for gob.
type savedUnits struct {
	Fingerprint string
	Seed        uint64
	Settings    string // what the results depend on besides
	Round       int
	Units       [][]byte
}

// note keeps the state of a unit for the next write.
func (u *unitsFile) note(unit int, state []byte) {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	u.saved.Units[unit] = state
}

// write replaces the file.
func (u *unitsFile) write() error {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	return u.kind.Write(u.path, u.saved)
}

// resume hands the units that the file has to restore. A file of another run is an error, none is not.
func (u *unitsFile) resume(restore func(unit int, state []byte) error) error {
	var s savedUnits
	there, err := u.kind.ReadIfThere(u.path, &s)
	if err != nil || !there {
		return err
	}
	err = checksummed.Same([]checksummed.Property{
		{Name: "model", Was: s.Fingerprint, Asked: u.saved.Fingerprint}, {Name: "seed", Was: s.Seed, Asked: u.saved.Seed},
		{Name: "number of chains", Was: len(s.Units), Asked: len(u.saved.Units)}, {Name: "settings", Was: s.Settings, Asked: u.saved.Settings},
	})
	for i := 0; err == nil && i < len(s.Units); i++ {
		if len(s.Units[i]) > 0 {
			err = restore(i, s.Units[i])
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", u.path, err)
	}
	u.saved = s
	return nil
}
