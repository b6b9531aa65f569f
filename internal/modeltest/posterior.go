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

// weighted is points with weights: the posterior, exactly (by enumeration and quadrature)
// or from the prior weighted by the likelihood of the data.
type weighted struct {
	x     [][]float64 // the compared elements of each point
	full  [][]float64 // all elements
	w     []float64   // sum to one
	exact bool
	ess   float64
}

// nodes lists the elements that runs record: unobserved nodes and logical ones.
func (c *Case) nodes() (elements []int, names []string) {
	for e, cell := range c.cell {
		if cell < 0 {
			continue
		}
		if k := c.comp.Model.Kinds[cell]; k == model.Unobserved || k == model.Logical {
			elements = append(elements, e)
			names = append(names, c.name(e))
		}
	}
	return elements, names
}

// errFew says that the likelihood leaves too few of the prior's draws.
var errFew = errors.New("modeltest: too few draws of the prior have weight")

// enough is the least effective number of weighted draws that a comparison rests on.
const enough = 500

// byWeights draws n points from the prior and weights them.
func (c *Case) byWeights(n int, elements []int) (*weighted, error) {
	r := rng.New(c.Seed, "modeltest weights", uint64(n)).Rand
	ev := newEvaluator(c.Program)
	copy(ev.pt.x, c.x)
	out := &weighted{}
	for range n {
		if err := ev.simulate(r, false); err != nil {
			continue
		}
		if lp := ev.likelihood(); !math.IsInf(lp, 0) {
			out.add(ev, elements, lp)
		}
	}
	if err := out.normalise(); err != nil {
		return nil, err
	}
	if out.ess < enough {
		return nil, errFew
	}
	return out, nil
}

func (o *weighted) add(ev *evaluator, elements []int, lw float64) {
	x := make([]float64, len(elements))
	for k, e := range elements {
		x[k] = ev.pt.x[e]
	}
	o.x = append(o.x, x)
	o.full = append(o.full, slices.Clone(ev.pt.x))
	o.w = append(o.w, lw)
}

func (o *weighted) normalise() error {
	if len(o.w) == 0 {
		return errFew
	}
	top, sum, sqs := slices.Max(o.w), 0.0, 0.0
	for i, l := range o.w {
		o.w[i] = math.Exp(l - top)
		sum += o.w[i]
	}
	for i := range o.w {
		o.w[i] /= sum
		sqs += o.w[i] * o.w[i]
	}
	o.ess = 1 / sqs
	return nil
}

// estimate is the mean of each statistic and its standard error.
func (o *weighted) estimate(s *scale, list []statistic) (mean, se []float64) {
	mean, se = make([]float64, len(list)), make([]float64, len(list))
	v := make([][]float64, len(o.x))
	u := make([]float64, len(s.centre))
	for i, x := range o.x {
		for e := range u {
			u[e] = s.bounded(e, x[e])
		}
		v[i] = make([]float64, len(list))
		values(v[i], list, u)
		for k, y := range v[i] {
			mean[k] += o.w[i] * y
		}
	}
	if o.exact {
		return mean, se
	}
	for i := range v {
		for k, y := range v[i] {
			d := o.w[i] * (y - mean[k])
			se[k] += d * d
		}
	}
	for k := range se {
		se[k] = math.Sqrt(se[k])
	}
	return mean, se
}

// Posterior compares means of a run of mcmc.Run with those of the exact posterior, or of
// weighted draws from the prior. What differs in two runs, the second ten times as long, is
// compared once more from exact starts: points of the posterior moved by the plan must keep
// its law.
func (c *Case) Posterior(p *plan.Plan, l Length) error {
	elements, names := c.nodes()
	if len(elements) == 0 {
		return nil
	}
	list := statistics(names, rng.New(c.Seed, "modeltest pairs").Rand)
	ref, err := c.reference(l.Draws, elements)
	if err != nil {
		return err
	}
	c.judged = append(c.judged, map[bool]string{true: "by enumeration or quadrature", false: "by weighted draws"}[ref.exact])
	sc := newScale(ref.resample(rng.New(c.Seed, "modeltest scale").Rand, 500), len(elements))
	worst, _, err := c.against(p, ref, &sc, list, elements, l.Draws/4, 1)
	if err != nil || math.Abs(worst.z) < suspicious {
		return err
	}
	if !ref.exact {
		if ref, err = c.byWeights(20*l.Draws, elements); err != nil {
			return err
		}
	}
	worst, warned, err := c.against(p, ref, &sc, list, elements, 5*l.Draws, 2)
	if err != nil || math.Abs(worst.z) < suspicious {
		return err
	}
	if math.IsNaN(worst.z) || ref.ess < steady {
		return &Suspect{fmt.Sprintf("posterior: %s is off by %.1f standard errors", worst.name, worst.z)}
	}
	if err := c.keeps(p, ref, &sc, list, l); err != nil {
		return fmt.Errorf("posterior: %s is off by %.1f standard errors: %w", worst.name, worst.z, err)
	}
	how := "no summary warns"
	if warned {
		how = "a summary warns"
	}
	return &Suspect{fmt.Sprintf("posterior: %s is off by %.1f standard errors; from exact starts its law is kept, and %s", worst.name, worst.z, how)}
}

// steady is the least effective number of points that stand for the posterior in an exact
// comparison.
const steady = 1000

// reference is the exact posterior where the program is small, else weighted draws.
func (c *Case) reference(n int, elements []int) (*weighted, error) {
	if ref, ok := c.byTree(elements); ok {
		return ref, nil
	}
	return c.byWeights(n, elements)
}

// against samples the program and gives the statistic that differs most, and whether a
// summary of the run warns.
func (c *Case) against(p *plan.Plan, ref *weighted, sc *scale, list []statistic, elements []int, n int, seed uint64) (worst difference, warned bool, err error) {
	want, se := ref.estimate(sc, list)
	d, err := c.run(p, elements, n, seed)
	if err != nil {
		return worst, false, err
	}
	got := batchMeans(d, sc, list)
	for k, st := range list {
		mcse := math.Sqrt(got.variance(k) / got.n)
		floor := 1e-4
		if ref.exact {
			floor = 2e-3 // of the quadrature
		}
		z := (got.mean(k) - want[k]) / (math.Sqrt(mcse*mcse+se[k]*se[k]) + floor)
		if math.Abs(z) > math.Abs(worst.z) || math.IsNaN(z) {
			worst = difference{st.name, z}
		}
	}
	return worst, told(d), nil
}

// resample draws n points with the weights, and gives their compared elements.
func (o *weighted) resample(r *rand.Rand, n int) [][]float64 {
	out := make([][]float64, n)
	for i, k := range o.indices(r, n) {
		out[i] = o.x[k]
	}
	return out
}

func (o *weighted) indices(r *rand.Rand, n int) []int {
	sum := make([]float64, len(o.w))
	t := 0.0
	for i, w := range o.w {
		t += w
		sum[i] = t
	}
	out := make([]int, n)
	for i := range out {
		k, _ := slices.BinarySearch(sum, r.Float64()*t)
		out[i] = min(k, len(o.w)-1)
	}
	return out
}

// keeps pushes points of the posterior through the plan's sweeps; they must keep its law.
// Points are drawn from the weighted ones with replacement, on both sides of the
// comparison from the same ones, so that the law compared is the weighted points' own; few
// sweeps do not tell that law from the posterior's when the points are many.
func (c *Case) keeps(p *plan.Plan, ref *weighted, sc *scale, list []statistic, l Length) error {
	j := &invariance{c: c, ref: ref, m: p.Model, scale: sc, list: list}
	j.elements, _ = c.nodes()
	j.u, j.v = make([]float64, len(j.elements)), make([]float64, len(list))
	r := rng.New(c.Seed, "modeltest keeps").Rand
	sweep := p.Sweep()
	for i := range 300 {
		sweep.Adapt(j.draw(r), r, mcmc.Warmup{Iteration: i, Total: 1300})
	}
	sweep.Freeze()
	for _, steps := range []int{1, 20} {
		err := kerneltest.Invariant(kerneltest.Sampled[*model.State]{
			Draw:   j.draw,
			Kernel: sweep,
			Stats:  func(s *model.State) []float64 { return slices.Clone(j.values(s)) },
		}, kerneltest.Settings{Seed: c.Seed + uint64(steps), Replicates: l.Replicates, Steps: steps, Alpha: Alpha})
		if err != nil {
			return err
		}
	}
	return nil
}

// invariance draws states from weighted points.
type invariance struct {
	c        *Case
	ref      *weighted
	m        *model.Model
	scale    *scale
	list     []statistic
	elements []int
	u, v     []float64
	queue    []int
}

func (j *invariance) draw(r *rand.Rand) *model.State {
	if len(j.queue) == 0 {
		j.queue = j.ref.indices(r, 1000)
	}
	k := j.queue[0]
	j.queue = j.queue[1:]
	s := j.m.NewState()
	for e, cell := range j.c.cell {
		if cell >= 0 && j.m.Kinds[cell] == model.Unobserved {
			s.V[cell] = j.ref.full[k][e]
		}
	}
	for _, row := range j.m.Topological() {
		if t, i := j.m.TemplateOf(row); t.Stoch == nil {
			s.RunRow(t, i)
		}
	}
	return s
}

func (j *invariance) values(s *model.State) []float64 {
	for k, e := range j.elements {
		if !j.c.takesPart(j.m, j.c.cell[e], false) {
			continue
		}
		j.u[k] = j.scale.bounded(k, s.V[j.c.cell[e]])
	}
	values(j.v, j.list, j.u)
	return j.v
}
