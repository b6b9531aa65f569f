package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// folder is a run to summarise, plot or convert: its draws, where it has some,
// and its summary, where it is finished.
type folder struct {
	path    string
	draws   *draws.Reader
	summary *rundir.Summary
	started rundir.Run // its settings and its model
	model   string
	job     string // the command of the run
}

// openFolder opens a run's folder, or the draws.zarr of any.
func openFolder(path string) (*folder, error) {
	switch info, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no folder %s", path)
	case err == nil && !info.IsDir():
		return nil, fmt.Errorf("%s is a file, not the folder of a run", path)
	}
	f := &folder{path: path}
	zarr := filepath.Join(path, rundir.DrawsFolder)
	if exists(filepath.Join(path, ".zmetadata")) || exists(filepath.Join(path, ".zgroup")) {
		zarr, path = path, filepath.Dir(path)
	}
	kept := readKept(path) // before the draws, which never fall behind
	summary, err := rundir.ReadSummary(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	f.summary = summary
	if exists(zarr) {
		if f.draws, err = draws.Open(zarr); err != nil {
			return nil, err
		}
	}
	if f.summary == nil && f.draws == nil {
		var was struct{ Job string }
		if rundir.ReadSpec(path, &was) == nil && was.Job != "" {
			return nil, fmt.Errorf("%s: the run is not finished; it is at work, or was ended and goes on with\n  ergodic %s --resume %s", path, was.Job, job.Quoted(path))
		}
		return nil, fmt.Errorf("%s is not the folder of a run: it has neither %s nor %s", path, rundir.DrawsFolder, rundir.SummaryFile)
	}
	if err := f.summary.Same(path, f.draws); err != nil {
		return nil, err
	}
	if err := f.behind(path, kept); err != nil {
		return nil, err
	}
	return f, f.readStarted(path)
}

// readKept is how many draws chains had when their checkpoints were written.
func readKept(path string) (all [][2]int) {
	for c := 0; ; c++ {
		warmup, draws, ok := mcmc.Kept(filepath.Join(path, rundir.CheckpointName), c)
		if !ok {
			return all
		}
		all = append(all, [2]int{warmup, draws})
	}
}

// behind returns an error when the checkpoints know more draws than the folder has.
func (f *folder) behind(path string, kept [][2]int) error {
	if f.draws == nil || f.draws.Digests() == nil {
		return nil
	}
	for c, k := range kept {
		warmup, draws := f.draws.Kept(c)
		if draws < k[1] || warmup < k[0] {
			return fmt.Errorf("%s has %d draws of chain %d, and its checkpoint was made after %d: it is older than %s; restore both from one copy",
				filepath.Join(path, rundir.DrawsFolder), draws, c+1, k[1], filepath.Join(path, rundir.CheckpointName))
		}
	}
	return nil
}

// readStarted reads how the run was started, as far as the folder says.
func (f *folder) readStarted(path string) error {
	if f.summary != nil {
		f.started, f.model, f.job = f.summary.Run, f.summary.Input.Model, f.summary.Job
		return nil
	}
	var s struct {
		rundir.Run
		Job   string
		Model struct{ Path string }
	}
	err := rundir.ReadSpec(path, &s)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	f.started, f.model, f.job = s.Run, s.Model.Path, cmp.Or(s.Job, sampleJob)
	return err
}

// posterior is the reader of a folder that must have posterior draws.
func (f *folder) posterior() (*draws.Reader, error) {
	if f.draws == nil {
		return nil, fmt.Errorf("%s has no posterior draws: there is no %s", f.path, filepath.Join(f.path, rundir.DrawsFolder))
	}
	if !f.draws.Has(draws.Posterior) {
		return nil, fmt.Errorf("%s has no posterior draws", f.path)
	}
	return f.draws, nil
}
