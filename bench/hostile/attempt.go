package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
)

// The bars.
const (
	mostMB      = 1024
	mostCPU     = 10 * time.Second
	mostWall    = 2 * time.Minute // on a machine that does other things too
	mostMessage = 4000
)

// input is one hostile input: files and the command that reads them.
type input struct {
	kind  string
	files map[string][]byte
	dirs  map[string]string // folders to copy before files are written over them
	args  []string
}

// outcome is what became of it.
type outcome struct {
	status int
	peakMB int64
	cpu    time.Duration
	said   string
	faults []string
}

// attempt runs the program on an input in a folder of its own.
func attempt(program, dir, memory string, in input) (o outcome, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return o, err
	}
	for to, from := range in.dirs {
		if err := os.CopyFS(filepath.Join(dir, to), os.DirFS(from)); err != nil {
			return o, err
		}
	}
	for name, b := range in.files {
		if len(b) >= 1<<20 {
			return o, fmt.Errorf("%s: %d bytes are not small", name, len(b))
		}
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return o, err
		}
		if err := os.WriteFile(path, b, 0o644); err != nil {
			return o, err
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), mostWall)
	defer cancel()
	p, err := run.Execute(ctx, dir, program, append(slices.Clone(in.args), "--memory", memory)...)
	if err != nil {
		return o, err
	}
	o = outcome{status: p.Status, peakMB: p.PeakMB, cpu: p.CPU, said: p.Stderr}
	o.judge(p.Late)
	return o, nil
}

func (o *outcome) judge(hung bool) {
	fault := func(is bool, what string) {
		if is {
			o.faults = append(o.faults, what)
		}
	}
	fault(hung, "hangs")
	fault(!hung && o.status < 0, "is killed")
	fault(o.peakMB > mostMB, "takes memory")
	fault(o.cpu > mostCPU && !hung, "takes time")
	for _, bad := range []string{"goroutine ", "panic:", "fatal error:", "bug in Ergodic"} {
		fault(strings.Contains(o.said, bad), "says "+bad)
	}
	fault(len(o.said) > mostMessage, "says too much")
	fault(strings.ContainsFunc(o.said, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }), "says control bytes")
	fault(o.status == 1 && strings.TrimSpace(o.said) == "", "says nothing")
}
