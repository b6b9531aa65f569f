package mcmc

import (
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/tunings"
)

// parts are the kernels a composed kernel is made of; tuning passes through it.
type parts[S any] []Kernel[S]

func (p parts[S]) adapt(i int, s S, r *rand.Rand, w Warmup) Info {
	if a, ok := p[i].(Adapter[S]); ok {
		return a.Adapt(s, r, w)
	}
	return p[i].Step(s, r)
}

// fitsLength asks every part: see the function of this name.
func (p parts[S]) fitsLength(dim int) error {
	for _, k := range p {
		if err := fitsLength(k, dim); err != nil {
			return err
		}
	}
	return nil
}

// Freeze freezes every part that adapts.
func (p parts[S]) Freeze() {
	for _, k := range p {
		if a, ok := k.(Adapter[S]); ok {
			a.Freeze()
		}
	}
}

// Statistic is that of the first part that knows it.
func (p parts[S]) Statistic(name string) (value float64, ok bool) {
	for _, k := range p {
		if t, tells := k.(Teller); tells {
			if value, ok = t.Statistic(name); ok {
				return value, true
			}
		}
	}
	return 0, false
}

// MarshalBinary writes the tuning of each part.
func (p parts[S]) MarshalBinary() ([]byte, error) { return tunings.MarshalAll(p) }

// UnmarshalBinary gives each part the tuning that MarshalBinary wrote for it.
func (p parts[S]) UnmarshalBinary(b []byte) error { return tunings.UnmarshalAll(b, p) }
