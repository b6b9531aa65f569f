package lattice

import (
	"errors"
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// DensityOfStates is the number of states g(E) of each energy, as the walkers of [WangLandau] estimate it, normalised so that all levels have q^N states.
type DensityOfStates struct {
	Sites    int
	Energies []float64   // of the levels that a walker has come to, by rising number of bonds between equal spins
	LogG     [][]float64 // ln g by walker; −Inf where a walker has not come to a level
	// Crossings are how often each walker went from the lowest level to the highest or back since the factor has followed 1/t. Where they are few, what their start has left
	// in the estimates is not small beside the differences between walkers.
	Crossings []int
}

// Between is the mean over walkers, and the standard error of it that their differences give.
type Between struct{ Mean, SE float64 }

// Thermodynamics are those of the whole system at an inverse temperature.
type Thermodynamics struct {
	LogZ         Between
	Energy       Between
	SpecificHeat Between // β²(⟨E²⟩ − ⟨E⟩²)
	FreeEnergy   Between // −ln Z/β; −Inf at β = 0
	Entropy      Between // ln Z + β⟨E⟩
}

// Result is what the walkers have estimated so far.
func (w *WangLandau) Result() (*DensityOfStates, error) {
	if w.walkers == nil {
		return nil, errors.New("lattice: Wang–Landau sampling has not begun")
	}
	m := w.Model
	coupling, _ := m.Graph.Uniform()
	d := &DensityOfStates{Sites: m.Graph.Sites(), LogG: make([][]float64, len(w.walkers)), Crossings: make([]int, len(w.walkers))}
	for i, x := range w.walkers {
		if x.Late {
			d.Crossings[i] = int(x.Crossings)
		}
	}
	for k := range m.Graph.Bonds() + 1 {
		found := false
		for _, x := range w.walkers {
			found = found || !math.IsInf(x.LogG[k], -1)
		}
		if !found {
			continue
		}
		d.Energies = append(d.Energies, -float64(coupling*float64(m.bondSum(k))))
		for i, x := range w.walkers {
			d.LogG[i] = append(d.LogG[i], x.LogG[k])
		}
	}
	states := float64(float64(d.Sites) * vec.Log(float64(m.States())))
	for _, g := range d.LogG {
		shift := states - logSum(g)
		for k := range g {
			g[k] += shift
		}
	}
	return d, nil
}

// logSum is ln Σ exp(x).
func logSum(x []float64) float64 {
	top := math.Inf(-1)
	for _, v := range x {
		top = max(top, v)
	}
	sum := 0.0
	for _, v := range x {
		sum += vec.Exp(v - top)
	}
	return top + vec.Log(sum)
}

// Level is ln g of the k-th energy. The error is +Inf where a walker has not come to it.
func (d *DensityOfStates) Level(k int) Between {
	values := make([]float64, len(d.LogG))
	for i, g := range d.LogG {
		if values[i] = g[k]; math.IsInf(g[k], -1) {
			return Between{math.Inf(-1), math.Inf(1)}
		}
	}
	return between(values)
}

// At is the thermodynamics at a finite inverse temperature.
func (d *DensityOfStates) At(beta float64) Thermodynamics {
	n := len(d.LogG)
	logZ, energy, heat, free, entropy := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	x := make([]float64, len(d.Energies))
	for i, g := range d.LogG {
		for k, e := range d.Energies {
			x[k] = g[k] - float64(beta*e)
		}
		logZ[i] = logSum(x)
		mean := 0.0
		for k, e := range d.Energies {
			mean += float64(vec.Exp(x[k]-logZ[i]) * e)
		}
		variance := 0.0
		for k, e := range d.Energies {
			variance += float64(vec.Exp(x[k]-logZ[i]) * (e - mean) * (e - mean))
		}
		energy[i], heat[i], free[i], entropy[i] = mean, beta*beta*variance, -logZ[i]/beta, logZ[i]+float64(beta*mean)
	}
	t := Thermodynamics{between(logZ), between(energy), between(heat), between(free), between(entropy)}
	if beta == 0 {
		t.FreeEnergy = Between{math.Inf(-1), 0}
	}
	return t
}

func between(x []float64) Between {
	n := float64(len(x))
	mean := 0.0
	for _, v := range x {
		mean += v / n
	}
	squares := 0.0
	for _, v := range x {
		squares += float64((v - mean) * (v - mean))
	}
	return Between{mean, math.Sqrt(squares / (n - 1) / n)}
}
