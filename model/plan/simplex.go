package plan

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/slice"
)

// simplexSlice moves a Dirichlet node one element at a time: element j goes
// along u = logit(x_j) while the others keep their proportions. With K elements
// that are not structural zeros, the change of variables from the simplex to
// (u, proportions) has the Jacobian x_j (1−x_j)^{K−1}, which enters the slice.
//
// A move costs the length of the node. Of a long one a step therefore moves some
// elements only, picked at random without regard to the state: whichever they are,
// the step keeps the distribution, and so does their mixture.
type simplexSlice struct {
	n     *node
	moves []slice.Univariate
	x     []float64 // the node before the step
	next  []float64 // and the point under way
	most  int       // elements that a step moves

	s    *model.State
	j    int
	rest float64 // sum of the elements beside j
	free []int   // elements that are not structural zeros
	logp func(u float64) float64
}

// mostMoved is how many elements of a node a step moves.
const mostMoved = 256

func newSimplexSlice(n *node) *simplexSlice {
	if n.dist() != "ddirch" {
		return nil
	}
	d := len(n.cells)
	k := &simplexSlice{n: n, moves: make([]slice.Univariate, d), x: make([]float64, d), next: make([]float64, d), most: mostMoved, free: make([]int, 0, d)}
	k.logp = k.at
	return k
}

// step1 is a move of one variable, with or without learning its width.
type step1 func(u *slice.Univariate, r *rand.Rand, x, fx, lo, hi float64, logp func(float64) float64) (float64, float64, int)

// Step moves each element once, or some of them.
func (k *simplexSlice) Step(s *model.State, r *rand.Rand) mcmc.Info {
	return k.sweep(s, r, (*slice.Univariate).Step1)
}

// Adapt moves the node and learns the widths.
func (k *simplexSlice) Adapt(s *model.State, r *rand.Rand, _ mcmc.Warmup) mcmc.Info {
	return k.sweep(s, r, (*slice.Univariate).Adapt1)
}

func (k *simplexSlice) sweep(s *model.State, r *rand.Rand, step step1) mcmc.Info {
	info := mcmc.Info{Accepted: true, AcceptProb: 1}
	k.s, k.free = s, k.free[:0]
	for j, a := range k.n.t.Operands(k.n.i) {
		if s.V[a] > 0 {
			k.free = append(k.free, j)
		}
	}
	for _, j := range k.picked(r) {
		info.Evals += k.element(r, j, step)
	}
	return info
}

// picked are the elements to move: all of them in order, or as many as a step moves,
// each set of them equally likely.
func (k *simplexSlice) picked(r *rand.Rand) []int {
	if len(k.free) <= k.most {
		return k.free
	}
	for i := range k.most {
		j := i + r.IntN(len(k.free)-i)
		k.free[i], k.free[j] = k.free[j], k.free[i]
	}
	return k.free[:k.most]
}

// farthest is the largest |u|: its elements are still normal numbers.
const farthest = 700

func (k *simplexSlice) element(r *rand.Rand, j int, step step1) (evals int) {
	k.j, k.rest = j, 0
	for i, c := range k.n.cells {
		k.x[i] = k.s.V[c]
		if i != j {
			k.rest += k.x[i]
		}
	}
	if !(k.rest > 0) {
		return 0 // the others have no proportions; they move themselves
	}
	u0 := min(max(vec.Log(k.x[j]/k.rest), -farthest), farthest)
	u, _, evals := step(&k.moves[j], r, u0, k.at(u0), -farthest, farthest, k.logp)
	k.place(u)
	return evals + 1
}

// place puts element j at u.
func (k *simplexSlice) place(u float64) {
	scale := vec.Ilogit(-u) / k.rest
	for i, x := range k.x {
		k.next[i] = x * scale
	}
	k.next[k.j] = vec.Ilogit(u)
	roundSimplex(k.next)
	for i, c := range k.n.cells {
		k.s.V[c] = k.next[i]
	}
	k.s.Run(k.n.b.Det)
}

func (k *simplexSlice) at(u float64) float64 {
	k.place(u)
	// log x_j = −log(1+e⁻ᵘ), log(1−x_j) = −log(1+eᵘ)
	return k.n.logProb(k.s) - vec.Log1pExp(-u) - float64(float64(len(k.free)-1)*vec.Log1pExp(u))
}

const (
	simplexGrid = 0x1p-53
	tinyShare   = 0x1p-26
)

// roundSimplex rounds shares so that they do not drift from a sum of 1, and that neither the
// sum of some exceeds 1 nor what they leave of it is negative, in whatever order a program
// adds or subtracts them. Those above tinyShare go to multiples of 2⁻⁵³, the largest to what
// is left when the others are rounded up to them.
func roundSimplex(x []float64) {
	top := 0
	for i, v := range x {
		if v > x[top] {
			top = i
		}
	}
	left := 1.0
	for i, v := range x {
		switch {
		case i == top:
		case v > tinyShare:
			x[i] = float64(math.Round(v/simplexGrid) * simplexGrid)
			left -= x[i]
		default:
			left -= float64(math.Ceil(v/simplexGrid) * simplexGrid)
		}
	}
	x[top] = left
}

// Freeze ends adaptation: Step does not adapt.
func (k *simplexSlice) Freeze() {}

// MarshalBinary writes the widths and what they are learnt from.
func (k *simplexSlice) MarshalBinary() ([]byte, error) {
	var b []byte
	for j := range k.moves {
		b, _ = k.moves[j].AppendBinary(b)
	}
	return b, nil
}

// UnmarshalBinary is the inverse of MarshalBinary.
func (k *simplexSlice) UnmarshalBinary(b []byte) error {
	size := len(b) / len(k.moves)
	if len(b) != size*len(k.moves) {
		return errTuning
	}
	for j := range k.moves {
		if err := k.moves[j].UnmarshalBinary(b[j*size : (j+1)*size]); err != nil {
			return err
		}
	}
	return nil
}
