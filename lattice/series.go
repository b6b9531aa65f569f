package lattice

import (
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/diag"
)

// Series is the measurements of several chains at one inverse temperature, chains × measurements. What is missing is not
// estimated: a nil Magnetisation leaves the energy and the specific heat.
type Series struct {
	Beta  float64
	Sites int
	Every int // sweeps between measurements; 0 stands for 1

	Energy        [][]float64 // per site
	Magnetisation [][]float64 // per site: see Model.Magnetisation

	// Structure factors S(0) and S(k) of [Waves], for the correlation length of second moment
	// ξ = √(S(0)/S(k) − 1)/Wave (Cooper, Freedman and Preston 1982; Caracciolo et al. 1993, equation 2.14), and Wave, which is
	// 2 sin(π/L) for a cubic lattice of L sites a side.
	Zero, First [][]float64
	Wave        float64

	// Symmetric says that spins may change sign, all of them, at no cost: ⟨m⟩ is 0.
	Symmetric bool
}

// Estimate is a value with two standard errors that should agree. They are NaN where there are too few measurements, and 0 where
// none differs from the others.
type Estimate struct {
	Value float64

	// Binning is the error by blocks: the block size is where the variance of block means no longer grows with it
	// (Flyvbjerg and Petersen 1989), chosen as Lee et al. (2011) do; the error is the jackknife's over blocks of that size.
	Binning   float64
	BlockSize int // measurements
	Blocks    int // of all chains
	// Plateau is false where blocks large enough were not reached: Binning is then too low.
	Plateau bool

	// Autocorrelation is the error by the integrated autocorrelation time of the linearised quantity (Wolff 2004), with the
	// autocorrelations of [diag.ESSMean], to which chains that disagree add.
	Autocorrelation float64
	Tau             float64 // 1 + 2 Σ_t ρ(t), in sweeps; NaN where nothing changes
}

// SE is the larger of both errors.
func (e Estimate) SE() float64 {
	if e.Autocorrelation > e.Binning || math.IsNaN(e.Binning) {
		return e.Autocorrelation
	}
	return e.Binning
}

// Analysis is what a [Series] says.
type Analysis struct {
	Beta         float64
	Sites        int
	Chains       int
	Measurements int // of each chain

	Estimates [quantities]Estimate // by Quantity; NaN for what was not measured

	RhatEnergy, RhatMagnetisation float64 // of e and of |m|: rank-normalised split R-hat
	SignChanges                   int     // of the magnetisation, in all chains
	Levels                        *TwoLevels
	Warnings                      []Warning
}

// Of is the estimate of a quantity.
func (a *Analysis) Of(q Quantity) Estimate { return a.Estimates[q] }

// Analyse estimates every quantity that was measured, and says where the measurements do not reach. It is an error for chains to
// differ in length or a measurement not to be finite. It takes O(n log n) for n measurements.
func Analyse(s *Series) (*Analysis, error) {
	n, err := s.check()
	if err != nil {
		return nil, err
	}
	a := &Analysis{Beta: s.Beta, Sites: s.Sites, Chains: len(s.Energy), Measurements: n,
		RhatEnergy: math.NaN(), RhatMagnetisation: math.NaN()}
	x := newExpansion(s, n)
	for q := range quantities {
		a.Estimates[q] = Estimate{math.NaN(), math.NaN(), 0, 0, false, math.NaN(), math.NaN()}
		if s.measured(q) && n > 0 {
			a.Estimates[q] = x.estimate(q)
		}
	}
	a.RhatEnergy = diag.Rhat(s.Energy)
	a.Levels = twoLevels(s.Energy)
	if s.Magnetisation != nil {
		a.RhatMagnetisation = diag.Rhat(x.abs())
		a.SignChanges = signChanges(s.Magnetisation)
	}
	a.warn(s)
	return a, nil
}

func (s *Series) check() (measurements int, err error) {
	if math.IsNaN(s.Beta) || s.Sites < 1 || len(s.Energy) == 0 {
		return 0, fmt.Errorf("lattice: a series takes an inverse temperature, sites and chains: β = %v, %d sites, %d chains", s.Beta, s.Sites, len(s.Energy))
	}
	n := len(s.Energy[0])
	for _, part := range []struct {
		name   string
		values [][]float64
	}{{"energy", s.Energy}, {"magnetisation", s.Magnetisation}, {"S(0)", s.Zero}, {"S(k)", s.First}} {
		if part.values != nil && len(part.values) != len(s.Energy) {
			return 0, fmt.Errorf("lattice: the %s has %d chains and the energy %d", part.name, len(part.values), len(s.Energy))
		}
		for c, chain := range part.values {
			if len(chain) != n {
				return 0, fmt.Errorf("lattice: chain %d has %d measurements of the %s; chain 0 has %d of the energy", c, len(chain), part.name, n)
			}
			for t, v := range chain {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					return 0, fmt.Errorf("lattice: chain %d, measurement %d: the %s is %v", c, t, part.name, v)
				}
			}
		}
	}
	return n, nil
}

// measured tells whether there is what the quantity takes.
func (s *Series) measured(q Quantity) bool {
	switch q {
	case Energy, SpecificHeat:
		return true
	case CorrelationLength:
		return s.Zero != nil && s.First != nil && s.Wave > 0
	}
	return s.Magnetisation != nil
}

// system is the series' own, with energies less their mean.
func (s *Series) system() system {
	sum, n := 0.0, 0
	for _, chain := range s.Energy {
		for _, e := range chain {
			sum += e
		}
		n += len(chain)
	}
	return system{s.Beta, float64(s.Sites), sum / float64(max(n, 1)), s.Wave}
}

// at is the share of measurement t of chain c in the moments.
func (s *Series) at(of *system, c, t int) moments {
	m, zero, first := 0.0, 0.0, 0.0
	if s.Magnetisation != nil {
		m = s.Magnetisation[c][t]
	}
	if s.Zero != nil && s.First != nil {
		zero, first = s.Zero[c][t], s.First[c][t]
	}
	return of.measurement(s.Energy[c][t], m, zero, first)
}

// signChanges is how often numbers pass from one sign to the other.
func signChanges(chains [][]float64) int {
	changes := 0
	for _, chain := range chains {
		last := 0.0
		for _, m := range chain {
			if m*last < 0 {
				changes++
			}
			if m != 0 {
				last = m
			}
		}
	}
	return changes
}

// expansion is the series expanded to first order about its mean moments.
type expansion struct {
	*Series
	of     system
	n      int
	mean   moments
	y      [][]float64 // chains × measurements of the linearised quantity at hand
	blocks []float64
}

func newExpansion(s *Series, n int) *expansion {
	x := &expansion{Series: s, of: s.system(), n: n, blocks: make([]float64, len(s.Energy)*n)}
	flat := make([]float64, len(s.Energy)*n)
	for c := range s.Energy {
		x.y = append(x.y, flat[c*n:(c+1)*n:(c+1)*n])
		for t := range n {
			x.mean.add(s.at(&x.of, c, t), 1)
		}
	}
	x.mean.divide(float64(len(s.Energy) * n))
	return x
}

// linearise fills y with each measurement's share in the fluctuation of a quantity, and returns the least and the greatest.
func (x *expansion) linearise(slope moments) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for c, part := range x.y {
		for t := range part {
			m := x.at(&x.of, c, t)
			y := 0.0
			for k, d := range slope {
				if d != 0 {
					y += float64(d * (m[k] - x.mean[k]))
				}
			}
			part[t] = y
			lo, hi = min(lo, y), max(hi, y)
		}
	}
	return lo, hi
}

// abs fills y with the magnitudes of the magnetisation.
func (x *expansion) abs() [][]float64 {
	for c, part := range x.y {
		for t := range part {
			part[t] = math.Abs(x.Magnetisation[c][t])
		}
	}
	return x.y
}

func (x *expansion) estimate(q Quantity) Estimate {
	e := Estimate{Value: x.of.value(q, &x.mean), Binning: math.NaN(), Autocorrelation: math.NaN(), Tau: math.NaN()}
	if math.IsNaN(e.Value) || math.IsInf(e.Value, 0) {
		e.Value = math.NaN()
		return e
	}
	lo, hi := x.linearise(x.of.slope(q, &x.mean))
	switch {
	case x.n < 2:
		return e
	case hi-lo <= 1e-12*max(1, math.Abs(e.Value)): // rounding
		e.Binning, e.Autocorrelation, e.Plateau = 0, 0, true
		e.BlockSize, e.Blocks = 1, x.n*len(x.y)
		return e
	}
	total := float64(x.n * len(x.y))
	tau := total / diag.ESSMean(x.y)
	e.Autocorrelation, e.Tau = x.blocked(1).se*math.Sqrt(tau), tau*float64(max(x.Every, 1))
	b := x.plateau()
	e.BlockSize, e.Blocks, e.Plateau = b.size, b.count, b.plateau
	if b.count > 1 {
		e.Binning = x.jackknife(q, b.size)
	}
	return e
}

func (a *moments) add(b moments, times float64) {
	for k, v := range b {
		a[k] += float64(v * times)
	}
}

func (a *moments) divide(by float64) {
	for k := range a {
		a[k] /= by
	}
}

// Mean is the mean of one number over chains × measurements, as of G at a distance, with its errors.
func Mean(chains [][]float64, every int) (Estimate, error) {
	s := &Series{Sites: 1, Every: every, Energy: chains}
	n, err := s.check()
	if err != nil {
		return Estimate{}, err
	}
	if n == 0 {
		return Estimate{Value: math.NaN(), Binning: math.NaN(), Autocorrelation: math.NaN(), Tau: math.NaN()}, nil
	}
	return newExpansion(s, n).estimate(Energy), nil
}
