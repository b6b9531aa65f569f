package plan

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

const withFieldName = "joint-with-field"

// withField moves the numbers u of the nodes of nuts that are in no field, such as precisions and autocorrelations, all at once, and the field with them. For each u there is a normal density near
// the conditional one of the field: its precision is the curvature of the log density at c, the mean of warm-up's draws, its mean a few Newton steps from c. Where the field is in the standard
// coordinates of that density stays,
//
//	x = m(u) + T(u) z → x' = m(u') + T(u') z,
//
// so that u moves nearly as it would with the field integrated out, in however many dimensions (one block in the sense of Knorr-Held and Rue 2002, "On block updating in Markov random field models for
// disease mapping", with the noise held instead of drawn: a change of variables, whose Jacobian is |T(u')|/|T(u)|). Proposals are from a multivariate Student t that warm-up fits, and steps of a random walk in its shape.
type withField struct {
	b    *nuts
	f    *field
	at   *curvatures
	fit  studentFit
	ones []float64
	all  []float64 // u, the field's z after the others
	u    []float64
	z, m []float64
	g    []float64
	old  []float64

	begun float64    // 1 from when on points count
	scale float64    // of the random walk
	walks bool       // the move at hand is a step of it
	tried [2]float64 // independence proposals and steps, from when on points count
	rate  [2]float64
	share float64 // of independence proposals
	on    float64
}

// newWithField is for a kernel with a field.
func newWithField(b *nuts) *withField {
	f := b.field
	n, d := len(f.nodes), b.x.size-len(f.nodes)
	v := func(n int) []float64 { return make([]float64, n) }
	k := &withField{b: b, f: f, at: f.curve.forChain(), fit: newStudentFit(d), ones: v(n), all: v(b.x.size), u: v(d), z: v(n), m: v(n), g: v(n), old: v(len(b.cells)), scale: 1, share: fitShare}
	for j := range k.ones {
		k.ones[j] = 1
	}
	return k
}

// fieldMoves adds the kernel beside nuts that have a field and few other nodes.
func fieldMoves(p *planner, _ []int32) {
	for i, it := range p.Items {
		if it.block == nil || it.block.x.field == nil || len(it.block.out) > 0 || slices.ContainsFunc(it.Rows, func(r int32) bool { return p.asked[r] != nil }) {
			continue
		}
		if d := it.block.x.size - len(it.block.x.field.nodes); d == 0 || d > maxHyper {
			continue
		}
		var rows []int32
		in := map[int32]bool{}
		for _, n := range it.block.x.field.nodes {
			in[p.Model.DefRow(n.cell)] = true
		}
		for _, r := range it.Rows {
			if !in[r] {
				rows = append(rows, r)
			}
		}
		p.add(Item{Kernel: withFieldName, Rows: rows, make: func(before []kernel) kernel { return newWithField(before[i].(*nuts)) }})
		if numbers, above := it.block.priorNumbers(p.Model); len(numbers) > 0 {
			p.add(Item{Kernel: innovationsName, Rows: above, make: func(before []kernel) kernel { return newInnovations(p.Model, before[i].(*nuts), numbers) }})
		}
	}
}

const (
	mostlyFit  = 0.8 // share of independence proposals where they are taken often
	chordSteps = 2
	fieldFrom  = 0.07 // share of the warm-up from which the move is made, and
	fieldFit   = 0.3  // from which the fit counts points
)

// around finds the normal density for numbers of the others, and leaves these in place.
func (k *withField) around(s *model.State, u []float64) (logJacobian float64, ok bool) {
	if logJacobian = k.b.x.placeOthers(s, u); !vec.Finite(logJacobian) {
		return 0, false
	}
	copy(k.m, k.f.c)
	k.put(s, k.m)
	s.Run(k.b.det)
	k.at.begin()
	k.at.add(s, k.ones)
	if !k.at.factor(s) {
		return 0, false
	}
	for range 1 + chordSteps {
		if !vec.Finite(k.b.density.ValueGradient(s)) {
			return 0, false
		}
		for j, n := range k.f.nodes {
			k.g[j] = s.A[n.cell]
		}
		k.at.solve(k.g, k.g)
		for j, d := range k.g {
			k.m[j] += d
		}
		k.put(s, k.m)
	}
	return logJacobian, true
}

func (k *withField) put(s *model.State, x []float64) {
	for j, n := range k.f.nodes {
		s.V[n.cell] = x[j]
	}
}

func (k *withField) propose(r *rand.Rand, u0 []float64) (logQ float64) {
	settled := k.fit.settled()
	if k.walks = !settled || r.Float64() >= k.share; !k.walks {
		k.fit.draw(r, k.u)
		return k.fit.logQ(k.u) - k.fit.logQ(u0)
	}
	for j := range k.u {
		k.fit.z[j] = dist.StdNormal(r)
	}
	d := len(k.u)
	for j := range k.u {
		step := startStep * k.fit.z[j]
		if settled {
			step = 0
			for i, l := range k.fit.chol[j*d : j*d+j+1] {
				step += float64(l * k.fit.z[i])
			}
		}
		k.u[j] = u0[j] + float64(k.scale*step)
	}
	return 0
}

const startStep = 0.3 // of a random walk before its shape is known

func (k *withField) move(s *model.State, r *rand.Rand) float64 {
	b, n := k.b, len(k.f.nodes)
	b.x.read(s, k.all, r)
	u0 := k.all[:len(k.all)-n]
	b.at.gather(k.old, s.V)
	logQ := k.propose(r, u0)
	accept := r.Float64()
	b.density.Prepare(s)
	lp := -s.LogProb(b.stoch) - logQ
	a := 0.0
	if logJ, ok := k.around(s, u0); ok && vec.Finite(lp) {
		lp -= logJ + k.at.logDet()
		k.restore(s)
		for j, node := range k.f.nodes {
			k.g[j] = s.V[node.cell] - k.m[j]
		}
		k.at.whiten(k.z, k.g)
		if logJ, ok := k.around(s, k.u); ok {
			k.at.spread(k.g, k.z)
			for j := range k.m {
				k.m[j] += k.g[j]
			}
			k.put(s, k.m)
			s.Run(b.det)
			a = vec.Exp(s.LogProb(b.stoch) + logJ + k.at.logDet() + lp)
			if math.IsNaN(a) {
				a = 0
			}
		}
	}
	if accept >= a {
		k.restore(s)
	}
	return min(1, a)
}

func (k *withField) restore(s *model.State) {
	k.b.at.scatter(s.V, k.old)
	s.Run(k.b.det)
}

// Step moves the numbers and the field.
func (k *withField) Step(s *model.State, r *rand.Rand) mcmc.Info {
	if k.on == 0 {
		return idle()
	}
	a := k.move(s, r)
	return mcmc.Info{Accepted: a > 0, AcceptProb: a, Evals: 2}
}

// Adapt moves them when the field's mean is known, and learns where the numbers are.
func (k *withField) Adapt(s *model.State, r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	if float64(w.Iteration) < fieldFrom*float64(w.Total) {
		return idle()
	}
	if k.begun == 0 && float64(w.Iteration) >= fieldFit*float64(w.Total) {
		k.begun, k.fit = 1, newStudentFit(len(k.u))
	}
	s.Settle()
	k.b.x.read(s, k.all, r)
	k.fit.learn(k.all[:len(k.u)])
	if w.Iteration%learnEvery == 0 {
		k.fit.settle()
	}
	a := k.move(s, r)
	kind := 0
	if k.walks {
		kind = 1
		k.scale *= vec.Exp((a - hyperTarget) / math.Sqrt(1+float64(k.tried[1]/4)))
		k.scale = min(max(k.scale, 1e-3), 10)
	}
	if k.begun > 0 {
		k.tried[kind]++
		k.rate[kind] += a
	}
	return mcmc.Info{Accepted: a > 0, AcceptProb: a, Evals: 2}
}

// Freeze ends the warm-up; a move that is hardly ever accepted is dropped.
func (k *withField) Freeze() {
	if k.rate[0] >= takenOften*k.tried[0] {
		k.share = mostlyFit
	}
	if k.rate[0]+k.rate[1] >= 0.02*(k.tried[0]+k.tried[1]) {
		k.on = 1
	}
}

func (k *withField) fields() []*float64 {
	return append(k.fit.fields(), &k.begun, &k.scale, &k.tried[0], &k.tried[1], &k.rate[0], &k.rate[1], &k.share, &k.on)
}

// MarshalBinary writes the tuning.
func (k *withField) MarshalBinary() ([]byte, error) { return putFields(k.fields()), nil }

// UnmarshalBinary is the inverse of MarshalBinary.
func (k *withField) UnmarshalBinary(b []byte) error { return getFloats(b, k.fields()...) }
