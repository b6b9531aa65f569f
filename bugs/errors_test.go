package bugs

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files of testdata")

// Each file of testdata/errors holds one fault; the .golden file beside it is
// the message as a user reads it. -update writes them anew.
func TestErrorMessages(t *testing.T) {
	files, err := filepath.Glob("testdata/errors/*")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, path := range files {
		ext := filepath.Ext(path)
		if ext == ".golden" {
			continue
		}
		seen++
		src := readFile(t, path)
		name := filepath.Base(path)
		if ext == ".bug" {
			_, err = Parse(name, src)
		} else {
			_, err = ReadData(name, []byte(src))
		}
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		var e *Error
		if !errors.As(err, &e) || e.Pos.Line == 0 {
			t.Errorf("%s: no *Error with a place: %v", name, err)
		} else if e.Hint == "" {
			t.Errorf("%s: no way out: %v", name, err)
		}
		golden := path + ".golden"
		got := err.Error() + "\n"
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if want := readFile(t, golden); got != want {
			t.Errorf("%s:\ngot\n%swant\n%s", name, got, want)
		}
	}
	if seen < 60 {
		t.Errorf("only %d faults under testdata/errors", seen)
	}
}

func TestErrorExcerpt(t *testing.T) {
	long := strings.Repeat("é", 300)
	for _, c := range []struct {
		name string
		err  Error
		want string
	}{
		{"tab", Error{File: "f", Pos: Pos{1, 3}, Msg: "m", Source: "\tab"}, "f:1:3: m\n    \tab\n    \t ^"},
		{"no file", Error{Pos: Pos{2, 1}, Msg: "m", Source: "x", Hint: "h"}, "2:1: m\n  h\n    x\n    ^"},
		{"no place", Error{File: "f", Msg: "m"}, "f: m"},
		{"bare", Error{Msg: "m"}, "m"},
		{"control", Error{Pos: Pos{1, 2}, Msg: "m", Source: "a\x1b[0m"}, "1:2: m\n    a\uFFFD[0m\n     ^"},
		{"past the end", Error{Pos: Pos{1, 9}, Msg: "m", Source: "ab"}, "1:9: m\n    ab\n      ^"},
		{"long", Error{Pos: Pos{1, 200}, Msg: "m", Source: long}, "1:200: m\n    …" + strings.Repeat("é", 99) + "…\n    " + strings.Repeat(" ", 67) + "^"},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("%s: got\n%q\nwant\n%q", c.name, got, c.want)
		}
	}
}
