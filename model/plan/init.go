package plan

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/model"
)

// Inits are initial values a user gave one chain: by cell.
type Inits map[int32]float64

// maxStarts is how often random initial values are drawn before giving up, and
// maxSame after how many failures in a row whose words are the same, so that
// they do not depend on what is drawn.
const (
	maxStarts = 100
	maxSame   = 15
)

// Start finds initial values of finite density: those given, and for the other
// nodes draws near the centre of their priors, closer with each attempt. Where
// a discrete node contradicts its children it takes the value that contradicts
// them least.
func (p *Plan) Start(given Inits, r *rand.Rand) (*model.State, error) {
	st := p.starter(given, r)
	var err, last error
	same := 0 // attempts in a row that failed in the same way
	for k := range maxStarts {
		if k > 0 {
			if same++; !sameFault(err, last) {
				same = 0
			}
			if same == maxSame {
				break
			}
			last = err
		}
		s := p.Model.NewState()
		spread := 1.0
		for range k {
			spread *= 0.93
		}
		if err = st.draw(s, spread); err != nil {
			if st.freeNodes == 0 {
				return nil, err
			}
			continue
		}
		if st.check(s) == nil {
			return s, nil
		}
		st.repair(s)
		if err = st.check(s); err == nil {
			return s, nil
		}
		if st.freeNodes == 0 {
			break
		}
	}
	return nil, err
}

func (p *Plan) starter(given Inits, r *rand.Rand) *starter {
	st := &starter{m: p.Model, given: given, r: r}
	for _, row := range p.Model.Topological() {
		if p.relevant(row) {
			st.order = append(st.order, row)
		}
	}
	return st
}

// relevant tells the rows that sampling itself touches: live logical ones and
// informed stochastic ones.
func (p *Plan) relevant(row int32) bool {
	t, _ := p.Model.TemplateOf(row)
	if t.Stoch == nil {
		return p.Model.Live(row)
	}
	return p.Model.Informed(row)
}

type starter struct {
	m         *model.Model
	given     Inits
	r         *rand.Rand
	order     []int32
	freeNodes int // nodes that were not given
	nodes     map[int32]*node
}

func (st *starter) draw(s *model.State, spread float64) error {
	st.freeNodes = 0
	for _, row := range st.order {
		t, i := st.m.TemplateOf(row)
		if t.Stoch == nil {
			s.RunRow(t, i)
			continue
		}
		cells := t.Cells(i)
		if st.m.Kinds[cells[0]] != model.Unobserved {
			continue
		}
		if st.take(s, cells) {
			continue
		}
		st.freeNodes++
		if msg := s.CheckRow(t, i); msg != "" {
			return st.fault(parameterFault(s, t, i, msg))
		}
		if t.Stoch.Scalar != nil {
			s.V[cells[0]] = st.scalar(s, t, i, spread)
			continue
		}
		st.multi(s, t, i, spread)
	}
	return nil
}

// take sets a node's cells to the given values if all are given.
func (st *starter) take(s *model.State, cells []int32) bool {
	for _, c := range cells {
		x, ok := st.given[c]
		if !ok {
			return false
		}
		s.V[c] = x
	}
	return true
}

// maxSpread caps the scale on which a start leaves the prior's centre: vague
// priors would otherwise start chains where likelihoods underflow.
const maxSpread = 2

func (st *starter) scalar(s *model.State, t *model.Template, i int, spread float64) float64 {
	lo, hi := s.Bounds(t, i)
	p := s.ScalarParams(t, i)
	x := st.tame(t.Stoch.Scalar, p, spread)
	for k := 0; k < 20 && !(x >= lo && x <= hi); k++ {
		x = st.tame(t.Stoch.Scalar, p, spread)
	}
	if x >= lo && x <= hi {
		return x
	}
	if y := t.Stoch.Scalar.SampleT(st.r, p, lo, hi); !math.IsNaN(y) {
		return y
	}
	return min(max(x, lo), hi)
}

func (st *starter) tame(d *dist.Scalar, p []float64, spread float64) float64 {
	r := st.r
	z := float64(0.5 * spread * dist.StdNormal(r))
	u := 0.5 + float64((r.Float64()-0.5)*0.5*spread)
	switch d.Name {
	case "dnorm", "dt", "ddexp", "dlogis":
		sd := min(1/math.Sqrt(p[1]), maxSpread)
		if m := math.Abs(p[0]); m > 0 {
			// Keep the sign of the centre: its mirror image may be a mode too.
			sd = min(sd, 0.5*m)
		}
		return p[0] + float64(z*sd)
	case "dlnorm":
		return vec.Exp(p[0] + float64(z*min(1/math.Sqrt(p[1]), 1)))
	case "dunif":
		return p[0] + float64(u*(p[1]-p[0]))
	case "dbeta":
		if p[0] < 1 || p[1] < 1 {
			return u
		}
	case "dgamma":
		if p[0] < 1 {
			return float64(p[0]/p[1]) * vec.Exp(0.5*z)
		}
	}
	if m := d.Mean(p); !d.Discrete && spread < 0.3 && !math.IsNaN(m) && !math.IsInf(m, 0) {
		return m
	}
	return d.Sample(r, p)
}

func (st *starter) multi(s *model.State, t *model.Template, i int, spread float64) {
	cells := t.Cells(i)
	switch t.Stoch.Name {
	case "dmnorm", "dmt":
		in := t.Operands(i)
		d := len(cells)
		for j, c := range cells {
			sd := 1 / math.Sqrt(s.V[in[d+j+j*d]])
			s.V[c] = s.V[in[j]] + float64(spread*min(sd, maxSpread)*dist.StdNormal(st.r))
		}
	case "dwish":
		x := make([]float64, len(cells))
		s.MultiMean(t, i, x)
		f := vec.Exp(0.3 * spread * dist.StdNormal(st.r))
		for j, c := range cells {
			s.V[c] = x[j] * f
		}
	case "ddirch":
		a := make([]float64, len(cells))
		for j, c := range t.Operands(i) {
			if a[j] = s.V[c]; a[j] > 0 {
				a[j]++
			}
		}
		dist.Dirichlet(a, st.r, append([]float64(nil), a...))
		for j, c := range cells {
			s.V[c] = a[j]
		}
	default:
		s.SampleRow(t, i, st.r)
	}
}

// check finds the first stochastic row without finite density and says so with
// its value and its parents.
func (st *starter) check(s *model.State) error {
	for _, row := range st.order {
		t, i := st.m.TemplateOf(row)
		if t.Stoch == nil {
			continue
		}
		if msg := s.CheckRow(t, i); msg != "" {
			return st.fault(parameterFault(s, t, i, msg))
		}
		if lp := s.LogProbRow(t, i); math.IsInf(lp, 0) || math.IsNaN(lp) {
			return st.fault(valueFault(s, t, i, lp))
		}
	}
	return nil
}
