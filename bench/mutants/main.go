// Mutants plants mistakes in a copy of the tree, one at a time, and tells which of them the
// conformance suite and the random programs catch.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// mutant is a mistake: text of a file, what stands there instead, what it is, and the
// command that is to fail on it.
type mutant struct {
	file, old, new string
	what           string
	judge          string
}

func main() {
	only := flag.String("only", "", "plant the mistakes whose file or description holds this")
	limit := flag.Duration("time", 10*time.Minute, "time for one of them")
	flag.Parse()
	if err := run(*only, *limit); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(only string, limit time.Duration) error {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.CopyFS(dir, os.DirFS(".")); err != nil {
		return err
	}
	caught, planted := 0, 0
	for _, m := range append(plans(), kernels()...) {
		if only != "" && !strings.Contains(m.file+" "+m.what, only) {
			continue
		}
		planted++
		verdict, err := m.plant(dir, limit)
		if err != nil {
			return err
		}
		if verdict == "caught" {
			caught++
		}
		fmt.Printf("%-10s %s: %s\n", verdict, m.file, m.what)
	}
	fmt.Printf("%d of %d mistakes caught\n", caught, planted)
	return nil
}

// plant changes a file, runs the command, and puts the file back.
func (m *mutant) plant(dir string, limit time.Duration) (string, error) {
	path := filepath.Join(dir, m.file)
	was, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	if n := bytes.Count(was, []byte(m.old)); n != 1 {
		return "", fmt.Errorf("%s: the text of %q is there %d times, not once", m.file, m.what, n)
	}
	if err := os.WriteFile(path, bytes.Replace(was, []byte(m.old), []byte(m.new), 1), 0o600); err != nil {
		return "", err
	}
	defer os.WriteFile(path, was, 0o600)
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	words := strings.Fields(m.judge)
	judge := exec.CommandContext(ctx, words[0], words[1:]...)
	judge.Dir = dir
	judge.WaitDelay = time.Second
	switch out, err := judge.CombinedOutput(); {
	case ctx.Err() != nil:
		return "timeout", nil
	case err == nil:
		return "MISSED", nil
	case !bytes.Contains(out, []byte("FAIL")), bytes.Contains(out, []byte("[build failed]")):
		return "", fmt.Errorf("%s: %q: %w\n%s", m.file, m.what, err, out)
	}
	return "caught", nil
}
