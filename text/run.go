package text

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/internal/checksummed"
	"github.com/ergodic-mcmc/ergodic/internal/runner"
	"github.com/ergodic-mcmc/ergodic/internal/unitsfile"
)

// Case is one task: a distribution of sentences, and how chains walk it.
type Case struct {
	Name   string // for errors; may be empty
	Target *Target
	Hints  Hints
	Moves  Moves // the zero value: [Sentences], or [FixedLength] where only one length is allowed
	Full   bool  // see Walk.Full
	// Floor is a log probability per word, the end counting as one: sentences that have it come before those that have less among the best. The zero value asks for
	// nothing where Floored is false.
	Floor   float64
	Floored bool
}

// Below tells whether a sentence has less than the floor.
func (c *Case) Below(f *Found) bool {
	return c.Floored && f.Model/float64(len(f.Words)+1) < c.Floor
}

// Settings say how chains run. The zero value works.
type Settings struct {
	Seed   uint64
	Chains int // of each case; 0: 4
	Steps  int // of each chain; 0: 50 000
	Warmup int // steps that traces and samples leave out; 0: a fifth of Steps
	Best   int // most sentences that are kept of a case, distinct ones; 0: 5
	// Samples is the number of states that are kept of each chain after warm-up, at equal distances.
	Samples int
	// PerWord orders sentences by their score per word, the end counting as one, instead of the score itself.
	PerWord bool
	// Temperature of the target: the density is the target's to the power 1/Temperature; 0: 1. With Cold above 0, chains are annealed: the temperature falls
	// geometrically from Temperature to Cold.
	Temperature, Cold float64
	// Replicas of parallel tempering, from Temperature up to Hottest; 0 or 1: none. The hottest is 4 times the coldest where Hottest is 0.
	Replicas int
	Hottest  float64

	Threads int // 0: one
	// File is where the state is saved every Every, and when the context ends; empty for nowhere. Fingerprint
	// identifies cases and settings: Resume refuses a file with another one.
	File        string
	Every       time.Duration
	Fingerprint string
	Resume      bool

	Progress func(done, total int64) // in steps of all chains; nil: none
}

// Found is a sentence with its log probability under the model, and what soft conditions add.
type Found struct {
	Words          []int32
	Model, Penalty float64
	Chain          int
}

// Result is what the chains of a case found.
type Result struct {
	Best    []Found          // the best first
	Samples []Found          // by chain
	Moves   [moveKinds]Count // in the order of [MoveNames], of the replicas at the target
	Rhat    float64          // of the score, over chains after warm-up; NaN where chains are annealed or too short
	ESS     float64          // bulk effective size of the score; NaN likewise
	Steps   int64            // of all chains
	Agree   int              // chains that found the first of Best
}

// Accept is the share of moves that were accepted.
func (r *Result) Accept() float64 {
	var all Count
	for _, c := range r.Moves {
		all.Proposed += c.Proposed
		all.Accepted += c.Accepted
	}
	return float64(all.Accepted) / float64(max(all.Proposed, 1))
}

func (s Settings) complete() (Settings, error) {
	for _, d := range []struct {
		of    *int
		usual int
	}{{&s.Chains, 4}, {&s.Steps, 50_000}, {&s.Warmup, s.Steps / 5}, {&s.Best, 5}, {&s.Replicas, 1}, {&s.Threads, 1}} {
		if *d.of == 0 {
			*d.of = d.usual
		}
	}
	if s.Temperature == 0 {
		s.Temperature = 1
	}
	if s.Hottest == 0 {
		s.Hottest = 4 * s.Temperature
	}
	switch {
	case s.Chains < 1 || s.Chains > 1<<16 || s.Steps < 1 || s.Best < 1 || s.Samples < 0 || s.Replicas < 1 || s.Replicas > 1<<10:
		return s, fmt.Errorf("text: %d chains of %d steps and %d replicas, with %d best and %d samples: they must be positive", s.Chains, s.Steps, s.Replicas, s.Best, s.Samples)
	case s.Warmup < 0 || s.Warmup >= s.Steps:
		return s, fmt.Errorf("text: a warm-up of %d of %d steps; it must be shorter than the chain", s.Warmup, s.Steps)
	case !(s.Temperature > 0) || !(s.Cold >= 0) || math.IsInf(s.Temperature, 1) || math.IsInf(s.Hottest, 1):
		return s, fmt.Errorf("text: a temperature of %v, annealed to %v; they must be positive numbers", s.Temperature, s.Cold)
	case s.Cold > s.Temperature:
		return s, fmt.Errorf("text: annealing from %v up to %v; the temperature must fall", s.Temperature, s.Cold)
	case s.Replicas > 1 && s.Cold > 0:
		return s, errors.New("text: annealing and parallel tempering exclude each other")
	case s.Replicas > 1 && !(s.Hottest > s.Temperature):
		return s, fmt.Errorf("text: parallel tempering from a temperature of %v to %v; it must rise", s.Temperature, s.Hottest)
	case s.Samples > s.Steps-s.Warmup:
		return s, fmt.Errorf("text: %d samples of %d steps after warm-up; there must be as many steps", s.Samples, s.Steps-s.Warmup)
	}
	return s, nil
}

// Run walks all cases. Results depend on the lists, the cases and the settings, and neither on threads nor on interruptions. When the context
// ends before the chains do, the state is saved and the error wraps mcmc.ErrInterrupted.
func Run(ctx context.Context, l *Lists, cases []Case, set Settings) ([]Result, error) {
	set, err := set.complete()
	if err != nil {
		return nil, err
	}
	if len(cases) == 0 {
		return nil, errors.New("text: there is no case to run")
	}
	b := &batch{set: set, lists: l, file: unitsfile.File{Path: set.File, Kind: checksummed.Kind{Name: "sentences", Version: 1}}}
	b.file.Saved = unitsfile.Content{Fingerprint: set.Fingerprint, Seed: set.Seed, Settings: set.identity(), Units: make([][]byte, len(cases)*set.Chains)}
	for i := range cases {
		for c := range set.Chains {
			w, err := newChain(b, &cases[i], i, c)
			if err != nil {
				return nil, err
			}
			b.chains = append(b.chains, w)
		}
	}
	if set.Resume && set.File != "" {
		if err := b.file.Resume(b.restore); err != nil {
			return nil, err
		}
	}
	units := make([]runner.Unit, len(b.chains))
	for i, c := range b.chains {
		units[i] = c
	}
	err = runner.Run(ctx, units, runner.Settings{Threads: set.Threads, Every: set.Every, Watch: b.watch(), Write: b.write})
	if err != nil {
		return nil, fmt.Errorf("text: %w", err)
	}
	results := make([]Result, len(cases))
	for i := range cases {
		results[i] = b.result(b.chains[i*set.Chains:][:set.Chains])
	}
	return results, nil
}

// batch is all chains of all cases, which share a file.
type batch struct {
	set    Settings
	lists  *Lists
	chains []*chain
	done   atomic.Int64

	file unitsfile.File
}

// identity is what results depend on besides the seed and the cases.
func (s Settings) identity() string {
	return fmt.Sprint(s.Chains, s.Steps, s.Warmup, s.Best, s.Samples, s.PerWord, s.Temperature, s.Cold, s.Replicas, s.Hottest)
}

func (b *batch) watch() func() {
	if b.set.Progress == nil {
		return nil
	}
	return func() { b.set.Progress(b.done.Load(), int64(b.set.Steps)*int64(len(b.chains))) }
}

// write puts what chains have saved into the file.
func (b *batch) write() error {
	if b.set.File == "" {
		return nil
	}
	return b.file.Write()
}

// restore gives a chain its saved state.
func (b *batch) restore(unit int, state []byte) error {
	if err := b.chains[unit].UnmarshalBinary(state); err != nil {
		return err
	}
	b.done.Add(int64(b.chains[unit].step))
	return nil
}

// result merges chains of one case.
func (b *batch) result(chains []*chain) (r Result) {
	var traces [][]float64
	for _, c := range chains {
		for _, f := range c.best {
			r.Best = b.keep(c.of, r.Best, f)
		}
		r.Samples = append(r.Samples, c.samples...)
		for i, n := range c.counts {
			r.Moves[i].Proposed += n.Proposed
			r.Moves[i].Accepted += n.Accepted
		}
		r.Steps += int64(c.step)
		traces = append(traces, c.trace)
	}
	for _, c := range chains {
		if slices.ContainsFunc(c.best, func(f Found) bool { return slices.Equal(f.Words, r.Best[0].Words) }) {
			r.Agree++
		}
	}
	r.Rhat, r.ESS = math.NaN(), math.NaN()
	if b.set.Cold == 0 && len(traces[0]) >= 4 {
		r.Rhat, r.ESS = diag.Rhat(traces), diag.ESSBulk(traces)
	}
	return r
}

// key is what sentences are ordered by.
func (b *batch) key(f *Found) float64 {
	x := f.Model + f.Penalty
	if b.set.PerWord {
		x /= float64(len(f.Words) + 1)
	}
	return x
}

// before tells whether a sentence comes before another one.
func (b *batch) before(of *Case, f, other *Found) bool {
	if low := of.Below(f); low != of.Below(other) {
		return !low
	}
	return b.key(f) > b.key(other)
}

// keep puts a sentence into its place in a list of the best, once.
func (b *batch) keep(of *Case, list []Found, f Found) []Found {
	at := len(list)
	for i := range list {
		if slices.Equal(list[i].Words, f.Words) {
			return list
		}
		if at == len(list) && b.before(of, &f, &list[i]) {
			at = i
		}
	}
	if at == b.set.Best {
		return list
	}
	list = slices.Insert(list, at, f)
	return list[:min(len(list), b.set.Best)]
}
