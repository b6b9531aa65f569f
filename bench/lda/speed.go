package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
	"github.com/ergodic-mcmc/ergodic/internal/cputime"
	"github.com/ergodic-mcmc/ergodic/lda"
)

// sweeper makes sweeps and says what they took.
type sweeper struct {
	name  string
	sweep func(n int) (cpu float64, err error)
	close func() error
	rates []float64 // million tokens a CPU second
	slow  bool
}

// ours are our samplers, each with a model of its own.
func (b *bench) ours(c *collection, topics []uint16) ([]*sweeper, error) {
	var all []*sweeper
	for _, method := range lda.Methods() {
		if !b.samplers.MatchString(method) {
			continue
		}
		m, err := c.model(1)
		if err != nil {
			return nil, err
		}
		if err := m.SetTopics(topics); err != nil {
			return nil, err
		}
		s, err := lda.NewSampler(method, m, lda.Options{})
		if err != nil {
			return nil, err
		}
		all = append(all, &sweeper{name: method, close: func() error { return nil }, sweep: func(n int) (float64, error) {
			from := cputime.Process()
			for range n {
				s.Sweep()
			}
			return cputime.Process() - from, nil
		}})
	}
	return all, nil
}

// warmed is the topics after b.warm sweeps of warp, and a file of them.
func (b *bench) warmed(c *collection) (topics []uint16, file string, err error) {
	m, err := c.model(1)
	if err != nil {
		return nil, "", err
	}
	s, err := lda.NewSampler("warp", m, lda.Options{})
	if err != nil {
		return nil, "", err
	}
	for range b.warm {
		s.Sweep()
	}
	file = filepath.Join(b.dir, "start")
	return m.Topics(), file, writeTopics(file, m.Topics())
}

func (b *bench) speed(ctx context.Context) error {
	fmt.Printf("\nmillion tokens a CPU second, one thread, from the topics after %d sweeps of warp; medians of %d times %d sweeps\n", b.warm, b.repeat, b.sweeps)
	fmt.Printf("%-14s %-10s %8s %10s %10s\n", "", "", "", "to MALLET", "to tomotopy")
	for _, c := range b.collections {
		topics, start, err := b.warmed(c)
		if err != nil {
			return err
		}
		all, err := b.ours(c, topics)
		if err != nil {
			return err
		}
		if b.mallet != nil {
			all, err = c.join(ctx, all, "MALLET", b.mallet, start, false)
		}
		if err != nil {
			return err
		}
		for _, p := range [...]struct{ name, driver string }{{"tomotopy", "tomotopy_driver.py"}, {"gensim", "gensim_driver.py"}} {
			command, err := python(ctx, p.name, p.driver)
			if errors.Is(err, run.ErrMissing) {
				fmt.Println("SKIPPED:", err)
				continue
			}
			if p.name == "gensim" && c.topics > 100 {
				continue // half an hour
			}
			if err == nil {
				all, err = c.join(ctx, all, p.name, command, "-", true)
			}
			if err != nil {
				return err
			}
		}
		if err := b.turns(c, all); err != nil {
			return err
		}
		c.print(all)
	}
	return nil
}

// join adds a peer. Those of Python greet.
func (c *collection) join(ctx context.Context, all []*sweeper, name string, command []string, start string, greets bool) ([]*sweeper, error) {
	p, err := c.open(ctx, command, start)
	if err != nil {
		return all, err
	}
	if greets {
		p.out.Scan()
		name += " " + p.out.Text()
	}
	return append(all, &sweeper{name: name, sweep: func(n int) (float64, error) { return p.sweep(n, "-") }, close: p.close}), nil
}

// slow is million tokens a CPU second below which a sweep is enough.
const slow = 2

// settle is the first sweeps, which do not count: they compile MALLET's code and leave the state of warp for that of exact
// samplers, which has fewer topics a word.
const settle = 20

// turns measures.
func (b *bench) turns(c *collection, all []*sweeper) error {
	for _, s := range all {
		cpu, err := s.sweep(1)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		if s.slow = c.million(1)/cpu < slow && s.name != "MALLET"; s.slow {
			s.rates = append(s.rates, c.million(1)/cpu)
		} else if _, err = s.sweep(settle - 1); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	for range b.repeat {
		for _, s := range all {
			if s.slow {
				continue
			}
			cpu, err := s.sweep(b.sweeps)
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			s.rates = append(s.rates, c.million(b.sweeps)/cpu)
		}
	}
	return nil
}

func (c *collection) print(all []*sweeper) {
	rate := map[string]float64{}
	for _, s := range all {
		rate[s.name[:4]] = run.Median(s.rates)
	}
	for _, s := range all {
		r := run.Median(s.rates)
		fmt.Printf("%-14s %-22s %8.2f %8.2f %8.1f\n", c.name, s.name, r, r/rate["MALL"], r/rate["tomo"])
		if err := s.close(); err != nil {
			fmt.Println(s.name+":", err)
		}
	}
}
