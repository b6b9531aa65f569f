package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/peak"
)

var update = flag.Bool("update", false, "rewrite the messages in testdata/broken and docs/messages.md")

// Each file of testdata/broken holds one fault: the files of a run, more
// arguments and another exit status than 1 where it needs them, and what the user is told. -update writes
// the messages anew.
func TestBrokenInput(t *testing.T) {
	files, err := filepath.Glob("testdata/broken/*.txt")
	if err != nil || len(files) < 60 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			input, want, _ := strings.Cut(string(text), "-- message --\n")
			got := maskDrawn(complaint(t, input))
			if *update {
				if err := os.WriteFile(file, []byte(input+"-- message --\n"+got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if place, wayOut := headOf(got); !placed.MatchString(place) || wayOut == "" && !strings.HasPrefix(place, "note: ") {
				t.Errorf("the first line names no place, or the second no way out:\n%s", got)
			}
		})
	}
}

// The first line of a message says where, in a file or a flag; notes may do so in passing.
var placed = regexp.MustCompile(`^(?:[a-z0-9]+\.[a-zA-Z]+(?::\d+:\d+)?: |ergodic: |note: )`)

// headOf is the first line of what went wrong, behind notes and the announcement of the run, and the line below it
// where that is no line of the program.
func headOf(message string) (place, wayOut string) {
	lines := strings.Split(message, "\n")
	first := slices.IndexFunc(lines, func(l string) bool { return !strings.HasPrefix(l, "seed ") && !strings.HasPrefix(l, "note: ") })
	if first < 0 || lines[first] == "" { // notes alone
		return lines[0], ""
	}
	lines = lines[first:]
	if text, ok := strings.CutPrefix(lines[1], "  "); ok && !strings.HasPrefix(text, " ") {
		return lines[0], text
	}
	return lines[0], ""
}

// docs/messages.md lists the cases of testdata/broken with the first lines of what is said.
func TestMessagesPage(t *testing.T) {
	files, err := filepath.Glob("testdata/broken/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	page.WriteString(messagesHead)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, message, _ := strings.Cut(string(text), "-- message --\n")
		place, wayOut := headOf(message)
		name := strings.ReplaceAll(strings.TrimSuffix(filepath.Base(file), ".txt"), "-", " ")
		cell := strings.NewReplacer("|", `\|`, "`", "'")
		fmt.Fprintf(&page, "| [%s](../cmd/ergodic/%s) | `%s` | %s |\n", name, filepath.ToSlash(file), cell.Replace(place), cell.Replace(wayOut))
	}
	const path = "../../docs/messages.md"
	if *update {
		if err := os.WriteFile(path, []byte(page.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if is, err := os.ReadFile(path); err != nil || string(is) != page.String() {
		t.Errorf("docs/messages.md is not what testdata/broken gives: -update writes it anew (%v)", err)
	}
}

const messagesHead = `# What ergodic says of mistakes

An error of a program or of data has the place in its first line, with the node, its indices and its value, and what to do in the second. The line of the
program with a caret below, and the node's relation with the values of its parents, follow. Each mistake below links to the files of a run with it, and to all that is said.

| mistake | first line | second line |
| --- | --- | --- |
`

// Values that a start gives unobserved nodes, as the line of the relation shows
// them, and numbers with many digits, which come from them. They may change;
// the message may not.
var (
	drawn = regexp.MustCompile(`\b((?:mu|tau|theta)(?:\[\d\])?) = [^,)]+`)
	long  = regexp.MustCompile(`-?\d+\.\d{3,}(?:e-\d+)?`)
)

func maskDrawn(message string) string {
	lines := strings.Split(message, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, "  ") && !strings.HasPrefix(l, "   ") && strings.Contains(l, " ~ ") {
			l = drawn.ReplaceAllString(l, "$1 = #")
		}
		lines[i] = long.ReplaceAllString(l, "#")
	}
	return strings.Join(lines, "\n")
}

// complaint runs the files of a case in a folder of their own and returns what
// is said on standard error.
func complaint(t *testing.T, text string) string {
	dir, status := t.TempDir(), 1
	args := []string{"sample", "m.bug", "--seed", "1", "--chains", "1", "--progress", "none", "--draws", "5", "--warmup", "5", "--out", "run"}
	var file string
	for _, line := range strings.SplitAfter(text, "\n") {
		name, isHead := strings.CutPrefix(strings.TrimSpace(line), "-- ")
		switch {
		case isHead:
			file = strings.TrimSuffix(name, " --")
			line = ""
			switch filepath.Ext(file) {
			case ".bug":
			default:
				flag := "--data"
				if strings.HasPrefix(file, "i") {
					flag = "--inits"
				}
				args = append(args, flag, file)
			}
		case file == "" && strings.HasPrefix(line, "status "):
			status, _ = strconv.Atoi(strings.Fields(line)[1])
			continue
		case file == "" && line != "":
			args = append(args, strings.Fields(line)[1:]...)
			continue
		case file == "":
			continue
		}
		f, err := os.OpenFile(filepath.Join(dir, file), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		f.WriteString(line)
		f.Close()
	}
	return complain(t, dir, status, args)
}

// patience is how long a process may take to say what is wrong; it is long
// because tests share their processors with others.
const patience = time.Minute

// maxResident bounds the memory, in MB, of a process that only says what is
// wrong.
const maxResident = 1000

func complain(t *testing.T, dir string, status int, args []string) string {
	cmd := program(t, args...)
	cmd.Dir = dir
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var stop = context.AfterFunc(ctx, func() { cmd.Process.Kill() })
	defer stop()
	r := execute(t, cmd)
	if r.status != status || r.stdout != "" && status != 0 {
		t.Errorf("status %d, %q on standard output", r.status, r.stdout)
	}
	if status == 0 { // draws that few have warnings of their own
		r.stderr, _, _ = strings.Cut(r.stderr, "warning: ")
	}
	for _, bad := range []string{"goroutine", "panic", "bug in Ergodic"} {
		if strings.Contains(r.stderr, bad) {
			t.Errorf("%q in what is said: %s", bad, r.stderr)
		}
	}
	if mb := peak.MB(cmd.ProcessState); mb > maxResident {
		t.Errorf("it took %d MB of memory", mb)
	}
	return r.stderr
}

// Programs that are too large or too deep to be kept as files.
func TestMonstrousInput(t *testing.T) {
	if testing.Short() {
		t.Skip("needs seconds")
	}
	const end = "\n  y ~ dnorm(m, 1)\n}\n"
	doubling := "model {\n  x0 <- n\n"
	for k := range 60 {
		doubling += fmt.Sprintf("  x%d <- x%d + x%d\n", k+1, k, k)
	}
	for _, c := range []struct{ name, model, data, said string }{
		{"deep parentheses", "model { y ~ dnorm(" + strings.Repeat("(", 30000) + "1" + strings.Repeat(")", 30000) + ", 1) }", "y <- 1", "nested deeper"},
		{"deep loops", "model {" + strings.Repeat(" for (i in 1:2) {", 3000) + " x[i] ~ dnorm(0, 1) " + strings.Repeat("}", 3000) + end, "y <- 1", "nested"},
		{"doubling constants", doubling + "  for (i in 1:x60) { z[i] ~ dnorm(0, 1) }" + end, "n <- 0\ny <- 1", "unknown variable m"},
		{"long name", "model { " + strings.Repeat("a", 1e6) + " ~ dnorm(0, 1 }", "y <- 1", `expected "," or ")"`},
		{"long line of data", "model { m ~ dnorm(0, 1)" + end, "y <- c(" + strings.Repeat("1,", 1e6) + ")", "expected a value"},
		{"quadratic", "model { for (i in 1:100000) { z[i] ~ dnorm(sum(x[1:i]), 1)\n x[i] ~ dnorm(0, 1) } }", "y <- 1", "running sum"},
		{"many errors", "model {" + strings.Repeat("x ~ dnrm(0, 1)\n", 1e5) + "}", "y <- 1", "unknown distribution"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := complaint(t, "-- m.bug --\n"+c.model+"\n-- d.R --\n"+c.data+"\n")
			if !strings.Contains(got, c.said) || !strings.HasPrefix(got, "m.bug:") && !strings.HasPrefix(got, "d.R:") {
				t.Errorf("%.500s", got)
			}
			if len(got) > 2000 {
				t.Errorf("a message of %d bytes", len(got))
			}
		})
	}
}
