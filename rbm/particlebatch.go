package rbm

import (
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/f32"
	"github.com/ergodic-mcmc/ergodic/path"
)

var _ path.Grouped[*Particle] = (*Family)(nil)

// groupSize is the number of particles of a batch. The weights of both directions pass through the caches once for a batch.
const groupSize = 64

// bothWays is the weights of both directions in panels, for sums over a batch of particles.
type bothWays struct{ down, up *f32.Panels }

func (f *Family) panels(m *Model) *bothWays {
	if min(m.Visible, m.Hidden) <= f32.Narrow { // the sums of one particle are as quick
		return nil
	}
	return &bothWays{
		down: f32.NewPanels(f.down, f32.Stride(m.Hidden), m.Visible, m.Hidden),
		up:   f32.NewPanels(f.up, f32.Stride(m.Visible), m.Hidden, m.Visible),
	}
}

// GroupSize is 64, and 1 for machines with a layer of few units.
func (f *Family) GroupSize() int {
	if f.many == nil {
		return 1
	}
	return groupSize
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
		n := min(groupSize, len(ps))
		f.moveGroup(ps[:n], beta)
		ps = ps[n:]
	}
}

func (f *Family) moveGroup(ps []*Particle, beta float64) {
	var sums [groupSize][]float32
	var lists [groupSize][]int32
	work := &ps[0].work
	for i, p := range ps {
		p.drawHidden(beta)
		sums[i], lists[i] = p.above, p.hidden
	}
	f.many.up.SumRows(sums[:len(ps)], nil, lists[:len(ps)], work)
	line := f.line(ps[0], beta)
	for i, p := range ps {
		p.drawVisible(beta, line)
		sums[i], lists[i] = p.input, p.on
	}
	f.many.down.SumRows(sums[:len(ps)], f.a, lists[:len(ps)], work)
}
