package path

import (
	"fmt"
	"slices"
	"sync"

	"github.com/ergodic-mcmc/ergodic/internal/checksummed"
	"github.com/ergodic-mcmc/ergodic/internal/runner"
)

// store is the file in which a job keeps how far its runs or chains are. The mutex guards what they note, which content joins.
type store struct {
	sync.Mutex
	name    string // "" keeps nothing
	kind    checksummed.Kind
	content func() any
}

// resume goes on from the file where the settings ask for it and there is one: it fills was, which goOn then takes over.
func (s *store) resume(set Settings, was any, goOn func() error) error {
	if !set.Resume || s.name == "" {
		return nil
	}
	there, err := s.kind.ReadIfThere(s.name, was)
	if err == nil && there {
		if err = goOn(); err != nil {
			err = fmt.Errorf("%s %w", s.name, err)
		}
	}
	if err != nil {
		return fmt.Errorf("path: cannot resume: %w", err)
	}
	return nil
}

func (s *store) write() error {
	s.Lock()
	defer s.Unlock()
	if err := s.kind.Write(s.name, s.content()); err != nil {
		return fmt.Errorf("the checkpoint cannot be written: %w", err)
	}
	return nil
}

// runner is how the units of a job run. Turns are as long as the checkpoint allows, so that runs end one after the other: what is
// interrupted gives estimates from those that have ended.
func (s *store) runner(set Settings, c *counter) runner.Settings {
	to := runner.Settings{Threads: set.Threads, Slice: 1 << 62, Watch: c.watch()}
	if s.name != "" {
		to.Slice, to.Every, to.Write = set.Every, set.Every, s.write
	}
	return to
}

// checkpoint is the kind of file that holds finished runs and partial groups.
func checkpoint() checksummed.Kind { return checksummed.Kind{Name: "path checkpoint", Version: 1} }

// finished is the content of a checkpoint: the job, the rows of finished runs, and partial groups. Names of fields are
// those of the file.
type finished struct {
	Purpose, Shape, Fingerprint string
	Seed                        uint64
	Runs, Width                 int
	Rows                        [][]float64 // empty where the run is not finished
	Halves                      []*partialGroup
}

// fill copies the finished runs into rows, as many as fit, and returns the partial groups whose runs all do.
func (f *finished) fill(rows [][]float64) (partials []*partialGroup) {
	for i, row := range f.Rows {
		if len(row) > 0 && i < len(rows) {
			rows[i] = row
		}
	}
	for _, partial := range f.Halves {
		if slices.Max(partial.Runs) < len(rows) {
			partials = append(partials, partial)
		}
	}
	return partials
}

// differs reports the first property in which the file's job, was, differs from the one asked for. The number of runs may grow.
func (f *finished) differs(was *finished) error {
	return otherJob([]checksummed.Property{
		{Name: "method", Was: was.Purpose, Asked: f.Purpose},
		{Name: "seed", Was: was.Seed, Asked: f.Seed},
		{Name: "schedule or another setting of the method", Was: was.Shape, Asked: f.Shape},
		{Name: "family", Was: was.Fingerprint, Asked: f.Fingerprint},
		{Name: "number of values a run", Was: was.Width, Asked: f.Width},
	})
}

// otherJob names the first property that differs, in words that follow the file's name.
func otherJob(list []checksummed.Property) error {
	if err := checksummed.Same(list); err != nil {
		return fmt.Errorf("is of another job: %w", err)
	}
	return nil
}

// check validates what was read from a file.
func (f *finished) check() error {
	for i, row := range f.Rows {
		if len(row) == 0 {
			continue
		}
		if err := f.checkRow(i, row); err != nil {
			return err
		}
	}
	return f.checkPartials()
}
