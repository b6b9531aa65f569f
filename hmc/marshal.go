package hmc

import (
	"fmt"

	"github.com/ergodic-mcmc/ergodic/internal/gobs"
	"github.com/ergodic-mcmc/ergodic/internal/tunings"
)

// MarshalBinary writes what the kernel has learnt.
func (k *sampler) MarshalBinary() ([]byte, error) { return gobs.Marshal(&k.tuning) }

// UnmarshalBinary reads what MarshalBinary wrote.
func (k *sampler) UnmarshalBinary(b []byte) error {
	var t tuning
	if err := gobs.Unmarshal(b, &t); err != nil {
		return fmt.Errorf("hmc: %w", tunings.ErrOther)
	}
	return k.take(t)
}

// take goes on with what a kernel has learnt.
func (k *sampler) take(t tuning) error {
	if !t.fits(k.dim) {
		return fmt.Errorf("hmc: the tuning is for vectors of another length than %d: %w", k.dim, tunings.ErrOther)
	}
	t.Scaling.work = make([]float64, k.dim)
	k.tuning, k.eps, k.known = t, t.Eps, false
	k.metric = t.Scaling.metric()
	return nil
}

// fits tells whether all parts are for vectors of this length.
func (t *tuning) fits(dim int) bool {
	s, w := &t.Scaling, &t.Window
	ok := len(s.Scale) == dim && (len(s.Lower) == 0 || len(s.Lower) == dim*dim) && len(s.Vectors) == dim*len(s.Stretch) &&
		w.X.fits(dim) && w.G.fits(dim) && w.X.N == w.G.N && (len(w.Cross) == 0 || len(w.Cross) == dim*dim)
	for _, m := range []*moments{&w.Moments, &t.Recent, &t.Newer} {
		for _, v := range [][]float64{m.MeanX, m.SumX, m.MeanG, m.SumG} {
			ok = ok && (len(v) == dim || len(v) == 0 && m.N == 0)
		}
	}
	return ok && t.Eps > 0
}

func (p *scatter) fits(dim int) bool {
	if len(p.Cross) == 0 {
		return p.N == 0 && len(p.Rows) == 0
	}
	return len(p.Cross) == dim*dim && len(p.Sum) == dim && len(p.Origin) == dim && len(p.Rows)%dim == 0 && len(p.Rows) < lowRankRows*dim
}
