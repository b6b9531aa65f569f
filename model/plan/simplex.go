package plan

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

const (
	maxStepOut = 64  // widths that stepping out may add
	maxShrink  = 200 // proposals inside the interval before a step is given up
)

// simplexSlice moves a Dirichlet node one element at a time: element j goes
// along u = logit(x_j) while the others keep their proportions. The change of
// variables from the simplex to (u, proportions) has the Jacobian
// x_j (1−x_j)^{K−1}, which enters the slice.
type simplexSlice struct {
	n     *node
	width []float64
	sum   []float64
	iter  float64
	x     []float64
}

func newSimplexSlice(n *node) *simplexSlice {
	if n.dist() != "ddirch" {
		return nil
	}
	d := len(n.cells)
	k := &simplexSlice{n: n, width: make([]float64, d), sum: make([]float64, d), x: make([]float64, d)}
	for j := range k.width {
		k.width[j] = 1
	}
	return k
}

// Step moves each element once.
func (k *simplexSlice) Step(s *model.State, r *rand.Rand) mcmc.Info {
	info := mcmc.Info{AcceptProb: 1}
	for j := range k.n.cells {
		k.element(s, r, j, &info)
	}
	return info
}

func (k *simplexSlice) element(s *model.State, r *rand.Rand, j int, info *mcmc.Info) (jump float64) {
	for i, c := range k.n.cells {
		k.x[i] = s.V[c]
	}
	if k.x[j] <= 0 || k.x[j] >= 1 {
		return 0
	}
	u0 := vec.Logit(k.x[j])
	f0 := k.at(s, j, u0)
	if math.IsInf(f0, 0) {
		return 0
	}
	level := f0 - dist.StdExp(r)
	w := k.width[j]
	left := u0 - float64(w*r.Float64())
	right := left + w
	for range maxStepOut / 2 {
		info.Evals++
		if !(k.at(s, j, left) > level) {
			break
		}
		left -= w
	}
	for range maxStepOut / 2 {
		info.Evals++
		if !(k.at(s, j, right) > level) {
			break
		}
		right += w
	}
	for range maxShrink {
		u := left + float64(r.Float64()*(right-left))
		info.Evals++
		if k.at(s, j, u) > level {
			info.Accepted = true
			return math.Abs(u - u0)
		}
		if u < u0 {
			left = u
		} else {
			right = u
		}
	}
	k.place(s, j, k.x[j])
	return 0
}

func (k *simplexSlice) place(s *model.State, j int, xj float64) {
	scale := (1 - xj) / (1 - k.x[j])
	for i, c := range k.n.cells {
		if i == j {
			s.V[c] = xj
		} else {
			s.V[c] = k.x[i] * scale
		}
	}
	s.Run(k.n.b.Det)
}

func (k *simplexSlice) at(s *model.State, j int, u float64) float64 {
	xj := vec.Ilogit(u)
	if xj <= 0 || xj >= 1 {
		return math.Inf(-1)
	}
	k.place(s, j, xj)
	lp := k.n.logProb(s)
	return lp + vec.Log(xj) + float64(float64(len(k.x)-1)*vec.Log1p(-xj))
}

// Adapt moves the node and learns the widths.
func (k *simplexSlice) Adapt(s *model.State, r *rand.Rand, _ mcmc.Warmup) mcmc.Info {
	info := mcmc.Info{AcceptProb: 1}
	k.iter++
	for j := range k.n.cells {
		k.sum[j] += float64(k.iter * k.element(s, r, j, &info))
		if w := 4 * k.sum[j] / (k.iter * (k.iter + 1)); k.iter > 20 && w > 0 {
			k.width[j] = w
		}
	}
	return info
}

// Freeze ends adaptation: Step does not adapt.
func (k *simplexSlice) Freeze() {}

// MarshalBinary writes the widths and what they are learnt from.
func (k *simplexSlice) MarshalBinary() ([]byte, error) {
	return putFloats(append(append([]float64{k.iter}, k.width...), k.sum...)...), nil
}

// UnmarshalBinary is the inverse of MarshalBinary.
func (k *simplexSlice) UnmarshalBinary(b []byte) error {
	p := []*float64{&k.iter}
	for j := range k.width {
		p = append(p, &k.width[j])
	}
	for j := range k.sum {
		p = append(p, &k.sum[j])
	}
	return getFloats(b, p...)
}
