package rbm

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/path"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// JointLogZ estimates log Z of several machines, with visible layers of the
// same size, by one run of SAMS or SAMC over the temperatures of all. Chains
// pass from one machine's path to another's at their common base. Where the
// smaller layer of the first machine has at most 24 units, its log Z is exact
// and the others are relative to it; otherwise all are relative to the base.
func JointLogZ(ctx context.Context, machines []*Model, set LogZSettings) ([]*Estimate, error) {
	if set.Method != SAMS && set.Method != SAMC {
		return nil, fmt.Errorf("%s is not for several machines at once; %s and %s are", set.Method, SAMS, SAMC)
	}
	if len(machines) == 0 {
		return nil, errors.New("no machines to compare; give two or more")
	}
	families, err := sharedBase(ctx, machines, set)
	if err != nil {
		return nil, err
	}
	w := pathSettings{LogZSettings: set, method: set.Method, family: families[0]}
	s, err := w.schedule(ctx)
	if err != nil {
		return nil, err
	}
	var members []path.Family[*sharedState]
	for k := range families {
		members = append(members, jointFamily{families[k], families, k, annealLogZ(families[k], s, set.Seed, k)})
	}
	labels, err := path.Models(members, s)
	if err != nil {
		return nil, err
	}
	a, err := runSelfAdjusted(ctx, &w, labels)
	if a == nil {
		return nil, err
	}
	known, failure := exactFirst(ctx, machines[0], set)
	if failure != nil {
		return nil, failure
	}
	var all []*Estimate
	rough := func(k int) float64 { return members[k].(jointFamily).roughLogZ.at(1) }
	for k := range families {
		top := (k+1)*len(s) - 1
		switch {
		case known == nil:
			all = append(all, w.estimate(shifted(a.Relative(top, 0), rough(k))))
		case k == 0:
			all = append(all, known)
		default:
			all = append(all, w.estimate(shifted(a.Relative(top, len(s)-1), known.LogZ-rough(0)+rough(k))))
		}
	}
	return all, err
}

// shifted adds a constant to an estimate.
func shifted(r *path.Result, by float64) *path.Result {
	r.LogZ += by
	r.CI95[0] += by
	r.CI95[1] += by
	for i := range r.Trace {
		r.Trace[i].LogZ += by
	}
	return r
}

// exactFirst is the exact log Z of the machine that others are relative to;
// nil where it would take long.
func exactFirst(ctx context.Context, m *Model, set LogZSettings) (*Estimate, error) {
	if !m.Summable() {
		return nil, nil
	}
	set.Progress = nil
	return m.estimateExact(context.WithoutCancel(ctx), set)
}

// sharedBase returns the paths of several machines from one base: the given
// one, or that with the first machine's marginals.
func sharedBase(ctx context.Context, machines []*Model, set LogZSettings) ([]*Family, error) {
	var all []*Family
	for k, m := range machines {
		if err := m.Check(); err != nil {
			return nil, fmt.Errorf("machine %d: %w", k+1, err)
		}
		if m.Visible != machines[0].Visible {
			return nil, fmt.Errorf("machine %d has %d visible units and the first %d: chains cannot pass between them", k+1, m.Visible, machines[0].Visible)
		}
		if set.Base == nil {
			biases, err := m.MarginalBiases(ctx, set.Seed)
			if err != nil {
				return nil, err
			}
			set.Base = biases
		}
		f, err := m.family(ctx, set)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

// sharedState is one visible layer as the particles of several families: the
// particle that moved last holds it, and the others are updated on demand.
type sharedState struct {
	particles []*Particle
	last      int
	current   []bool
}

// jointFamily is one of the families over a shared visible layer. Its density is
// that of the family divided by a rough estimate of Z, so that all labels are
// about equally likely from the start.
type jointFamily struct {
	*Family
	all       []*Family
	k         int
	roughLogZ roughLogZ
}

// roughLogZ is a rough log Z along a path: linear between the temperatures of a ladder.
type roughLogZ struct {
	ladder path.Schedule
	logZ   []float64
}

func (l roughLogZ) at(beta float64) float64 {
	k, exact := slices.BinarySearch(l.ladder, beta)
	if exact {
		return l.logZ[k]
	}
	t := (beta - l.ladder[k-1]) / (l.ladder[k] - l.ladder[k-1])
	return l.logZ[k-1] + float64(t*(l.logZ[k]-l.logZ[k-1]))
}

// How many particles are annealed for the rough log Z, and moves at each temperature.
const (
	roughParticles = 10
	roughMoves     = 10
)

// annealLogZ estimates log Z roughly from annealed particles. Densities may be
// divided by any constants without changing the estimates, but SAMS and SAMC
// take long to converge from constants that are far off.
func annealLogZ(f *Family, ladder path.Schedule, seed uint64, k int) roughLogZ {
	l := roughLogZ{ladder, make([]float64, len(ladder))}
	r := rng.New(seed, "rbm climb", uint64(k))
	p := f.New()
	for range roughParticles {
		f.Base(p, r.Rand)
		sum := 0.0
		for i := 1; i < len(ladder); i++ {
			sum += f.LogRatio(p, ladder[i-1], ladder[i])
			l.logZ[i] += sum / roughParticles
			for range roughMoves {
				f.Move(p, ladder[i], r.Rand)
			}
		}
	}
	for i := range l.logZ {
		l.logZ[i] += f.logZBase
	}
	return l
}

// New returns a state that Base or Copy has to fill.
func (m jointFamily) New() *sharedState {
	s := &sharedState{current: make([]bool, len(m.all))}
	for _, f := range m.all {
		s.particles = append(s.particles, f.New())
	}
	return s
}

// Copy sets dst to the visible layer of src; dst keeps its generators.
func (m jointFamily) Copy(dst, src *sharedState) {
	m.all[src.last].Copy(dst.particles[src.last], src.particles[src.last])
	dst.moved(src.last)
}

// moved records that the particle of family k holds the visible layer.
func (s *sharedState) moved(k int) {
	clear(s.current)
	s.last, s.current[k] = k, true
}

// particle is the particle of this family, updated to the visible layer.
func (m jointFamily) particle(s *sharedState) *Particle {
	p := s.particles[m.k]
	if !s.current[m.k] {
		p.on = append(p.on[:0], s.particles[s.last].on...)
		m.updateInput(p)
		s.current[m.k] = true
	}
	return p
}

// Base draws the visible layer and seeds the generators of all particles.
func (m jointFamily) Base(s *sharedState, r *rand.Rand) {
	for k, f := range m.all {
		f.Base(s.particles[k], r)
	}
	m.Family.Base(s.particles[m.k], r)
	s.moved(m.k)
}

// LogZBase is 0.
func (m jointFamily) LogZBase() float64 { return 0 }

// LogDensity is that of the family, less the rough log Z.
func (m jointFamily) LogDensity(s *sharedState, beta float64) float64 {
	return m.Family.LogDensity(m.particle(s), beta) - m.roughLogZ.at(beta)
}

// Move is that of the family.
func (m jointFamily) Move(s *sharedState, beta float64, r *rand.Rand) {
	m.Family.Move(m.particle(s), beta, r)
	s.moved(m.k)
}
