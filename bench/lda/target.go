package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ergodic-mcmc/ergodic/internal/cputime"
	"github.com/ergodic-mcmc/ergodic/lda"
)

// targets are log likelihoods per token.
var targets = map[string][]float64{
	"20news:100":  {-9.5, -9.4, -9.3},
	"20news:1000": {-10, -9.8, -9.6},
	"win32:1000":  {-7.1, -6.9, -6.7},
}

// racer comes to likelihoods.
type racer struct {
	name  string
	step  int // sweeps between likelihoods
	sweep func(n int) (cpu float64, err error)
	score func() (float64, error)
}

// longest is the CPU seconds after which a racer gives up.
const longest = 200

func (b *bench) target(ctx context.Context) error {
	fmt.Printf("\nCPU seconds to a log likelihood per token, from topics at random (sweeps)\n")
	for _, c := range b.collections {
		goals := targets[c.name]
		fmt.Printf("%-14s %-24s", c.name, "")
		for _, g := range goals {
			fmt.Printf(" %14.1f", g)
		}
		fmt.Println()
		racers, end, err := b.racers(ctx, c)
		if err != nil {
			return err
		}
		for _, r := range racers {
			if err := r.run(goals); err != nil {
				return err
			}
		}
		if err := end(); err != nil {
			return err
		}
	}
	return nil
}

// racers are MALLET, and our samplers that have a chance, alone and one after the other.
func (b *bench) racers(ctx context.Context, c *collection) (all []*racer, end func() error, err error) {
	end = func() error { return nil }
	if b.mallet != nil {
		p, err := c.open(ctx, b.mallet, "-")
		if err != nil {
			return nil, nil, err
		}
		m, err := c.model(1)
		if err != nil {
			return nil, nil, err
		}
		file := filepath.Join(b.dir, "topics")
		all = append(all, &racer{"MALLET", 5, func(n int) (float64, error) { return p.sweep(n, file) }, func() (float64, error) {
			defer os.Remove(file)
			err := readTopics(file, m)
			return m.LogLikelihoodPerToken(), err
		}})
		end = p.close
	}
	for _, method := range []string{"warp", "sparse"} {
		m, err := c.model(1)
		if err != nil {
			return nil, nil, err
		}
		s, err := lda.NewSampler(method, m, lda.Options{})
		if err != nil {
			return nil, nil, err
		}
		all = append(all, &racer{method, 5, func(n int) (float64, error) {
			from := cputime.Process()
			for range n {
				s.Sweep()
			}
			return cputime.Process() - from, nil
		}, func() (float64, error) { return m.LogLikelihoodPerToken(), nil }})
	}
	return all, end, nil
}

// run prints the CPU seconds to each goal.
func (r *racer) run(goals []float64) error {
	fmt.Printf("%-14s %-24s", "", r.name)
	defer fmt.Println()
	cpu := 0.0
	for n := r.step; len(goals) > 0 && cpu < longest; n += r.step {
		s, err := r.sweep(r.step)
		if err != nil {
			return err
		}
		cpu += s
		now, err := r.score()
		if err != nil {
			return err
		}
		for ; len(goals) > 0 && now >= goals[0]; goals = goals[1:] {
			fmt.Printf(" %8.2f %5s", cpu, fmt.Sprintf("(%d)", n))
		}
	}
	for range goals {
		fmt.Printf(" %8s %5s", "–", "")
	}
	return nil
}
