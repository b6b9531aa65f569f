package rundir

import (
	"io"
	"os"
	"path/filepath"
	"testing"
)

// What a job wrote goes with its run, and what a damaged or forged list names stays.
func TestForceRemovesOutputs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run")
	keep := filepath.Join(filepath.Dir(path), "keep")
	for _, forged := range []bool{false, true} {
		d, err := Create(path, true)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := d.Write("topics.tsv", func(w io.Writer) error { _, err := io.WriteString(w, "1\n"); return err }); err != nil {
				t.Fatal(err)
			}
		}
		if got := d.outputs(); len(got) != 1 {
			t.Errorf("the list is %q", got)
		}
		for _, file := range []string{keep, d.File("notes.txt")} {
			if err := os.WriteFile(file, nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if forged {
			if err := d.WriteJSON(filepath.Join(CheckpointName, outputsFile), outputs{[]string{"../keep", keep, ".", "..", ""}}); err != nil {
				t.Fatal(err)
			}
		}
		d.Close()
		if d, err = Create(path, true); err != nil {
			t.Fatal(err)
		}
		if exists(d.File("topics.tsv")) != forged || !exists(d.File("notes.txt")) || !exists(keep) {
			t.Errorf("forged %v: topics.tsv is there: %v, notes.txt: %v, keep: %v", forged, exists(d.File("topics.tsv")), exists(d.File("notes.txt")), exists(keep))
		}
		d.Close()
	}
}
