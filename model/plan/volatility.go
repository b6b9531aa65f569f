package plan

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/columns"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

// blockVolatility is the kernel of blocks whose members are in the log precisions of normal children, as in stochastic volatility models.
//
// The law of a log χ²₁ variable is near a mixture of ten normal ones (Kim, Shephard and Chib 1998; Omori, Chib, Shephard and Nakajima 2007). Given one component for each
// child, drawn from its distribution at the current point, the block's full conditional is a Gaussian, and a draw from it the proposal, which is accepted or not by the
// ratio of the exact density to the mixture's.
const blockVolatility = "block-volatility"

// component is one of the mixture: a normal law and its weight.
type component struct{ weight, mean, variance float64 }

// logChiSquared is table 1 of Omori, Chib, Shephard and Nakajima (2007).
func logChiSquared() [components10]component {
	return [components10]component{
		{0.00609, 1.92677, 0.11265},
		{0.04775, 1.34744, 0.17788},
		{0.13057, 0.73504, 0.26768},
		{0.20674, 0.02266, 0.40611},
		{0.22715, -0.85173, 0.62699},
		{0.18842, -1.97278, 0.98583},
		{0.12047, -3.46788, 1.57469},
		{0.05591, -5.55246, 2.54498},
		{0.01575, -8.68384, 4.16591},
		{0.00115, -14.65000, 7.33342},
	}
}

const components10 = 10

// farBelow is how far below the mean of all a logarithm of a square counts as minus infinity: there the mixture has lighter tails than exp(x/2), which the density is near then, and
// which is a Gaussian's limit: log linear in the members. Squares of 0 are among them.
const farBelow = 18

// mixture draws components and weighs them, for one expansion.
type mixture struct {
	*logSquares
	etas []int32 // of the children

	at       [components10]component
	logScale [components10]float64 // log of weight/sd
	half     [components10]float64 // 1/(2 variance)

	scale  []float64 // λ of Student children, whose precision is λ τ; 1 of others
	square []float64 // log (y − μ)² + log λ + a
	tail   []bool
	chosen []int8 // −1 in the tail
	logs   []float64
	dens   []float64
}

func newMixture(b *block, q *logSquares) *mixture {
	n := len(q.kids)
	x := &mixture{logSquares: q, at: logChiSquared(), square: make([]float64, n), tail: make([]bool, n), scale: make([]float64, n), chosen: make([]int8, n),
		logs: make([]float64, components10*n), dens: make([]float64, components10*n)}
	for k, c := range x.at {
		x.logScale[k] = vec.Log(c.weight) - float64(0.5*vec.Log(c.variance))
		x.half[k] = 0.5 / c.variance
	}
	for i := range b.preds {
		for range b.preds[i].kids {
			x.etas = append(x.etas, b.preds[i].eta)
		}
	}
	return x
}

// residual is y − μ.
func (k *logSquare) residual(s *model.State) float64 {
	y := s.V[k.y]
	if k.log {
		y = vec.Log(y)
	}
	return y - s.V[k.mu]
}

// scaleLaw is the gamma distribution of a Student child's λ at the state.
func (k *logSquare) scaleLaw(s *model.State) (shape, rate float64) {
	d, df := k.residual(s), s.V[k.df]
	return 0.5 * (df + 1), 0.5 * (df + float64(d*d*s.V[k.tau]))
}

// drawScales draws λ of all Student children.
func (x *mixture) drawScales(s *model.State, r *rand.Rand) {
	for i := range x.kids {
		x.scale[i] = 1
		if k := &x.kids[i]; k.df >= 0 {
			shape, rate := k.scaleLaw(s)
			x.scale[i] = dist.Gamma(r, shape, rate)
		}
	}
}

// scales is the log density of the λ at the state, up to a constant.
func (x *mixture) scales(s *model.State) (lp float64) {
	for i := range x.kids {
		if k := &x.kids[i]; k.df >= 0 {
			shape, rate := k.scaleLaw(s)
			lp += float64(shape*vec.Log(float64(rate*x.scale[i]))) - vec.Lgamma(shape) - float64(rate*x.scale[i])
		}
	}
	return lp
}

// read takes the squares from the state.
func (x *mixture) read(s *model.State) {
	sum, n := 0.0, 0.0
	for i := range x.kids {
		k := &x.kids[i]
		d := k.residual(s)
		l := vec.Log(float64(float64(d*d) * x.scale[i]))
		x.square[i] = l + k.a
		if vec.Finite(l) {
			sum, n = sum+l, n+1
		}
	}
	for i := range x.kids {
		x.tail[i] = !(x.square[i]-x.kids[i].a > sum/max(1, n)-farBelow)
	}
}

// densities fills dens with the components' densities at the state's predictors, each child's up to a factor whose logarithm it returns summed over all.
func (x *mixture) densities(s *model.State) (shift float64) {
	for i, eta := range x.etas {
		l := x.logs[components10*i : components10*(i+1)]
		if x.tail[i] {
			clear(l)
			continue
		}
		v := x.square[i] + float64(x.kids[i].b*s.V[eta])
		top := math.Inf(-1)
		for k := range l {
			d := v - x.at[k].mean
			l[k] = x.logScale[k] - float64(float64(d*d)*x.half[k])
			top = max(top, l[k])
		}
		for k := range l {
			l[k] -= top
		}
		shift += top
	}
	columns.Exp(x.dens, x.logs)
	return shift
}

func total(p []float64) (sum float64) {
	for _, v := range p {
		sum += v
	}
	return sum
}

// choose draws λ and a component for each child, and returns the log of the probability of all.
func (x *mixture) choose(s *model.State, r *rand.Rand) (logP float64) {
	if x == nil {
		return 0
	}
	x.drawScales(s, r)
	x.read(s)
	x.densities(s)
	prod := vec.NewLogProduct()
	for i := range x.kids {
		x.chosen[i] = -1
		if x.tail[i] {
			continue
		}
		p := x.dens[components10*i : components10*(i+1)]
		sum := total(p)
		u, k := r.Float64()*sum, 0
		for k < len(p)-1 && u >= p[k] {
			u -= p[k]
			k++
		}
		for p[k] == 0 { // rounding went past the last
			k--
		}
		x.chosen[i] = int8(k)
		prod.Times(p[k] / sum)
	}
	return prod.Log() + x.scales(s)
}

// logP is the log of the probability of the components, and density of λ, at the state; squares are those of the last read.
func (x *mixture) logP(s *model.State) float64 {
	if x == nil {
		return 0
	}
	x.densities(s)
	prod := vec.NewLogProduct()
	for i := range x.kids {
		if x.tail[i] != (x.chosen[i] < 0) {
			return math.Inf(-1)
		}
		if !x.tail[i] {
			p := x.dens[components10*i : components10*(i+1)]
			prod.Times(p[x.chosen[i]] / total(p))
		}
	}
	return prod.Log() + x.scales(s)
}

// approximate is the log density of the children by the mixture, up to a constant.
func (x *mixture) approximate(s *model.State) float64 {
	sum := x.densities(s)
	prod := vec.NewLogProduct()
	for i, eta := range x.etas {
		if x.tail[i] {
			sum += float64(0.5 * x.kids[i].b * s.V[eta])
			continue
		}
		prod.Times(total(x.dens[components10*i : components10*(i+1)]))
	}
	return sum + prod.Log()
}

// slope is the derivative, and minus the second, of the log density of a predictor's children given their components.
func (x *mixture) slope(pred int, e float64) (g, w float64) {
	for i := x.first[pred]; i < x.first[pred+1]; i++ {
		b := x.kids[i].b
		if x.chosen[i] < 0 {
			g += float64(0.5 * b)
			continue
		}
		c := &x.at[x.chosen[i]]
		g -= float64((x.square[i] + float64(b*e) - c.mean) * b / c.variance)
		w += float64(b * b / c.variance)
	}
	return g, w
}

// stepByComponents moves the members of a block with a mixture.
func (k *glmBlock) stepByComponents(s *model.State, r *rand.Rand) mcmc.Info {
	for i, c := range k.cells {
		k.old[i] = s.V[c]
	}
	k.mix.choose(s, r)
	info := mcmc.Info{Evals: 2}
	before := s.LogProb(k.mix.segs) + k.mix.scales(s) - k.mix.approximate(s)
	if !k.centre(s, nil, nil) {
		return info
	}
	k.draw(r, 0)
	k.apply(s, k.delta)
	info.AcceptProb = min(1, vec.Exp(s.LogProb(k.mix.segs)+k.mix.scales(s)-k.mix.approximate(s)-before))
	if math.IsNaN(info.AcceptProb) {
		info.AcceptProb = 0
	}
	if info.Accepted = r.Float64() < info.AcceptProb; info.Accepted {
		return info
	}
	for i, c := range k.cells {
		s.V[c] = k.old[i]
	}
	s.Run(k.det)
	return info
}
