package rundir

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/atomicfile"
	"github.com/ergodic-mcmc/ergodic/internal/checksummed"
	"github.com/ergodic-mcmc/ergodic/internal/regular"
)

// Names in the folder.
const (
	SummaryFile    = "summary.json"
	LogFile        = "log.jsonl"
	DrawsFolder    = "draws.zarr"
	CheckpointName = "checkpoint"
	SpecFile       = "run.json" // what determines the draws, for Resume
	lockFile       = ".lock"
)

// Dir is a run's folder, held by this process until Close.
type Dir struct {
	path string
	lock *flock.Flock
	log  *os.File
}

// Create makes the folder of a new run. A folder that holds a run, finished
// or not, or anything else, is refused unless force is set, which removes that run's
// files and no others.
func Create(path string, force bool) (*Dir, error) {
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, fmt.Errorf("the run's folder cannot be made: %w", err)
	}
	d, err := hold(path)
	if err != nil {
		return nil, err
	}
	if err := d.clear(force); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// clear makes sure that no run is in the folder.
func (d *Dir) clear(force bool) error {
	if !force {
		if exists(d.File(SummaryFile)) {
			return fmt.Errorf("%s holds a finished run; choose another rundir.Create(path), or overwrite it with rundir.Create(force)", d.path)
		}
		if exists(d.File(SpecFile)) {
			return fmt.Errorf("%s holds an unfinished run; go on with rundir.Resume %s, or overwrite it with rundir.Create(force)", d.path, d.path)
		}
		return d.alone()
	}
	if err := d.remove(); err != nil {
		return fmt.Errorf("the earlier run cannot be removed: %w", err)
	}
	return nil
}

// alone refuses a folder with files of somebody else's. What a run leaves that was killed before SpecFile was written is not.
func (d *Dir) alone() error {
	entries, err := os.ReadDir(d.path)
	if err != nil {
		return err
	}
	for _, e := range entries {
		switch name := e.Name(); {
		case name == lockFile, atomicfile.IsTemporary(name):
			continue
		case name == CheckpointName:
			if inside, err := os.ReadDir(d.Checkpoint()); err == nil && len(inside) == 0 {
				continue
			}
		}
		return fmt.Errorf("%s is not empty (it holds %s) and holds no run; choose a new folder, or put a run there with rundir.Create(force)", d.path, e.Name())
	}
	return nil
}

// files are the names of what every run leaves.
func files() []string {
	return []string{SummaryFile, LogFile, DrawsFolder, CheckpointName, SpecFile}
}

// remove removes the files of a run and no others.
func (d *Dir) remove() error {
	for _, name := range d.outputs() {
		if err := os.Remove(d.File(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	for _, name := range files() {
		if err := os.RemoveAll(d.File(name)); err != nil {
			return err
		}
	}
	return nil
}

// Discard removes a run that came to nothing, and the folder if nothing else
// is in it, and closes it.
func (d *Dir) Discard() error {
	if d.log != nil {
		d.log.Close()
		d.log = nil
	}
	err := errors.Join(d.remove(), d.Close())
	os.Remove(d.path) // fails where the user has files in it, which stay
	return err
}

// Unfinish takes the mark of a finished run away, which is to be extended.
func (d *Dir) Unfinish() error {
	err := os.Remove(d.File(SummaryFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Resume opens the folder of an earlier run.
func Resume(path string) (*Dir, error) {
	if !exists(path) {
		return nil, fmt.Errorf("there is no folder %s to resume", path)
	}
	if !exists(filepath.Join(path, CheckpointName)) && !exists(filepath.Join(path, SpecFile)) {
		return nil, fmt.Errorf("%s holds no run to resume, no checkpoint; if it was killed as it began, start it again as you did", path)
	}
	return hold(path)
}

func hold(path string) (*Dir, error) {
	lock, err := acquire(filepath.Join(path, lockFile))
	if err != nil {
		return nil, refused(path, err)
	}
	return &Dir{path: path, lock: lock}, nil
}

// refused says why a folder cannot be held.
func refused(path string, err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%s cannot be written to (%w); a run keeps draws and checkpoints there: ask its owner for the right to, or go on with a copy of the folder", path, err)
	}
	return fmt.Errorf("%s: %w", path, err)
}

// Close lets go of the folder. A second Close does nothing.
func (d *Dir) Close() error {
	if d.lock == nil {
		return nil
	}
	var err error
	if d.log != nil {
		err = d.log.Close()
	}
	d.lock.Close()
	d.lock = nil
	return errors.Join(err, os.Remove(d.File(lockFile)))
}

// Path is the folder.
func (d *Dir) Path() string { return d.path }

// File is the path of a file in the folder.
func (d *Dir) File(name string) string { return filepath.Join(d.path, name) }

// Checkpoint is the folder of the checkpoints.
func (d *Dir) Checkpoint() string { return d.File(CheckpointName) }

// Draws opens the draws for writing: new ones, or with resume those that are
// there. Where there is no checkpoint either, a folder without consolidated
// metadata was killed while it was being made and never held a draw; it is
// made again.
func (d *Dir) Draws(l draws.Layout, resume bool) (*draws.Writer, error) {
	path := d.File(DrawsFolder)
	if resume && exists(filepath.Join(path, ".zmetadata")) {
		return draws.Resume(path, l)
	}
	if resume {
		old, err := fs.Glob(os.DirFS(d.Checkpoint()), "chain-*")
		if err != nil {
			return nil, err
		}
		if len(old) > 0 {
			return nil, fmt.Errorf("%s is missing, and with it the draws that the checkpoints of %s go on from; restore the file from a copy, or start the run anew",
				filepath.Join(path, ".zmetadata"), d.path)
		}
		if err := os.RemoveAll(path); err != nil {
			return nil, err
		}
	}
	return draws.Create(path, l)
}

// WriteJSON replaces a file of the folder by v, an object, as JSON with its
// checksum.
func (d *Dir) WriteJSON(name string, v any) error {
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return fmt.Errorf("%s: %w", d.File(name), err)
	}
	return atomicfile.Write(d.File(name), checksummed.EncodeJSON(b), 0, true)
}

// ReadJSON reads a file that WriteJSON wrote.
func (d *Dir) ReadJSON(name string, v any) error {
	if name == SpecFile {
		return ReadSpec(d.path, v)
	}
	return readJSON(d.File(name), v)
}

// ReadSpec reads what the run in a folder was started with.
func ReadSpec(path string, v any) error {
	file := filepath.Join(path, SpecFile)
	var is marks
	if err := readJSON(file, &is); err != nil {
		return err
	}
	if is.Warnings != nil {
		return fmt.Errorf("%s is a summary; restore it from a copy", file)
	}
	return readJSON(file, v)
}

// marks tells a summary, which always has warnings, from other files.
type marks struct{ Warnings []json.RawMessage }

func readJSON(file string, v any) error {
	b, err := regular.ReadFile(file)
	if err != nil {
		return err
	}
	if err := checksummed.DecodeJSON(b, v); err != nil {
		return fmt.Errorf("%s %w; restore it from a copy", file, err)
	}
	return nil
}

// Origin stands for whatever a run's results depend on: equal values, equal
// origins.
func Origin(what ...any) string {
	b, err := json.Marshal(what)
	if err != nil {
		return err.Error() // of values that JSON has no words for, which come from no file
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}
