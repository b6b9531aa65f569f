package modeltest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// Alpha is the false-alarm rate of the comparison that has the last word on a program.
const Alpha = 1e-11

// suspicious is the number of standard errors from which on a comparison is made again,
// exactly. It decides nothing but what that costs.
const suspicious = 5

// Length says how long the judges run.
type Length struct {
	Chains, Sweeps int // of the successive-conditional simulator
	Long           int // sweeps of one long chain
	Draws          int // of the prior, and of each chain of a run
	Replicates     int // of an exact comparison
}

// Short is the length for many programs.
func Short() Length {
	return Length{Chains: 24, Sweeps: 300, Long: 10_000, Draws: 5000, Replicates: 20_000}
}

// Joint is Geweke's successive-conditional simulator for a plan. Each of many chains
// starts from an exact draw of parameters and data, and alternates sweeps with redraws of
// the data; its states have the joint law throughout. Chain averages of bounded statistics
// are compared with direct draws. What differs there is compared once more by the ends of
// independent chains, whose law is exact (kerneltest.Geweke), at the rate Alpha.
func (c *Case) Joint(p *plan.Plan, l Length) error {
	if c.dataAreRead() || len(p.Items) == 0 {
		return nil
	}
	j := c.newJoint(p)
	if len(j.list) == 0 {
		return nil
	}
	c.judged = append(c.judged, "by the simulator")
	if err := j.long(l); err != nil {
		return err
	}
	worst, err := j.screen(l)
	if err != nil || math.Abs(worst.z) < suspicious {
		return err
	}
	// Chains that hardly move, and so tell little of rare values, are shorter and more here.
	more := Length{Chains: 20 * l.Chains, Sweeps: l.Sweeps / 4, Draws: 10 * l.Draws}
	if worst, err = j.screen(more); err != nil || math.Abs(worst.z) < suspicious {
		return err
	}
	for _, steps := range []int{10, 100} {
		err := kerneltest.Geweke(j.exact(), kerneltest.Settings{Seed: c.Seed + uint64(steps), Replicates: l.Replicates, Steps: steps, Alpha: Alpha})
		if err != nil {
			return fmt.Errorf("joint: %s is off by %.1f standard errors: %w", worst.name, worst.z, err)
		}
	}
	return &Suspect{fmt.Sprintf("joint: %s is off by %.1f standard errors, not confirmed", worst.name, worst.z)}
}

// Suspect is a difference that an exact comparison did not confirm.
type Suspect struct{ Msg string }

func (e *Suspect) Error() string { return e.Msg }

type difference struct {
	name string
	z    float64
}

// joint simulates parameters and data of a compiled model.
type joint struct {
	c        *Case
	m        *model.Model
	sweep    *plan.Sweep
	cells    []int32
	scale    scale
	list     []statistic
	observed []model.Seg
	ev       *evaluator
	u, v     []float64
}

func (c *Case) newJoint(p *plan.Plan) *joint {
	r := rng.New(c.Seed, "modeltest joint").Rand
	j := &joint{c: c, m: p.Model, observed: p.Model.ObservedRows(), ev: newEvaluator(c.Program)}
	elements, names := c.moving(true)
	for _, e := range elements {
		j.cells = append(j.cells, c.cell[e])
	}
	j.list = statistics(names, r)
	j.u, j.v = make([]float64, len(elements)), make([]float64, len(j.list))
	var draws [][]float64
	for range 400 {
		s := j.draw(r)
		d := make([]float64, len(j.cells))
		for k, cell := range j.cells {
			d[k] = s.V[cell]
		}
		draws = append(draws, d)
	}
	j.scale = newScale(draws, len(elements))
	j.tune(p, r)
	return j
}

// tune warms the sweep up on exact draws and freezes it. A long warm-up is cut short in its
// first part, where plans still make every move in every sweep.
func (j *joint) tune(p *plan.Plan, r *rand.Rand) {
	j.sweep = p.Sweep()
	total := []int{300, 1300}[r.IntN(2)]
	for i := range 300 {
		j.sweep.Adapt(j.draw(r), r, mcmc.Warmup{Iteration: i, Total: total})
	}
	j.sweep.Freeze()
}

func (j *joint) draw(r *rand.Rand) *model.State {
	for {
		s := j.m.NewState()
		if cell, _ := s.SimulateAll(r); cell < 0 && !j.underflown(s, j.observed) {
			return s
		}
	}
}

func (j *joint) redraw(s *model.State, r *rand.Rand) {
	for _, g := range j.observed {
		for i := g.Lo; i < g.Hi; i++ {
			s.SampleRow(j.m.Templates[g.T], int(i), r)
			for j.underflown(s, []model.Seg{{T: g.T, Lo: i, Hi: i + 1}}) {
				s.SampleRow(j.m.Templates[g.T], int(i), r)
			}
		}
	}
}

// underflown tells data that stand for all smaller values: samplers return the least normal
// number for those, and its density is not their probability. The law compared is that of
// parameters and data without such values.
func (j *joint) underflown(s *model.State, rows []model.Seg) bool {
	for _, g := range rows {
		for i := g.Lo; i < g.Hi; i++ {
			for _, cell := range j.m.Templates[g.T].Cells(int(i)) {
				if s.V[cell] == 0x1p-1022 {
					return true
				}
			}
		}
	}
	return false
}

func (j *joint) values(s *model.State) []float64 {
	for k, cell := range j.cells {
		j.u[k] = j.scale.bounded(k, s.V[cell])
	}
	values(j.v, j.list, j.u)
	return j.v
}

// screen compares the averages of chains with direct draws, and checks the caches of the
// chains on their way.
func (j *joint) screen(l Length) (worst difference, err error) {
	r := rng.New(j.c.Seed, "modeltest screen", uint64(l.Chains)).Rand
	direct := newMoments(len(j.list))
	for range l.Draws {
		direct.add(j.values(j.draw(r)))
	}
	chains := newMoments(len(j.list))
	mean := make([]float64, len(j.list))
	for range l.Chains {
		s := j.draw(r)
		clear(mean)
		for t := range l.Sweeps {
			j.sweep.Step(s, r)
			if t%50 == 49 {
				if err := j.check(s); err != nil {
					return worst, fmt.Errorf("joint: after %d sweeps: %w", t+1, err)
				}
			}
			j.redraw(s, r)
			for k, x := range j.values(s) {
				mean[k] += x
			}
		}
		for k := range mean {
			mean[k] /= float64(l.Sweeps)
		}
		chains.add(mean)
	}
	for k, st := range j.list {
		within := max(chains.variance(k), direct.variance(k)/float64(l.Sweeps))
		se := math.Sqrt(within/chains.n+direct.variance(k)/direct.n) + 1e-9
		if z := (chains.mean(k) - direct.mean(k)) / se; math.Abs(z) > math.Abs(worst.z) || math.IsNaN(z) {
			worst = difference{st.name, z}
		}
	}
	return worst, nil
}

// long runs one long chain, so that errors that grow in caches and constrained nodes show.
func (j *joint) long(l Length) error {
	r := rng.New(j.c.Seed, "modeltest long").Rand
	s := j.draw(r)
	for t := range l.Long {
		j.sweep.Step(s, r)
		if t%1000 == 999 {
			if err := errors.Join(j.check(s), j.constraints(s)); err != nil {
				return fmt.Errorf("joint: after %d sweeps: %w", t+1, err)
			}
		}
		j.redraw(s, r)
	}
	return nil
}

// constraints tells a vector that does not sum to one any more, or a matrix that is not
// symmetric.
func (j *joint) constraints(s *model.State) error {
	for _, w := range j.ev.rows {
		switch w.rel.dist {
		case "ddirch":
			sum := 0.0
			for _, e := range w.cells {
				sum += s.V[j.c.cell[e]]
			}
			if !near(sum, 1, 1e-14) {
				return fmt.Errorf("%s sums to 1%+.2g", w.rel.left(), sum-1)
			}
		case "dwish":
			if a, b := s.V[j.c.cell[w.cells[1]]], s.V[j.c.cell[w.cells[2]]]; a != b {
				return fmt.Errorf("%s is not symmetric: %v and %v", w.rel.left(), a, b)
			}
		}
	}
	return nil
}

// check computes every logical element afresh, by the syntax tree, and tells one that
// differs in the state.
func (j *joint) check(s *model.State) error {
	for e, cell := range j.c.cell {
		if cell >= 0 && (j.m.Kinds[cell] == model.Unobserved || j.m.Kinds[cell] == model.Observed) {
			j.ev.pt.x[e] = s.V[cell]
		}
	}
	for _, w := range j.ev.rows {
		if w.rel.dist != "" {
			continue
		}
		j.ev.compute(w)
		for _, e := range w.cells {
			cell := j.c.cell[e]
			if row := j.m.DefRow(cell); row < 0 || !j.m.Live(row) {
				continue
			}
			if got, want := s.V[cell], j.ev.pt.x[e]; !near(got, want, 1e-7) {
				return fmt.Errorf("%s is %v in the state and %v from its parents", j.c.name(e), got, want)
			}
		}
	}
	return nil
}

// exact is the program as the conformance suite takes it.
func (j *joint) exact() kerneltest.Joint[*model.State] {
	return kerneltest.Joint[*model.State]{
		Draw:   j.draw,
		Redraw: j.redraw,
		Clone: func(s *model.State) *model.State {
			c := j.m.NewState()
			copy(c.V, s.V)
			return c
		},
		Kernel: j.sweep,
		Stats:  func(s *model.State) []float64 { return slices.Clone(j.values(s)) },
		Check:  j.check,
	}
}
