package lattice

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/draws"
)

// distant measures how sites of a system are correlated.
type distant struct {
	lags  *Correlation
	waves *Waves // nil: the boundaries have none
	spins []uint8
	to    []float64
}

func (s *Simulation) prepareDistant(chains int) error {
	s.distant = nil
	if !s.Correlation {
		return nil
	}
	for range chains {
		var all []distant
		for _, y := range s.Systems {
			g := y.Geometry
			if y.Packed != nil {
				g = &y.Packed.Geometry
			}
			if g == nil {
				return errors.New("lattice: correlations are measured along the axes of a lattice, and a graph has none")
			}
			q := 2
			if y.Model != nil {
				q = y.Model.States()
			}
			c, err := NewCorrelation(*g, q)
			if err != nil {
				return err
			}
			w, err := NewWaves(*g, q)
			if err != nil {
				w = nil
			}
			all = append(all, distant{lags: c, waves: w, to: make([]float64, len(c.Lags))})
		}
		s.distant = append(s.distant, all)
	}
	return nil
}

// Lags are the distances at which correlations of a system are recorded.
func (s *Simulation) Lags(system int) []int {
	if !s.Correlation {
		return nil
	}
	return s.distant[0][system].lags.Lags
}

// Wave is the number that [Series] takes for a system's structure factors; 0 where there are none.
func (s *Simulation) Wave(system int) float64 {
	if !s.Correlation || s.distant[0][system].waves == nil {
		return 0
	}
	return s.distant[0][system].waves.Number
}

// mostLags is the number of distances of the system that has most.
func (s *Simulation) mostLags() int {
	most := 0
	for k := range s.Systems {
		most = max(most, len(s.Lags(k)))
	}
	return most
}

// distantVariables are structure factors at k = 0 and the smallest others, and correlations.
func (s *Simulation) distantVariables(dims []int) []draws.Variable {
	if !s.Correlation {
		return nil
	}
	lags, points := s.mostLags(), len(s.Betas)*len(s.Systems)
	one := draws.Variable{Name: "structure_zero", Dims: dims}
	many := draws.Variable{Name: "correlation", Dims: append([]int{lags}, dims...)}
	for at := range points {
		system := at / len(s.Betas)
		if s.Wave(system) == 0 {
			one.Absent = append(one.Absent, at)
		}
		for k := len(s.Lags(system)); k < lags; k++ {
			many.Absent = append(many.Absent, at*lags+k)
		}
	}
	if len(one.Absent) == points {
		return []draws.Variable{many}
	}
	other := one
	other.Name, other.Absent = "structure_first", slices.Clone(one.Absent)
	return []draws.Variable{one, other, many}
}

// recordDistant measures the structure factors and correlations of the replicas.
func (s *Simulation) recordDistant(x *Replicas, dst []float64) {
	chain := slices.Index(s.last, x)
	if chain < 0 {
		panic(fmt.Sprintf("lattice: a state that is none of the %d chains' was to be recorded", len(s.last)))
	}
	points := len(s.Betas) * len(s.Systems)
	rest := dst[2*points:]
	if s.clusters {
		rest = rest[points:]
	}
	lags, waves := s.mostLags(), len(rest) > s.mostLags()*points
	for k, l := range x.Ladders {
		d := &s.distant[chain][k]
		for i, replica := range l.Replicas {
			at := k*len(s.Betas) + i
			d.spins = s.Systems[k].Spins(d.spins, replica)
			into := rest
			if waves {
				rest[at], rest[points+at] = math.NaN(), math.NaN()
				if d.waves != nil {
					rest[at], rest[points+at] = d.waves.Measure(d.spins)
				}
				into = rest[2*points:]
			}
			d.lags.Measure(d.to, d.spins)
			for r := range lags {
				if into[at*lags+r] = math.NaN(); r < len(d.to) {
					into[at*lags+r] = d.to[r]
				}
			}
		}
	}
}
