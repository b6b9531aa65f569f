package path

import (
	"encoding/binary"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// gaussian goes from N(0, I) to the unnormalised N(mean, sd²) in each coordinate, along the geometric path:
// log f_β = −Σ [(1−β) x²/2 + β ((x−m)/s)²/2]. p_β is Gaussian, so Z_β is known at every β.
// A move is an autoregression x' = μ + ρ(x−μ) + √(1−ρ²) σ z in each coordinate, exact and reversible.
type gaussian struct {
	mean, sd []float64
	rho      float64
}

func newGaussian(d int) *gaussian {
	g := &gaussian{mean: make([]float64, d), sd: make([]float64, d), rho: 0.5}
	for i := range d {
		g.mean[i], g.sd[i] = 1.5, 0.4
	}
	return g
}

func (g *gaussian) New() []float64          { return make([]float64, len(g.mean)) }
func (g *gaussian) Copy(dst, src []float64) { copy(dst, src) }
func (g *gaussian) LogZBase() float64       { return g.logZ(0) }
func (g *gaussian) Base(s []float64, r *rand.Rand) {
	for i := range s {
		s[i] = r.NormFloat64()
	}
}

func (g *gaussian) LogDensity(s []float64, beta float64) float64 {
	sum := 0.0
	for i, x := range s {
		z := (x - g.mean[i]) / g.sd[i]
		sum -= float64((1-beta)*(x*x)/2) + float64(beta*(z*z)/2)
	}
	return sum
}

// at is the distribution of coordinate i at β: precision, mean, and the constant left by completing the square.
func (g *gaussian) at(i int, beta float64) (mean, sd, left float64) {
	a := 1 / (g.sd[i] * g.sd[i])
	prec := 1 - beta + float64(beta*a)
	mean = beta * a * g.mean[i] / prec
	left = float64(beta*a*g.mean[i]*g.mean[i]) - float64(prec*mean*mean)
	return mean, 1 / math.Sqrt(prec), left / 2
}

func (g *gaussian) Move(s []float64, beta float64, r *rand.Rand) {
	c := math.Sqrt(1 - g.rho*g.rho)
	for i, x := range s {
		m, sd, _ := g.at(i, beta)
		s[i] = m + float64(g.rho*(x-m)) + float64(c*sd*r.NormFloat64())
	}
}

// logZ is exact at every β.
func (g *gaussian) logZ(beta float64) float64 {
	sum := 0.0
	for i := range g.mean {
		_, sd, left := g.at(i, beta)
		sum += math.Log(2*math.Pi)/2 + math.Log(sd) - left
	}
	return sum
}

// target is an exact draw at β = 1.
func (g *gaussian) target(_ int, s []float64, r *rand.Rand) error {
	for i := range s {
		s[i] = g.mean[i] + g.sd[i]*r.NormFloat64()
	}
	return nil
}

// exactGaussian also has the ratio and the derivative.
type exactGaussian struct{ *gaussian }

func (g exactGaussian) DLogDensity(s []float64, _ float64) float64 {
	return g.LogDensity(s, 1) - g.LogDensity(s, 0)
}

func (g exactGaussian) LogRatio(s []float64, from, to float64) float64 {
	return (to - from) * g.DLogDensity(s, 0)
}

// ising is a side × side lattice with free borders at inverse temperature β·coupling, with a field that breaks the symmetry.
// f_β = exp(β (J Σ s s' + h Σ s)); the base is uniform over 2^n states. A move is a sweep of heat bath in order and back, which is reversible.
type ising struct {
	side            int
	coupling, field float64
}

func (g ising) n() int                                 { return g.side * g.side }
func (g ising) New() []int8                            { return make([]int8, g.n()) }
func (g ising) Copy(dst, src []int8)                   { copy(dst, src) }
func (g ising) LogZBase() float64                      { return float64(g.n()) * math.Ln2 }
func (g ising) LogDensity(s []int8, b float64) float64 { return b * g.energy(s) }
func (g ising) Base(s []int8, r *rand.Rand) {
	for i := range s {
		s[i] = int8(2*r.IntN(2) - 1)
	}
}

func (g ising) energy(s []int8) float64 {
	bonds, spins := 0, 0
	for i := range s {
		x, y := i%g.side, i/g.side
		if x > 0 {
			bonds += int(s[i] * s[i-1])
		}
		if y > 0 {
			bonds += int(s[i] * s[i-g.side])
		}
		spins += int(s[i])
	}
	return float64(g.coupling*float64(bonds)) + float64(g.field*float64(spins))
}

func (g ising) Move(s []int8, beta float64, r *rand.Rand) {
	for i := range s {
		g.flip(s, i, beta, r)
	}
	for i := len(s) - 1; i >= 0; i-- {
		g.flip(s, i, beta, r)
	}
}

func (g ising) flip(s []int8, i int, beta float64, r *rand.Rand) {
	x, y, sum := i%g.side, i/g.side, 0
	if x > 0 {
		sum += int(s[i-1])
	}
	if x < g.side-1 {
		sum += int(s[i+1])
	}
	if y > 0 {
		sum += int(s[i-g.side])
	}
	if y < g.side-1 {
		sum += int(s[i+g.side])
	}
	s[i] = -1
	if r.Float64() < vec.Ilogit(2*beta*(float64(g.coupling*float64(sum))+g.field)) {
		s[i] = 1
	}
}

// logZ enumerates all states.
func (g ising) logZ(beta float64) float64 {
	s := g.New()
	all := make([]float64, 1<<g.n())
	for k := range all {
		for i := range s {
			s[i] = int8(2*(k>>i&1) - 1)
		}
		all[k] = beta * g.energy(s)
	}
	return vec.LogSumExp(all)
}

// machine is a small restricted Boltzmann machine with its hidden units summed out, base: visible units with biases of
// their own, a shared hidden layer: f_β(v) = exp(Σ v((1−β)c + βb)) Π_j (1 + exp(β(a_j + Σ v_i w_ij))).
type machine struct {
	w       [][]float64 // visible × hidden
	a, b, c []float64
}

type units struct{ v, h []float64 }

func newMachine(visible, hidden int, scale float64) *machine {
	r := rand.New(rand.NewPCG(20, 26))
	m := &machine{w: make([][]float64, visible), a: make([]float64, hidden), b: make([]float64, visible), c: make([]float64, visible)}
	for i := range m.w {
		m.w[i] = make([]float64, hidden)
		for j := range m.w[i] {
			m.w[i][j] = scale * r.NormFloat64()
		}
		m.b[i], m.c[i] = r.NormFloat64(), 0.3*r.NormFloat64()
	}
	for j := range m.a {
		m.a[j] = r.NormFloat64()
	}
	return m
}

func (m *machine) New() units          { return units{make([]float64, len(m.b)), make([]float64, len(m.a))} }
func (m *machine) Copy(dst, src units) { copy(dst.v, src.v); copy(dst.h, src.h) }
func (m *machine) LogZBase() float64 {
	sum := float64(len(m.a)) * math.Ln2
	for _, c := range m.c {
		sum += vec.Log1pExp(c)
	}
	return sum
}

func (m *machine) Base(s units, r *rand.Rand) {
	for i, c := range m.c {
		s.v[i] = bernoulli(c, r)
	}
}

func bernoulli(logit float64, r *rand.Rand) float64 {
	if r.Float64() < vec.Ilogit(logit) {
		return 1
	}
	return 0
}

func (m *machine) input(v []float64, j int) float64 {
	x := m.a[j]
	for i, u := range v {
		if u != 0 {
			x += m.w[i][j]
		}
	}
	return x
}

func (m *machine) LogDensity(s units, beta float64) float64 {
	sum := 0.0
	for i, u := range s.v {
		sum += u * (float64((1-beta)*m.c[i]) + float64(beta*m.b[i]))
	}
	for j := range m.a {
		sum += vec.Log1pExp(beta * m.input(s.v, j))
	}
	return sum
}

func (m *machine) Move(s units, beta float64, r *rand.Rand) {
	for j := range m.a {
		s.h[j] = bernoulli(beta*m.input(s.v, j), r)
	}
	for i := range m.b {
		x := m.b[i]
		for j, u := range s.h {
			x += float64(u * m.w[i][j])
		}
		s.v[i] = bernoulli(float64((1-beta)*m.c[i])+float64(beta*x), r)
	}
}

func (m *machine) logZ(beta float64) float64 {
	s := m.New()
	all := make([]float64, 1<<len(m.b))
	for k := range all {
		for i := range s.v {
			s.v[i] = float64(k >> i & 1)
		}
		all[k] = m.LogDensity(s, beta)
	}
	return vec.LogSumExp(all)
}

func (m *machine) MarshalState(s units) ([]byte, error) {
	var b []byte
	for _, v := range s.v {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b, nil
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
