package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// latticeSpec is what is kept in the run's folder for --resume.
type latticeSpec struct {
	job.Head
	Edges  []job.Input  `json:"edges" what:"edge list/edge lists"`
	Q      *int         `json:"q,omitempty"`
	Flags  latticeFlags `json:"flags"`
	Chains int          `json:"chains"`
	Warmup int          `json:"warmup"`
	Sweeps int          `json:"sweeps" resume:"grow"`
	Thin   int          `json:"thin"`
	WallS  float64      `json:"wall_s" resume:"any"` // spent so far; the draws do not depend on it
}

const (
	latticeChains = 4
	latticeSweeps = 10000
	latticeQ      = 3
	latticeFrames = 200 // of a film
)

// latticeWarmup is the default: nothing where every draw is exact.
func latticeWarmup(algorithm string) int {
	if algorithm == "cftp" {
		return 0
	}
	return 1000
}

// open finds what to sample: from the flags, or from the folder of the run to resume.
func (s *simulating) open(q *int) error {
	c := s.cmd
	now := latticeSpec{Head: job.Head{Ergodic: version, Job: s.Name, Seed: given(c.Seed, 0)}, Q: q, Flags: c.latticeFlags,
		Chains: given(c.Chains, latticeChains), Warmup: given(c.Warmup, latticeWarmup(given(c.Algorithm, ""))), Sweeps: given(c.Sweeps, latticeSweeps), Thin: given(c.Thin, 1)}
	var was latticeSpec
	var files []string
	if c.Edges != "" {
		files = []string{c.Edges}
	}
	if c.Resume != "" {
		if err := s.Reopen(c.Resume, &was); err != nil {
			return err
		}
		now.Head, now.Seed, now.WallS = was.Head, given(c.Seed, was.Seed), was.WallS
		now.Chains, now.Warmup = given(c.Chains, was.Chains), given(c.Warmup, was.Warmup)
		now.Sweeps, now.Thin = given(c.Sweeps, was.Sweeps), given(c.Thin, was.Thin)
	} else if c.Seed == nil {
		now.Seed = systemSeed()
	}
	if err := now.check(); err != nil {
		return err
	}
	var err error
	if now.Edges, err = job.ReadAgain("edge list", files, was.Edges); err != nil {
		return err
	}
	if c.Resume != "" {
		now.unaskDefaults(&was)
		if err := s.Same(&was, &now, nil); err != nil {
			return err
		}
		s.extended = now.Sweeps > was.Sweeps
		now.Flags, now.Q = was.Flags, was.Q
	}
	s.spec = now
	if s.spec.Job == latticePottsJob {
		s.spec.Q = new(int)
		*s.spec.Q = given(now.Q, latticeQ)
	}
	s.spec.Origin = rundir.Origin(s.spec.Job, job.Files(s.spec.Edges), s.spec.Q, s.spec.Flags, s.spec.Seed, s.spec.Chains, s.spec.Warmup, s.spec.Thin)
	return nil
}

// unaskDefaults takes back flags that ask for what the run, in which they were not given, has by default.
func (s *latticeSpec) unaskDefaults(was *latticeSpec) {
	f, w := &s.Flags, &was.Flags
	unask(&s.Q, was.Q, latticeQ)
	unask(&f.Boundary, w.Boundary, latticeBoundaries()[0])
	unask(&f.Coupling, w.Coupling, 1)
	unask(&f.Field, w.Field, 0)
	unask(&f.Algorithm, w.Algorithm, latticeMoves[0].name)
	unask(&f.Scan, w.Scan, "checkerboard")
	unask(&f.Start, w.Start, latticeStarts[0])
	unask(&f.Magnetisation, w.Magnetisation, 0)
	unask(&f.Correlation, w.Correlation, false)
	unask(&f.Tempering, w.Tempering, false)
	if w.Disorder != nil {
		unask(&f.DisorderSeed, w.DisorderSeed, 1)
	}
}

// unask takes back a flag on --resume that is the default, where the run was started without it.
func unask[T comparable](now **T, was *T, usual T) {
	if was == nil && *now != nil && **now == usual {
		*now = nil
	}
}

// check refuses what is wrong whatever the other flags are.
func (s *latticeSpec) check() error {
	for _, n := range []struct {
		flag        string
		value       int
		least, most int
	}{{"q", given(s.Q, 2), 2, 255}, {"chains", s.Chains, 1, 1 << 16}, {"warmup", s.Warmup, 0, math.MaxInt32}, {"sweeps", s.Sweeps, 1, math.MaxInt32}, {"thin", s.Thin, 1, 1 << 20}} {
		if n.value < n.least || n.value > n.most {
			return usage("%s: --%s %d: it must be from %d to %d", s.Job, n.flag, n.value, n.least, n.most)
		}
	}
	if s.Sweeps%s.Thin != 0 {
		return usage("%s: --sweeps %d is no multiple of --thin %d", s.Job, s.Sweeps, s.Thin)
	}
	f := &s.Flags
	for _, n := range []struct {
		flag  string
		value *string
		known []string
	}{{"lattice", f.Lattice, latticeKinds()}, {"boundary", f.Boundary, latticeBoundaries()}, {"algorithm", f.Algorithm, latticeAlgorithms()},
		{"scan", f.Scan, latticeScans}, {"start", f.Start, latticeStarts}, {"disorder", f.Disorder, disorders}} {
		if n.value != nil && !slices.Contains(n.known, *n.value) {
			return usage("%s: --%s %s: there are %s", s.Job, n.flag, wording.Quote(*n.value), strings.Join(n.known, ", "))
		}
	}
	for _, n := range []struct {
		flag  string
		value *float64
	}{{"coupling", f.Coupling}, {"field", f.Field}, {"magnetisation", f.Magnetisation}} {
		if x := given(n.value, 0); math.IsNaN(x) || math.IsInf(x, 0) {
			return usage("%s: --%s %v: it must be a finite number", s.Job, n.flag, x)
		}
	}
	return nil
}

// title names a new run's folder.
func (s *latticeSpec) title() string {
	_, model, _ := strings.Cut(s.Job, " ")
	if len(s.Edges) > 0 {
		return s.Edges[0].Name
	}
	return model + "-" + strings.ReplaceAll(given(s.Flags.Size, ""), ",", "-")
}

// betas are the inverse temperatures, rising.
func (s *latticeSpec) betas() ([]float64, error) {
	flag, text := "beta", s.Flags.Beta
	switch {
	case s.Flags.Beta != nil && s.Flags.Temperature != nil:
		return nil, usage("%s: --beta and --temperature say the same; give one of them", s.Job)
	case s.Flags.Temperature != nil:
		flag, text = "temperature", s.Flags.Temperature
	case text == nil:
		return nil, usage("%s: at what temperature? Give --beta or --temperature", s.Job)
	}
	return s.temperatures(flag, *text, flag == "temperature")
}

// temperatures reads a list of temperatures or inverse ones as inverse ones, rising.
func (s *latticeSpec) temperatures(flag, text string, inverse bool) ([]float64, error) {
	all, err := numbers(text)
	if err != nil {
		return nil, usage("%s: --%s %s: %w", s.Job, flag, wording.Brief(text), err)
	}
	for i, x := range all {
		if !(x >= 0) {
			return nil, usage("%s: --%s %v: a temperature is 0 or more, and so is its inverse; the antiferromagnet has --coupling -1", s.Job, flag, x)
		}
		if inverse {
			all[i] = 1 / x
		}
	}
	slices.Sort(all)
	for i := range all[1:] {
		if all[i] == all[i+1] {
			return nil, usage("%s: --%s %s has the same temperature twice", s.Job, flag, wording.Brief(text))
		}
	}
	return all, nil
}

// mostNumbers is the most temperatures that a list may have.
const mostNumbers = 1 << 12

// numbers reads a list such as 0.1,0.2:0.4:3,inf, where from:to:n stands for n numbers with equal spaces.
func numbers(text string) (all []float64, err error) {
	for part := range strings.SplitSeq(text, ",") {
		ends := strings.Split(part, ":")
		x, err := strconv.ParseFloat(ends[0], 64)
		if err == nil && len(ends) == 1 && !math.IsNaN(x) {
			all = append(all, x)
			continue
		}
		if err != nil || len(ends) != 3 {
			return nil, fmt.Errorf("%s is neither a number nor a range, FROM:TO:NUMBER as in 0.40:0.48:17", wording.Quote(part))
		}
		y, err := strconv.ParseFloat(ends[1], 64)
		n, e := strconv.Atoi(ends[2])
		if cmp.Or(err, e) != nil || n < 2 || n > mostNumbers || math.IsInf(y-x, 0) || math.IsNaN(y-x) {
			return nil, fmt.Errorf("the range %s is not FROM:TO:NUMBER, of two finite numbers and 2 to %d of them", wording.Quote(part), mostNumbers)
		}
		for i := range n {
			// The ends are as they were written, and every number depends on its place alone.
			t := float64(i) / float64(n-1)
			all = append(all, float64(x*(1-t))+float64(y*t))
		}
	}
	if len(all) > mostNumbers {
		return nil, fmt.Errorf("%d numbers; there may be %d", len(all), mostNumbers)
	}
	return all, nil
}
