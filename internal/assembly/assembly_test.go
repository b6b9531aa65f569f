package assembly

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The assembly of each package is what its program here writes: the go:generate lines there, run in a copy of this module, give the same files.
func TestAssemblyIsUpToDate(t *testing.T) {
	top := t.TempDir()
	dir := filepath.Join(top, "internal", "assembly")
	if err := os.CopyFS(dir, os.DirFS(".")); err != nil {
		t.Fatal(err)
	}
	programs := map[string]bool{}
	for _, pattern := range []string{"../*/*_amd64.go", "../../*/*/*_amd64.go"} {
		sources, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, source := range sources {
			text, err := os.ReadFile(source)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(text)) {
				call, ok := strings.CutPrefix(strings.TrimSpace(line), "//go:generate go -C ")
				if !ok {
					continue
				}
				if _, call, ok = strings.Cut(call, "assembly run "); ok {
					args := strings.Fields(call)
					programs[filepath.Base(args[0])] = true
					remake(t, dir, args)
				}
			}
		}
	}
	all, err := filepath.Glob("*/main.go")
	if err != nil || len(all) != len(programs) {
		t.Errorf("there are %d programs here, and go:generate lines run %d of them (%v)", len(all), len(programs), err)
	}
}

// remake runs a program in the copy and compares the files that it writes.
func remake(t *testing.T, dir string, args []string) {
	t.Helper()
	for _, a := range args {
		if strings.HasPrefix(a, "../") {
			if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, a)), 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	run := exec.Command("go", append([]string{"run"}, args...)...)
	run.Dir = dir
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("go run %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	for _, a := range args {
		if strings.HasPrefix(a, "../") {
			compare(t, a, filepath.Join(dir, a))
		}
	}
}

func compare(t *testing.T, kept, made string) {
	a, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(made)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a, b) {
		t.Errorf("%s is out of date: run go generate in its package", kept)
	}
}
