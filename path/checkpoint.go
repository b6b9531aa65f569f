package path

import (
	"fmt"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/checksummed"
)

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

// store is a checkpoint file; nil saves nothing.
type store struct {
	name     string
	head     finished
	partials []*partialGroup // to resume
}

// openStore fills rows from the file when the job is resumed.
func openStore(b job, set Settings, rows [][]float64) (*store, error) {
	if set.Checkpoint == "" {
		return nil, nil
	}
	s := &store{name: set.Checkpoint, head: finished{b.purpose, b.shape, set.Fingerprint, set.Seed, set.Runs, b.width, nil, nil}}
	if !set.Resume {
		return s, nil
	}
	was := new(finished)
	switch there, err := checkpoint().ReadIfThere(s.name, was); {
	case err != nil:
		return nil, fmt.Errorf("path: cannot resume: %w", err)
	case !there:
		return s, nil
	}
	err := was.check()
	if err == nil {
		err = s.head.differs(was)
	}
	if err != nil {
		return nil, fmt.Errorf("path: cannot resume: %s %w", s.name, err)
	}
	s.partials = was.fill(rows)
	return s, nil
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
func (f finished) differs(was *finished) error {
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

func (s *store) save(rows [][]float64, partials []*partialGroup) error {
	if s == nil {
		return nil
	}
	f := s.head
	f.Rows, f.Halves = rows, partials
	if err := checkpoint().Write(s.name, f); err != nil {
		return fmt.Errorf("the finished runs cannot be saved: %w", err)
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
