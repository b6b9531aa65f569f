package mh

import (
	"fmt"
	"math"
	"sync"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Watched is a target that records where its log density is NaN or +Inf. Kernels take such a point
// to have zero density, so that without the record a mistake in the target would go unseen. Chains may
// share it.
type Watched[X any] struct {
	of mcmc.Density[X]

	mu       sync.Mutex
	nan, inf int
	where    string // the first of them
	what     float64
}

// Watch returns the target with a record of its bad values.
func Watch[X any](of mcmc.Density[X]) *Watched[X] { return &Watched[X]{of: of} }

// LogDensity is that of the target.
func (w *Watched[X]) LogDensity(x X) float64 {
	f := w.of.LogDensity(x)
	if broken(f) {
		w.note(x, f)
	}
	return f
}

func (w *Watched[X]) note(x X, f float64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.nan+w.inf == 0 {
		w.where, w.what = fmt.Sprint(x), f
	}
	if math.IsNaN(f) {
		w.nan++
	} else {
		w.inf++
	}
}

// Err says how often the log density was not a number, and where first; nil if never. With
// several threads the first point may differ from run to run.
func (w *Watched[X]) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.nan+w.inf == 0 {
		return nil
	}
	return fmt.Errorf("mh: the log density was NaN at %d points and +Inf at %d, first %v at %s; "+
		"they were taken to have zero density: return −Inf outside the support, and see that nothing overflows", w.nan, w.inf, w.what, w.where)
}
