package rundir

import (
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/atomicfile"
)

// outputsFile, in the folder of the checkpoints, names the files that a job writes besides those of every run.
const outputsFile = "outputs.json"

type outputs struct {
	Files []string `json:"files"`
}

// Output is the path of a file that the job writes, from now on one of the run's files: a new run in this folder removes it.
func (d *Dir) Output(name string) (path string, err error) {
	all := outputs{d.outputs()}
	if !slices.Contains(all.Files, name) {
		all.Files = append(all.Files, name)
		if err := os.MkdirAll(d.Checkpoint(), 0o777); err != nil {
			return "", err
		}
		if err := d.WriteJSON(filepath.Join(CheckpointName, outputsFile), all); err != nil {
			return "", err
		}
	}
	return d.File(name), nil
}

// Write writes an [Dir.Output], whole or not at all.
func (d *Dir) Write(name string, write func(io.Writer) error) error {
	path, err := d.Output(name)
	if err != nil {
		return err
	}
	return atomicfile.WriteFrom(path, write)
}

// outputs are the names so far; none where the list is missing or damaged, for what is left over does less harm than
// what is removed by mistake.
func (d *Dir) outputs() []string {
	var all outputs
	if d.ReadJSON(filepath.Join(CheckpointName, outputsFile), &all) != nil {
		return nil
	}
	return slices.DeleteFunc(all.Files, func(name string) bool { return !filepath.IsLocal(name) || filepath.Base(name) != name || name == "." })
}
