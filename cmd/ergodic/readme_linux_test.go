package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestReadme runs the commands of README.md's console blocks, one after the
// other in one folder, and holds what they print to what it shows. With -update
// it writes the README and its picture anew. The last digits of diagnostics may differ between
// processors, so the outputs are those of one.
func TestReadme(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the outputs are those of Linux on amd64")
	}
	const file = "../../README.md"
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir := readmeFolder(t)
	var got strings.Builder
	console := false
	for line := range strings.Lines(string(b)) {
		switch {
		case !console:
			console = line == "```console\n"
			got.WriteString(line)
		case line == "```\n":
			console = false
			got.WriteString(line)
		case strings.HasPrefix(line, "$ "):
			got.WriteString(line)
			got.WriteString(shell(t, dir, strings.TrimPrefix(line, "$ ")))
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		shell(t, dir, "ergodic plot mites --kind forest --out pictures")
		picture, err := os.ReadFile(filepath.Join(dir, "pictures/forest.png"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("../../docs/forest.png", picture, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	was, is := strings.Split(string(b), "\n"), strings.Split(got.String(), "\n")
	for i := range min(len(was), len(is)) {
		if was[i] != is[i] {
			t.Fatalf("README.md:%d shows\n%s\nand the program prints\n%s\nIf that is meant, run go test -run Readme -update here.", i+1, was[i], is[i])
		}
	}
	if len(was) != len(is) {
		t.Errorf("README.md shows %d lines for %d", len(was), len(is))
	}
}

// readmeFolder is a folder with what the README's commands read: the program
// and the examples.
func readmeFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	examples, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"ergodic": self, "examples": examples} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// shell runs a line as a user would, at a terminal of 80 columns, and returns all it prints.
func shell(t *testing.T, dir, line string) string {
	t.Helper()
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), beProgram+"=1", "PATH="+dir+":"+os.Getenv("PATH"), "TERM=dumb", "COLUMNS=")
	out, err := atTerminal(t, cmd, 80)
	if err != nil && !strings.Contains(line, "rate.bug") {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
	return out
}

// atTerminal runs a command and returns what the terminal shows.
func atTerminal(t *testing.T, cmd *exec.Cmd, columns uint16) (string, error) {
	t.Helper()
	master, slave := terminal(t, columns)
	cmd.Stdout, cmd.Stderr = slave, slave
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	slave.Close()
	var screen strings.Builder
	io.Copy(&screen, master) // ends with an error when the command has closed its side
	return strings.ReplaceAll(screen.String(), "\r\n", "\n"), cmd.Wait()
}
