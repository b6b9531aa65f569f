package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/ergodic-mcmc/ergodic/anneal"
	"github.com/ergodic-mcmc/ergodic/anneal/spins"
	"github.com/ergodic-mcmc/ergodic/internal/cputime"
)

// search is an instance and what its best is to reach.
type search struct {
	file  string
	known float64       // the best known objective
	bar   float64       // the objective to reach
	time  time.Duration // in which
}

// quality searches each instance.
func (b *bench) quality(ctx context.Context) error {
	all, err := b.searches()
	if err != nil {
		return err
	}
	fmt.Printf("\nbest of a time, %d threads\n\n%-28s %9s %8s %12s %12s %12s %9s %s\n", b.threads, "", "variables", "seconds", "best", "best known", "bar", "CPU s", "")
	failed := 0
	for _, s := range all {
		if !strings.Contains(s.file, b.only) {
			continue
		}
		ok, err := b.search(ctx, s)
		if err != nil {
			return fmt.Errorf("%s: %w", s.file, err)
		}
		if !ok {
			failed++
		}
	}
	fmt.Printf("\nbelow the bar: %d\n", failed)
	return nil
}

func (b *bench) search(ctx context.Context, s search) (ok bool, err error) {
	m, in, err := b.read(s.file)
	if err != nil {
		return false, err
	}
	began, start := time.Now(), cputime.Process()
	set := anneal.Settings{Seed: 1, Threads: b.threads, Time: s.time, HasTarget: true, Target: energyOf(in, s.known)}
	res, err := anneal.Run(ctx, in, set)
	if err != nil {
		return false, err
	}
	energy, err := in.Evaluate(res.Solution)
	if err != nil {
		return false, err
	}
	best, sign := in.Objective(energy), 1.0
	if m.Kind == spins.MaxCut {
		sign = -1
	}
	ok = sign*best <= sign*s.bar
	verdict := ""
	if !ok {
		verdict = "below the bar"
	}
	fmt.Printf("%-28s %9d %8.1f %12v %12v %12.0f %9.1f %s\n", s.file, m.Variables, time.Since(began).Seconds(), best, s.known, s.bar, cputime.Process()-start, verdict)
	return ok, nil
}

// energyOf is the energy of an objective, which is affine in it with a slope of 1 or −1.
func energyOf(in *spins.Instance, objective float64) float64 {
	zero := in.Objective(0)
	return (objective - zero) * (in.Objective(1) - zero)
}

// searches are all instances of the test material.
func (b *bench) searches() (all []search, err error) {
	known, err := b.table()
	if err != nil {
		return nil, err
	}
	for _, pattern := range []string{"gset/G*.txt", "qubo/*"} {
		files, err := filepath.Glob(filepath.Join(b.folder, pattern))
		if err != nil {
			return nil, err
		}
		for _, path := range files {
			name := filepath.Base(path)
			value, ok := known[strings.TrimSuffix(strings.TrimSuffix(name, ".txt"), ".sparse")]
			if !ok || strings.Contains(name, "_opt_cut") {
				continue
			}
			s := search{filepath.Join(filepath.Base(filepath.Dir(path)), name), value, value, b.seconds}
			b.bar(&s)
			all = append(all, s)
		}
	}
	return all, nil
}

// bar is what issue 14 asks for: of graphs but two, 0.1 % up to 3000 vertices and 0.5 % above.
func (b *bench) bar(s *search) {
	name := filepath.Base(s.file)
	if !strings.HasPrefix(s.file, "gset") || name == "G11.txt" {
		return
	}
	if name == "G22.txt" {
		s.bar = 13358
		return
	}
	s.time = b.long
	part := 0.001
	switch name {
	case "G55.txt", "G60.txt", "G63.txt", "G67.txt", "G72.txt", "G81.txt":
		part = 0.005
	}
	s.bar = s.known * (1 - part)
}

// table is the best known objectives by instance.
func (b *bench) table() (map[string]float64, error) {
	all := map[string]float64{}
	files, err := filepath.Glob(filepath.Join(b.folder, "*", "*"))
	if err != nil {
		return nil, err
	}
	for _, path := range files {
		name := filepath.Base(path)
		csv := name == "best_known.csv"
		if !csv && !strings.HasPrefix(name, "optimal_") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			fields, at := strings.Fields(line), 1
			if csv {
				fields, at = strings.Split(strings.TrimSpace(line), ","), 4
			}
			if len(fields) <= at {
				continue
			}
			if v, err := strconv.ParseFloat(fields[at], 64); err == nil {
				all[fields[0]] = v
			}
		}
	}
	all["gka10d"] = all["gka10"] // its list's name
	return all, nil
}
