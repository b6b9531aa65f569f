package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
)

// folder is a run to judge, draw or convert: its draws, where it has some,
// and its summary, where it is finished.
type folder struct {
	path    string
	draws   *draws.Reader
	summary *rundir.Summary
	started rundir.Run // its settings and its model
	model   string
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
		return nil, fmt.Errorf("%s is not the folder of a run: it has neither %s nor %s", path, rundir.DrawsFolder, rundir.SummaryFile)
	}
	if err := f.summary.Same(path, f.draws); err != nil {
		return nil, err
	}
	return f, f.readStarted(path)
}

// readStarted reads how the run was started, as far as the folder says.
func (f *folder) readStarted(path string) error {
	if f.summary != nil {
		f.started, f.model = f.summary.Run, f.summary.Input.Model
		return nil
	}
	var s struct {
		rundir.Run
		Model struct{ Path string }
	}
	err := rundir.ReadSpec(path, &s)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	f.started, f.model = s.Run, s.Model.Path
	return err
}

// posterior is the reader of a folder that must have posterior draws.
func (f *folder) posterior() (*draws.Reader, error) {
	if f.draws == nil || !f.draws.Has(draws.Posterior) {
		return nil, fmt.Errorf("%s has no posterior draws", f.path)
	}
	return f.draws, nil
}
