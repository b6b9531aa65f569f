package job

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/ergodic-mcmc/ergodic/internal/regular"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
)

// Input is a file that determines the results, read once. Its path is absolute,
// so that a run can be resumed from any folder.
type Input struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`

	Name string `json:"-"` // as the user gave it, for messages
	Text []byte `json:"-"`
}

// ReadInput reads the file; what says what it holds, for errors.
func ReadInput(what, name string) (in Input, err error) {
	if in.Path, err = filepath.Abs(name); err != nil {
		return in, err
	}
	in.Name = name
	in.Text, err = regular.ReadFile(name)
	var p *fs.PathError
	if errors.As(err, &p) && errors.Is(err, fs.ErrNotExist) {
		return in, fmt.Errorf("the %s %s cannot be read: %w\n  Correct its path, which counts from the folder in which ergodic runs", what, name, p.Err)
	}
	if errors.As(err, &p) {
		return in, fmt.Errorf("the %s %s cannot be read: %w", what, name, p.Err)
	}
	h := sha256.Sum256(in.Text)
	in.SHA256 = hex.EncodeToString(h[:])
	return in, err
}

// ReadInputs reads files of one kind.
func ReadInputs(what string, names []string) ([]Input, error) {
	var all []Input
	for _, n := range names {
		in, err := ReadInput(what, n)
		if err != nil {
			return nil, err
		}
		all = append(all, in)
	}
	return all, nil
}

// ReadAgain reads the files given, or, where none are, those that a run was started with.
func ReadAgain(what string, given []string, old []Input) ([]Input, error) {
	if given != nil {
		return ReadInputs(what, given)
	}
	var names []string
	for _, o := range old {
		names = append(names, o.Path)
	}
	return ReadInputs(what, names)
}

// File names the input in summary.json.
func (in Input) File() rundir.File {
	return rundir.File{Name: filepath.Base(in.Path), SHA256: in.SHA256}
}

// Files names the inputs in summary.json.
func Files(ins []Input) (out []rundir.File) {
	for _, in := range ins {
		out = append(out, in.File())
	}
	return out
}
