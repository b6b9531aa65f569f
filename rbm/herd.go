package rbm

import (
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/f32"
	"github.com/ergodic-mcmc/ergodic/path"
)

var _ path.Herd[*Particle] = (*Family)(nil)

// herd is how many particles a large machine moves together. The weights of both directions then pass through the
// caches once for all of them.
const herd = 64

// largeWeights is the number of weights from which both directions together, in float32, overflow a cache of 1 to 2 MB
// a core.
const largeWeights = 1 << 17

// bothWays is the weights as sums for many particles want them.
type bothWays struct{ down, up *f32.Panels }

func (f *Family) panels(m *Model) *bothWays {
	if m.Visible*m.Hidden < largeWeights {
		return nil
	}
	return &bothWays{
		down: f32.NewPanels(f.down, f32.Stride(m.Hidden), m.Visible, m.Hidden),
		up:   f32.NewPanels(f.up, f32.Stride(m.Visible), m.Hidden, m.Visible),
	}
}

// Together is 64 for machines whose weights do not stay in the cache, and 1 for others.
func (f *Family) Together() int {
	if f.many == nil {
		return 1
	}
	return herd
}

// MoveAll moves each particle as Move does.
func (f *Family) MoveAll(ps []*Particle, beta float64, rs []*rand.Rand) {
	if f.many == nil || len(ps) == 1 {
		for i, p := range ps {
			f.Move(p, beta, rs[i])
		}
		return
	}
	for len(ps) > 0 {
		n := min(herd, len(ps))
		f.moveHerd(ps[:n], beta)
		ps = ps[n:]
	}
}

func (f *Family) moveHerd(ps []*Particle, beta float64) {
	var sums [herd][]float32
	var lists [herd][]int32
	for i, p := range ps {
		sums[i], lists[i] = p.above, p.hidden[:f.drawHidden(p, beta)]
		clear(p.above)
	}
	f.many.up.AddRows(sums[:len(ps)], lists[:len(ps)])
	for i, p := range ps {
		f.drawVisible(p, beta)
		sums[i], lists[i] = p.input, p.on
		copy(p.input, f.a)
	}
	f.many.down.AddRows(sums[:len(ps)], lists[:len(ps)])
}
