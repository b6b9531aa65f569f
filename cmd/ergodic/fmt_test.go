package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fmt prints models, or writes those that are not in the style; one that cannot be read is told, and the others are done.
func TestFmt(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.bug": "model{a~dnorm(0,1)# a\n}", "b.bug": "model {\n  a ~ dnorm(0, 1)\n}\n", "bad.bug": "model { a <- }"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) ran {
		cmd := program(t, append([]string{"fmt"}, args...)...)
		cmd.Dir = dir
		return execute(t, cmd)
	}
	const styled = "model {\n  a ~ dnorm(0, 1) # a\n}\n"
	if got := run("a.bug"); got.status != 0 || got.stdout != styled {
		t.Errorf("%+v", got)
	}
	if got := run("-w", "bad.bug", "a.bug", "b.bug"); got.status != 1 || got.stdout != "" || !strings.HasPrefix(got.stderr, "a.bug\nbad.bug:1:14: ") {
		t.Errorf("%+v", got)
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "a.bug")); string(b) != styled {
		t.Errorf("%s", b)
	}
}
