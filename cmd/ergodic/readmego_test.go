package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadmeGo holds each block of Go in README.md to a program under examples/library, which the compiler
// checks and this test runs, and finds examples that a user could not write: with packages in internal.
func TestReadmeGo(t *testing.T) {
	b, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	programs, err := filepath.Glob("../../examples/library/*/main.go")
	if err != nil || len(programs) == 0 {
		t.Fatalf("programs: %v, %v", programs, err)
	}
	shown := map[string]bool{}
	for _, block := range strings.Split(string(b), "```go\n")[1:] {
		code, _, _ := strings.Cut(block, "```\n")
		shown[code] = true
	}
	for _, file := range programs {
		code, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !shown[string(code)] {
			t.Errorf("README.md does not show %s as it is", file)
		}
		delete(shown, string(code))
		if testing.Short() {
			continue
		}
		program := filepath.Join(t.TempDir(), "program")
		if out, err := exec.Command("go", "build", "-o", program, "./"+filepath.Dir(file)).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", file, err, out)
		}
		cmd := exec.Command(program)
		cmd.Dir = t.TempDir()
		if out, err := cmd.CombinedOutput(); err != nil || len(out) == 0 {
			t.Errorf("%s: %v\n%s", file, err, out)
		}
	}
	for code := range shown {
		t.Errorf("README.md shows Go that is no program under examples/library:\n%s", code)
	}
	err = filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "example_test.go") && !strings.HasPrefix(path, "../../examples/") {
			return err
		}
		code, err := os.ReadFile(path)
		if strings.Contains(string(code), "ergodic/internal/") && strings.HasSuffix(path, ".go") {
			t.Errorf("%s imports a package in internal, which no user can", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
