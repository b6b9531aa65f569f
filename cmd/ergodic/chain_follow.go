package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/chainreport"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/markov"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// follow does what flags ask for beyond the analysis.
func (c *chainCmd) follow(r *chainreport.Result, chain markov.Chain) error {
	start, err := c.start(r, chain)
	if err != nil {
		return err
	}
	if c.Generations > 0 {
		if most := chainCells / r.States; c.Generations > most {
			return usage("chain: --generations %d: for %s it must be from 0 to %d", c.Generations, wording.Count(r.States, "state", "states"), most)
		}
		if r.Generations, err = markov.Evolve(chain, start, c.Generations); err != nil {
			return err
		}
		if r.Stationary != nil {
			if r.Distance, err = markov.Distances(chain, start, r.Stationary, c.Generations); err != nil {
				return err
			}
		}
	}
	if c.From != "" {
		if err := r.AbsorbFrom("--from", start); err != nil {
			return err
		}
	}
	if c.Hit != "" {
		if err := c.hit(r, chain); err != nil {
			return err
		}
	}
	if c.Simulate > 0 {
		return c.simulate(r, chain, start)
	}
	return nil
}

// start is the distribution --from asks for; without it the stationary one, or the first state.
func (c *chainCmd) start(r *chainreport.Result, chain markov.Chain) ([]float64, error) {
	if c.From == "" && r.Stationary != nil {
		return r.Stationary, nil
	}
	start := make([]float64, r.States)
	if c.From == "" {
		start[0] = 1
		return start, nil
	}
	if i, err := markov.Find(chain, c.From); err == nil {
		start[i] = 1
		return start, nil
	}
	parts := strings.Split(c.From, ",")
	if len(parts) == 1 {
		return nil, fmt.Errorf("--from %s: no state has that name; the first is %s, the last %s", c.From, wording.Brief(r.Names[0]), wording.Brief(r.Names[r.States-1]))
	}
	if len(parts) != r.States {
		return nil, fmt.Errorf("--from has %d probabilities; the chain has %s", len(parts), wording.Count(r.States, "state", "states"))
	}
	sum := 0.0
	for i, p := range parts {
		v, err := strconv.ParseFloat(strings.TrimSpace(p), 64)
		if err != nil || !(v >= 0 && v <= 1) {
			return nil, usage("chain: --from: entry %d is %s; it must be a probability", i+1, wording.Quote(p))
		}
		start[i] = v
		sum += v
	}
	if math.Abs(sum-1) > markov.Tolerance {
		return nil, usage("chain: --from sums to %.12g, not 1", sum)
	}
	return start, nil
}

func (c *chainCmd) hit(r *chainreport.Result, chain markov.Chain) error {
	target, err := markov.Find(chain, c.Hit)
	if err != nil {
		return fmt.Errorf("--hit %s: no state has that name; the first is %s, the last %s", c.Hit, wording.Brief(r.Names[0]), wording.Brief(r.Names[r.States-1]))
	}
	h, err := r.HittingTimes(target)
	if err != nil {
		return fmt.Errorf("--hit %s: %w", c.Hit, advised(err))
	}
	for _, v := range h {
		if math.IsInf(v, 1) {
			r.Hitting = append(r.Hitting, nil)
			r.Why["hitting_times"] = "infinite where the chain may never get there"
			continue
		}
		r.Hitting = append(r.Hitting, &v)
	}
	return nil
}

func (c *chainCmd) simulate(r *chainreport.Result, chain markov.Chain, start []float64) error {
	r.Seed = c.Seed
	if r.Seed == nil {
		seed := rand.Uint64()
		r.Seed = &seed
		say(fmt.Sprint("seed ", seed))
	}
	s := rng.New(*r.Seed, "chain simulate").Rand
	path, err := markov.SimulateFrom(chain, start, c.Simulate, s)
	if err != nil {
		return err
	}
	r.Path = make([]string, len(path))
	for t, i := range path {
		r.Path[t] = r.Names[i]
	}
	return nil
}
