package mode

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/columns"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// pairs is how many steps the estimate of the curvature is made of. Zhang et al. (2022) take 6; with 20 a climb in a normal density of condition 10⁶ takes a
// sixth of the steps.
const pairs = 20

// history is an estimate H of the inverse of −∇² log π, made of a diagonal and of the last steps s and of how the gradient of −log π changed in them, y:
//
//	H ← (I − ρ s yᵀ) H (I − ρ y sᵀ) + ρ s sᵀ,   ρ = 1/yᵀs,
//
// for each of them in turn, the oldest first (Nocedal and Wright, 2006, equation 7.16).
type history struct {
	diag []float64 // α
	s, y [][]float64
	rho  []float64
	a    []float64 // of each pair, for apply
}

func newHistory(dim int) *history {
	h := &history{diag: make([]float64, dim)}
	for i := range h.diag {
		h.diag[i] = 1
	}
	return h
}

// flatness is how small yᵀs may be beside yᵀy (Zhang et al., 2022, appendix): a smaller one is rounding, or the density is not concave there.
const flatness = 1e-12

// learn takes a step s, along which the gradient of −log π changed by y, and says whether there was something to learn. It copies both.
func (h *history) learn(s, y []float64) bool {
	b, yy := vec.Dot(y, s), vec.Dot(y, y)
	if !(b > flatness*yy) || !vec.Finite(yy) || !vec.Finite(1/b) {
		return false
	}
	h.scale(s, y, b)
	if len(h.s) < pairs {
		h.s, h.y = append(h.s, make([]float64, len(s))), append(h.y, make([]float64, len(y)))
		h.rho, h.a = append(h.rho, 0), append(h.a, 0)
	} else {
		s0, y0 := h.s[0], h.y[0]
		copy(h.s, h.s[1:])
		copy(h.y, h.y[1:])
		copy(h.rho, h.rho[1:])
		h.s[pairs-1], h.y[pairs-1] = s0, y0
	}
	last := len(h.s) - 1
	copy(h.s[last], s)
	copy(h.y[last], y)
	h.rho[last] = 1 / b
	return true
}

// scale brings the diagonal up to date (Gilbert and Lemaréchal, 1989, equation 4.9, as Zhang et al., 2022, algorithm 3 have it).
func (h *history) scale(s, y []float64, b float64) {
	a, c := 0.0, 0.0
	for i, d := range h.diag {
		a += float64(float64(y[i]*d) * y[i])
		c += float64(float64(s[i]/d) * s[i])
	}
	for i, d := range h.diag {
		q := s[i] / d
		inv := a/float64(b*d) + float64(float64(y[i]/b)*y[i]) - float64(float64(a/float64(b*c))*float64(q*q))
		if next := 1 / inv; next > 0 && vec.Finite(next) {
			h.diag[i] = next
		}
	}
}

// apply writes H g to dst (Nocedal and Wright, 2006, algorithm 7.4).
func (h *history) apply(dst, g []float64) {
	copy(dst, g)
	for k := len(h.s) - 1; k >= 0; k-- {
		h.a[k] = float64(h.rho[k] * vec.Dot(h.s[k], dst))
		columns.AddScaled(dst, h.y[k], -h.a[k])
	}
	for i, d := range h.diag {
		dst[i] *= d
	}
	for k, s := range h.s {
		b := float64(h.rho[k] * vec.Dot(h.y[k], dst))
		columns.AddScaled(dst, s, h.a[k]-b)
	}
}

// normal is the normal distribution with a mean and the covariance H. A draw applies to one of N(0, diag α) what the update of H does: z ← z − ρ s yᵀz + √ρ s ε.
// Its density takes H⁻¹ = diag(1/α) + Σ (b bᵀ − a aᵀ), with b = √ρ y and a = Bs/√(sᵀBs) for the B of the pairs before (Nocedal and Wright, 2006,
// procedure 7.6), and log det H, which sᵀBs/sᵀy multiplies det H⁻¹ by its inverse in.
type normal struct {
	mean   []float64
	diag   []float64
	s, y   [][]float64
	rho    []float64
	a, b   [][]float64
	logDet float64 // of H
	d      []float64
}

// freeze is the distribution now; ok is false where rounding leaves no covariance.
func (h *history) freeze(mean []float64) (n *normal, ok bool) {
	n = &normal{mean: slices.Clone(mean), diag: slices.Clone(h.diag), rho: slices.Clone(h.rho), d: make([]float64, len(mean))}
	for _, v := range n.diag {
		n.logDet += vec.Log(v)
	}
	for k := range h.s {
		s, y := slices.Clone(h.s[k]), slices.Clone(h.y[k])
		a, b := make([]float64, len(s)), make([]float64, len(s))
		for i, v := range s {
			a[i] = v / n.diag[i]
			b[i] = float64(math.Sqrt(n.rho[k]) * y[i])
		}
		for j := range n.a {
			columns.AddScaled(a, n.a[j], -vec.Dot(n.a[j], s))
			columns.AddScaled(a, n.b[j], vec.Dot(n.b[j], s))
		}
		q := vec.Dot(a, s)
		if !(q > 0) || !vec.Finite(1/q) {
			return nil, false
		}
		for i := range a {
			a[i] /= math.Sqrt(q)
		}
		n.logDet += vec.Log(q) + vec.Log(n.rho[k])
		n.s, n.y, n.a, n.b = append(n.s, s), append(n.y, y), append(n.a, a), append(n.b, b)
	}
	return n, vec.Finite(n.logDet)
}

// draw writes a draw to x.
func (n *normal) draw(r *rand.Rand, x []float64) {
	for i, v := range n.diag {
		x[i] = float64(math.Sqrt(v) * dist.StdNormal(r))
	}
	for k, s := range n.s {
		c := float64(math.Sqrt(n.rho[k])*dist.StdNormal(r)) - float64(n.rho[k]*vec.Dot(n.y[k], x))
		columns.AddScaled(x, s, c)
	}
	for i, m := range n.mean {
		x[i] += m
	}
}

// logDensity is that at x.
func (n *normal) logDensity(x []float64) float64 {
	q := 0.0
	for i, m := range n.mean {
		n.d[i] = x[i] - m
		q += float64(float64(n.d[i]/n.diag[i]) * n.d[i])
	}
	for k := range n.a {
		b, a := vec.Dot(n.b[k], n.d), vec.Dot(n.a[k], n.d)
		q += float64(b*b) - float64(a*a)
	}
	return -0.5 * (q + n.logDet + float64(float64(len(x))*log2Pi))
}

const log2Pi = 1.8378770664093454836
