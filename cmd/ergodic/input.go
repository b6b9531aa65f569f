package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/internal/regular"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
)

// input is a file that determines the draws, read once. Its path is absolute,
// so that a run can be resumed from any folder.
type input struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`

	name string // as the user gave it, for messages
	text []byte
}

func readInput(what, name string) (in input, err error) {
	if in.Path, err = filepath.Abs(name); err != nil {
		return in, err
	}
	in.name = name
	in.text, err = regular.ReadFile(name)
	var p *fs.PathError
	if errors.As(err, &p) {
		return in, fmt.Errorf("the %s %s cannot be read: %w", what, name, p.Err)
	}
	h := sha256.Sum256(in.text)
	in.SHA256 = hex.EncodeToString(h[:])
	return in, err
}

func readInputs(what string, names []string) ([]input, error) {
	var all []input
	for _, n := range names {
		in, err := readInput(what, n)
		if err != nil {
			return nil, err
		}
		all = append(all, in)
	}
	return all, nil
}

// again reads the files that a run was started with.
func again(what string, old []input) ([]input, error) {
	var names []string
	for _, o := range old {
		names = append(names, o.Path)
	}
	return readInputs(what, names)
}

// sameInputs says what differs between the files that a run was started with
// and those it would go on with, "" if nothing does. Where they lie does not
// matter.
func sameInputs(what string, old, now []input) string {
	if len(old) != len(now) {
		return fmt.Sprintf("the run was started with %d of %ss, not %d", len(old), what, len(now))
	}
	for i, o := range old {
		if o.SHA256 != now[i].SHA256 {
			return fmt.Sprintf("the %s %s is not what the run was started with (sha256 %.12s…, then %.12s…)", what, now[i].name, now[i].SHA256, o.SHA256)
		}
	}
	return ""
}

// readData parses and merges data files.
func readData(files []input) (*bugs.Data, error) {
	all := &bugs.Data{Values: map[string]*bugs.Value{}}
	for _, f := range files {
		d, err := bugs.ReadData(f.name, f.text)
		if err != nil {
			return nil, err
		}
		if len(d.Names) == 0 {
			d.Notes = append(d.Notes, f.name+" holds no values")
		}
		if err := all.Merge(d); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// file names an input in summary.json.
func (in input) file() rundir.File {
	return rundir.File{Name: filepath.Base(in.Path), SHA256: in.SHA256}
}

func files(ins []input) (out []rundir.File) {
	for _, in := range ins {
		out = append(out, in.file())
	}
	return out
}
