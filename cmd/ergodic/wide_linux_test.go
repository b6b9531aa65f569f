package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// Every table fits the terminal it is printed on, has all its columns with --wide and when piped, and COLUMNS
// overrules the terminal.
func TestTablesFitTheTerminal(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	other := filepath.Join(t.TempDir(), "other")
	must(t, small(dir)...)
	must(t, small(other)...)
	chain := filepath.Join(t.TempDir(), "p.csv")
	matrix := "name,a.long.name.of.a.state,second.state,third.state,fourth.state,fifth\n" +
		"a.long.name.of.a.state,.2,.2,.2,.2,.2\nsecond.state,.2,.2,.2,.2,.2\nthird.state,.2,.2,.2,.2,.2\nfourth.state,.2,.2,.2,.2,.2\nfifth,.1,.3,.2,.2,.2\n"
	if err := os.WriteFile(chain, []byte(matrix), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"summary", dir},
		{"compare", dir, other},
		{"check", "testdata/lamps.bug", "--data", "testdata/lamps.json"},
		{"chain", chain, "--from", "fifth", "--generations", "3"},
	} {
		piped := must(t, args...).stdout
		for _, at := range []struct {
			terminal uint16
			columns  string
			want     int
		}{{80, "", 80}, {200, "60", 60}, {60, "", 60}} {
			cmd := program(t, args...)
			cmd.Env = append(cmd.Env, "TERM=dumb", "COLUMNS="+at.columns)
			screen, err := atTerminal(t, cmd, at.terminal)
			if err != nil {
				t.Fatal(err, screen)
			}
			for line := range strings.Lines(screen) {
				if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > at.want && len(strings.Fields(line)) > 1 && !prose(line) {
					t.Errorf("%s at %d: %d columns in %q", args[0], at.want, n, line)
				}
			}
			cmd = program(t, append(args, "--wide")...)
			cmd.Stderr = nil
			if wide, err := atTerminal(t, cmd, at.terminal); err != nil || !strings.Contains(wide, strings.TrimSpace(piped)) {
				t.Errorf("%s --wide: %v\n%s\npiped\n%s", args[0], err, wide, piped)
			}
		}
	}
}

// prose is a line that the terminal may wrap: a sentence, or a list.
func prose(line string) bool {
	for _, word := range []string{"warning", "note", "  Means", "  Quantiles", "  The chains", "recorded", ": ", " is ", " are "} {
		if strings.Contains(line, word) {
			return true
		}
	}
	return false
}
