package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The assembly in package spinlanes is what these programs write: the go:generate lines there, run in a copy of this folder,
// give the same files.
func TestAssemblyIsUpToDate(t *testing.T) {
	top := t.TempDir()
	dir := filepath.Join(top, "gen")
	if err := os.CopyFS(dir, os.DirFS(".")); err != nil {
		t.Fatal(err)
	}
	sources, err := filepath.Glob("../*_amd64.go")
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	for _, source := range sources {
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			rest, ok := strings.CutPrefix(strings.TrimSpace(line), "//go:generate go -C gen ")
			if !ok {
				continue
			}
			args := strings.Fields(rest)
			run := exec.Command("go", args...)
			run.Dir = dir
			if out, err := run.CombinedOutput(); err != nil {
				t.Fatalf("go %s: %v\n%s", rest, err, out)
			}
			for _, a := range args {
				if name, ok := strings.CutPrefix(a, "../"); ok {
					files++
					compare(t, filepath.Join("..", name), filepath.Join(top, name))
				}
			}
		}
	}
	if files == 0 {
		t.Error("no go:generate line names a file")
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
		t.Errorf("%s is out of date: run go generate ./internal/spinlanes", filepath.Base(kept))
	}
}
