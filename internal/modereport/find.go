package modereport

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/fanout"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/mode"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
	"github.com/ergodic-mcmc/ergodic/report"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// Search is what to find.
type Search struct {
	Plan       *plan.Plan
	Monitors   []model.Monitor
	Inits      []model.Inits // one for each start, or one for all, or none
	Starts     int
	Seed       uint64
	Threads    int // the result does not depend on it
	Iterations int // of each climb; 0: as many as package mode takes
	Jacobian   bool

	surface *plan.Surface
	u       [][]float64
	tops    []*end
	curve   *mode.Curvature // at the first of the tops, which are in order; nil where there is none
	free    []int           // numbers that it is of: all but those at the ends of their ranges
	sds     []float64       // of these, by the curvature
	ends    []int           // those
	reader  *reader
}

// end is where a climb ended, and its start.
type end struct {
	*mode.Top
	start []float64
}

// mostCurved is how many numbers a matrix of second derivatives is made for.
const mostCurved = 2000

// held is a surface on which some numbers keep their values.
type held struct {
	*plan.Surface
	free []int // the others
	u, g []float64
}

func (h *held) full(x []float64) []float64 {
	for k, j := range h.free {
		h.u[j] = x[k]
	}
	return h.u
}

// LogDensity and Gradient are those of the free numbers.
func (h *held) LogDensity(x []float64) float64 { return h.Surface.LogDensity(h.full(x)) }

// Gradient is as in hmc.Target.
func (h *held) Gradient(x, grad []float64) float64 {
	lp := h.Surface.Gradient(h.full(x), h.g)
	for k, j := range h.free {
		grad[k] = h.g[j]
	}
	return lp
}

// Codes of warnings.
const (
	codeNotConverged = "not_converged"
	codeBoundary     = "boundary"
	codeFlat         = "flat"
	codeModes        = "several_modes"
	codeNoErrors     = "no_errors"
	codeShape        = "not_normal"
	codeWeights      = "weights"
)

// begin finds the starts.
func (s *Search) begin() error {
	f, err := s.Plan.Surface()
	if err != nil {
		return err
	}
	f.Jacobian = s.Jacobian
	s.surface = f
	for i := range s.Starts {
		var given model.Inits
		if n := len(s.Inits); n > 0 {
			given = s.Inits[i%n]
		}
		u, err := f.Start(given, mcmc.Place{Chain: i, Chains: s.Starts, Common: rng.New(s.Seed, "places").Rand}, rng.New(s.Seed, "init", uint64(i)).Rand)
		if err != nil {
			return fmt.Errorf("start %d: %w", i+1, err)
		}
		s.u = append(s.u, u)
	}
	s.reader = newReader(s.Plan.Model, s.surface.Cells(), s.Monitors)
	return nil
}

// Find climbs from all starts and judges where they end.
func (s *Search) Find() (*Result, []report.Warning, error) {
	if err := s.begin(); err != nil {
		return nil, nil, err
	}
	if err := s.climb(); err != nil {
		return nil, nil, err
	}
	best := s.tops[0]
	var warn []report.Warning
	if err := s.refine(best); err != nil {
		warn = append(warn, report.Warning{Code: codeNoErrors, Value: report.Number(s.surface.Dim()), Message: "there are no standard errors: " + err.Error()})
	}
	if s.definite() {
		s.sds = s.curve.SDs()
	}
	r := &Result{Jacobian: s.Jacobian, Converged: best.End == mode.Converged, Rise: report.Number(best.Rise), Starts: s.Starts, Iterations: best.Iterations}
	for _, t := range s.tops {
		r.Gradients += t.Evals
	}
	r.Mode = s.elements(best.X)
	r.LogDensity = report.Number(s.surface.Joint(best.X))
	warn = append(warn, s.judge(r)...)
	return r, append(warn, s.compare(r)...), nil
}

// climb goes up from all starts and puts the ends in order, the highest first.
func (s *Search) climb() error {
	s.tops = make([]*end, s.Starts)
	failed := make([]error, s.Starts)
	fanout.Each(s.Threads, s.Starts, s.surface.Fork, func(f *plan.Surface, i int) {
		top, err := mode.Climb(f, s.u[i], mode.Settings{Iterations: s.Iterations})
		s.tops[i], failed[i] = &end{top, s.u[i]}, err
	})
	for i, err := range failed {
		if err != nil {
			return fmt.Errorf("start %d: %w", i+1, err)
		}
	}
	slices.SortStableFunc(s.tops, func(a, b *end) int {
		switch d := a.LogDensity - b.LogDensity; {
		case math.Abs(d) < sameHeight: // then what is further from its goal comes later
			return int(a.End) - int(b.End)
		case d > 0:
			return -1
		}
		return 1
	})
	return nil
}

// refine finds the curvature at a top and goes the last step to it. Numbers that have come to the ends of their ranges, where the mode of a bounded value may lie, are held.
func (s *Search) refine(top *end) (err error) {
	s.free, s.ends = nil, nil
	if top.End == mode.Converged || top.Rise < risesAtMost {
		s.ends = s.far(top)
	}
	for j := range top.X {
		if _, at := slices.BinarySearch(s.ends, j); !at {
			s.free = append(s.free, j)
		}
	}
	if n := len(s.free); n > mostCurved {
		return fmt.Errorf("they take the second derivatives by %d numbers, and %d is the most", n, mostCurved)
	} else if n == 0 {
		return nil
	}
	on := &held{s.surface, s.free, slices.Clone(top.X), make([]float64, len(top.X))}
	part := &mode.Top{X: s.part(top.X), LogDensity: top.LogDensity, Gradient: s.part(top.Gradient), End: top.End, Rise: top.Rise}
	defer func() {
		copy(top.X, on.full(part.X))
		top.LogDensity, top.End, top.Rise = part.LogDensity, part.End, part.Rise
	}()
	for range 3 {
		if s.curve, err = mode.Curve(on, part.X); err != nil || !s.curve.Definite() {
			return err
		}
		was := slices.Clone(part.X)
		if s.curve.Ascend(on, part, polished); slices.Equal(was, part.X) {
			return nil
		}
	}
	return nil
}

// part are the free ones of some numbers.
func (s *Search) part(all []float64) []float64 {
	out := make([]float64, len(s.free))
	for k, j := range s.free {
		out[k] = all[j]
	}
	return out
}

// polished is the rise that may be left after a mode has been refined.
const polished = 1e-14

// definite tells whether there are standard errors.
func (s *Search) definite() bool { return s.curve != nil && s.curve.Definite() }

const (
	farOut      = 8.0 // from the start: a factor of 3000
	shownNames  = 3
	risesAtMost = 1e-4 // of the log density, where a climb that stalled is there for all that matters
)

// judge says what is wrong with the mode.
func (s *Search) judge(r *Result) (all []report.Warning) {
	best := s.tops[0]
	if best.End == mode.Stalled && s.definite() && best.Rise < risesAtMost {
		r.Converged = true
	}
	if names := s.named(best, s.ends); len(names) > 0 {
		all = append(all, report.Warning{Code: codeBoundary, Value: report.Number(best.LogDensity), Message: fmt.Sprintf(
			"the mode lies where %s %s at the end of the range; there %s no standard error, and the others are for %s held there",
			wording.Few(names, shownNames), wording.Word(len(names), "is", "are"), wording.Word(len(names), "it has", "they have"), wording.Word(len(names), "it", "them"))})
	}
	if r.Converged && (s.definite() || s.curve == nil) {
		return append(all, s.shape(best)...)
	}
	if names := s.named(best, s.far(best)); len(names) > 0 && len(s.ends) == 0 {
		r.Converged = false
		return []report.Warning{{Code: codeBoundary, Value: report.Number(best.LogDensity), Message: fmt.Sprintf(
			"there is no mode: the density goes on rising where %s %s to the end of the range, and what is told is where the climb was left. Take a prior that keeps away from there (for a scale of effects a gamma of shape 2 or more does, a uniform or half-t does not), or leave modes alone and sample: the posterior may be proper all the same",
			wording.Few(names, shownNames), wording.Word(len(names), "runs", "run"))}}
	}
	if !r.Converged {
		why := map[mode.End]string{mode.Stalled: "no step led up any more, as where a density has a kink", mode.Exhausted: "it had taken as many steps as it may (Search.Iterations)", mode.Endless: "the log density was above 1e10: it has no bound"}[best.End]
		all = append(all, report.Warning{Code: codeNotConverged, Value: report.Number(best.Rise), Message: fmt.Sprintf(
			"the climb from the best of %s did not come to a mode: %s. Look at what it tells with care, or start elsewhere (Search.Inits, Search.Starts)", wording.Count(s.Starts, "start", "starts"), why)})
	}
	if s.curve != nil && len(s.curve.Flat) > 0 {
		var parts []string
		for _, d := range s.curve.Flat {
			var names []string
			for _, j := range d.Coordinates {
				names = append(names, s.Plan.Model.CellName(s.surface.Owner(s.free[j])))
			}
			what := wording.Few(names, shownNames)
			if len(names) > 1 {
				what += " together"
			}
			if !slices.Contains(parts, what) {
				parts = append(parts, what)
			}
		}
		all = append(all, report.Warning{Code: codeFlat, Value: report.Number(s.curve.Flat[0].Curvature), Message: fmt.Sprintf(
			"the density does not fall along %s: the data and the priors do not say where %s, so there are no standard errors. Give %s a prior, or fix one of them",
			strings.Join(parts[:min(len(parts), shownNames)], "; nor along "), wording.Word(len(parts), "it is", "they are"), wording.Word(len(parts), "it", "them"))})
	}
	return all
}

// Within a standard deviation the log density falls by ½ where it is normal.
const (
	fallsLittle = 0.05
	fallsMuch   = 5
)

// shape warns of nodes along which the density is far from the normal one of the curvature.
func (s *Search) shape(top *end) []report.Warning {
	if !s.definite() {
		return nil
	}
	var numbers []int
	worst := 0.5
	x := slices.Clone(top.X)
	for k, j := range s.free {
		step := s.curve.Ridge(k)
		for _, side := range [...]float64{1, -1} {
			for i, f := range s.free {
				x[f] = top.X[f] + float64(side*step[i])
			}
			fall := top.LogDensity - s.surface.LogDensity(x)
			if fall > fallsLittle && fall < fallsMuch {
				continue
			}
			worst = fall
			if len(numbers) == 0 || numbers[len(numbers)-1] != j {
				numbers = append(numbers, j)
			}
		}
	}
	if len(numbers) == 0 {
		return nil
	}
	return []report.Warning{{Code: codeShape, Value: report.Number(worst), Message: fmt.Sprintf(
		"the density is not normal around the mode along %s: a standard error from it falls by less than %v or by more than %v, where a normal one falls by 0.5, so that errors mean little. Sample the posterior",
		wording.Few(s.named(top, numbers), shownNames), fallsLittle, fallsMuch)}}
}

// far are the numbers of bounded values that went far from the start.
func (s *Search) far(top *end) (all []int) {
	state := s.surface.Move(top.X)
	for j, u := range top.X {
		if math.Abs(u-top.start[j]) > farOut && state.V[s.surface.Owner(j)] != u {
			all = append(all, j)
		}
	}
	return all
}

// named are the nodes of numbers, with their values.
func (s *Search) named(top *end, numbers []int) (names []string) {
	state := s.surface.Move(top.X)
	for _, j := range numbers {
		c := s.surface.Owner(j)
		names = append(names, fmt.Sprintf("%s (%.2g)", s.Plan.Model.CellName(c), state.V[c]))
	}
	return names
}

const (
	sameHeight = 1e-3 // of log density
	samePlace  = 0.1  // of a standard deviation
)

// same tells whether two ends are one mode.
func (s *Search) same(a, b *end) bool {
	if math.Abs(a.LogDensity-b.LogDensity) > sameHeight {
		return false
	}
	if !s.definite() {
		return true
	}
	for k, j := range s.free {
		if math.Abs(a.X[j]-b.X[j]) > samePlace*s.sds[k] {
			return false
		}
	}
	return true
}

// compare gathers the modes that starts came to.
func (s *Search) compare(r *Result) []report.Warning {
	var tops []*end
	unfinished := 0
	for k, t := range s.tops {
		if k > 0 && t.End != mode.Converged && t.Rise > risesAtMost {
			unfinished++
			continue
		}
		at := slices.IndexFunc(tops, func(o *end) bool { return s.same(o, t) })
		switch {
		case at == 0:
			r.Arrived++
		case at > 0:
			r.Others[at-1].Arrived++
		default:
			if len(tops) == 0 {
				r.Arrived = 1
			} else {
				r.Others = append(r.Others, Other{LogDensity: report.Number(s.surface.Joint(t.X)), Arrived: 1, Mode: s.values(t.X)})
			}
			tops = append(tops, t)
		}
	}
	if len(r.Others) == 0 || !r.Converged {
		return nil
	}
	o := r.Others[0]
	name, here, there := differs(r.Mode, o.Mode)
	return []report.Warning{{Code: codeModes, Value: report.Number(len(r.Others)), Message: fmt.Sprintf(
		"%d of %s came to another mode; the best of these is %.3g lower in log density, and %s is %s there, %s here. A mode tells little of such a posterior: sample it",
		s.Starts-r.Arrived-unfinished, wording.Count(s.Starts, "start", "starts"), max(0, float64(r.LogDensity-o.LogDensity)), name, digits(there, 4), digits(here, 4))}}
}

// differs finds the quantity that tells two modes apart: the one that differs most, in standard errors where there are some.
func differs(a, b Elements) (name string, here, there float64) {
	most := -1.0
	for i, x := range a {
		d := math.Abs(float64(x.Value - b[i].Value))
		if se := float64(x.SE); se > 0 {
			d /= se
		}
		if d > most {
			most, name, here, there = d, x.Name, float64(x.Value), float64(b[i].Value)
		}
	}
	return name, here, there
}
