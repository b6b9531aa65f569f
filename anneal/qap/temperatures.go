package qap

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/rng"
)

// The pilot of Temperatures: levels a factor of √2 apart, from twice the mean change of the energy by an exchange.
const (
	pilotLevels = 22
	pilotSweeps = 1000
	pilotWork   = 4e8 // entries of matrices that differences may read
)

// Temperatures are found by a short annealing, always the same for a problem: from where a fifth of the mean energy at infinite temperature, counted
// from the best found, is left, to where three hundredths are, counted from where it ends. Above, states are too disordered to gain by more sweeps;
// below, they are frozen. Connolly (1990) stays at one temperature between.
func (p *Problem) Temperatures() (hot, cold float64) {
	if p.wide != nil {
		return pilot(newWalker[int64, int64](p, p.wide))
	}
	return pilot(newWalker[int16, int32](p, p.narrow))
}

func pilot[T entry, S sum](w *walker[T, S]) (hot, cold float64) {
	n := float64(w.p.n)
	r := rng.New(0, "qap temperatures").Rand
	w.Start(r)
	typical := w.typical(r)
	if typical == 0 { // all assignments are worth the same
		return 1, 1
	}
	sweeps := int(min(pilotSweeps, max(4, pilotWork/(pilotLevels*n*n))))
	var temperature, mean [pilotLevels]float64
	infinite := w.mean(math.Inf(1), sweeps, r)
	for k, t := 0, 2*typical; k < pilotLevels; k, t = k+1, t*(math.Sqrt2/2) {
		temperature[k], mean[k] = t, w.mean(t, sweeps, r)
	}
	first, best, end := 0, float64(w.best), mean[pilotLevels-1]
	for first < pilotLevels-2 && mean[first]-best > 0.2*(infinite-best) {
		first++
	}
	last := first + 1
	for last < pilotLevels-1 && mean[last]-end > 0.03*(infinite-end) {
		last++
	}
	return temperature[first], temperature[last]
}

// typical is the mean absolute change of the energy by an exchange, in states drawn at random; 0 is that of all that were tried.
func (w *walker[T, S]) typical(r *rand.Rand) float64 {
	sum := 0.0
	for range 20 {
		w.Start(r)
		for range 50 {
			if i, j := r.IntN(w.p.n), r.IntN(w.p.n); i != j {
				sum += math.Abs(float64(w.delta(i, j)))
			}
		}
	}
	return sum / 1000
}

// mean is that of the energy over some sweeps.
func (w *walker[T, S]) mean(temperature float64, sweeps int, r *rand.Rand) float64 {
	sum := 0.0
	for range sweeps {
		w.Sweep(temperature, r)
		sum += float64(w.energy)
	}
	return sum / float64(sweeps)
}
