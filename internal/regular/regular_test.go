package regular

import (
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
)

func TestOnlyFilesAreRead(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "x")
	if err := os.WriteFile(file, []byte("abc"), 0o666); err != nil {
		t.Fatal(err)
	}
	if b, err := ReadFile(file); err != nil || string(b) != "abc" {
		t.Errorf("%q, %v", b, err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(file, link); err == nil {
		if b, err := ReadFile(link); err != nil || string(b) != "abc" {
			t.Errorf("a link: %q, %v", b, err)
		}
	}
	for path, says := range map[string]string{dir: "a folder, not a file", os.DevNull: "not a file"} {
		if _, err := ReadFile(path); err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := Open(filepath.Join(dir, "none")); !os.IsNotExist(err) {
		t.Errorf("%v", err)
	}
}

// A file of holes may be larger than memory is.
func TestReadFileLargerThanMemory(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(1 << 30))
	file := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(file, 1<<40); err != nil {
		t.Skip(err) // a file system without holes
	}
	_, err := ReadFile(file)
	var no *memory.Error
	if !errors.As(err, &no) || !strings.Contains(err.Error(), file) {
		t.Errorf("%v", err)
	}
}
