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

// Together finds log Z of several machines that have visible layers of the
// same size by one run of SAMS or SAMC, whose chains walk over the temperatures
// of all, and pass from one machine's path to another's where they meet, at
// the one base that all have. Estimates after the first are relative to the
// first machine, whose log Z is exact where its smaller layer has at most 24
// units; otherwise all are relative to the base.
func Together(ctx context.Context, machines []*Model, set LogZSettings) ([]*Estimate, error) {
	if set.Method != SAMS && set.Method != SAMC {
		return nil, fmt.Errorf("%s is not for several machines at once; %s and %s are", set.Method, SAMS, SAMC)
	}
	if len(machines) == 0 {
		return nil, errors.New("no machines to compare; give two or more")
	}
	families, err := around(ctx, machines, set)
	if err != nil {
		return nil, err
	}
	w := walkSettings{LogZSettings: set, method: set.Method, family: families[0]}
	s, err := w.schedule(ctx)
	if err != nil {
		return nil, err
	}
	var members []path.Family[*common]
	for k := range families {
		members = append(members, member{families[k], families, k, climb(families[k], s, set.Seed, k)})
	}
	labels, err := path.Models(members, s)
	if err != nil {
		return nil, err
	}
	a, err := adjust(ctx, &w, labels)
	if a == nil {
		return nil, err
	}
	known, failure := knownFirst(ctx, machines[0], set)
	if failure != nil {
		return nil, failure
	}
	var all []*Estimate
	level := func(k int) float64 { return members[k].(member).level.at(1) }
	for k := range families {
		top := (k+1)*len(s) - 1
		switch {
		case known == nil:
			all = append(all, w.estimate(raised(a.Relative(top, 0), level(k))))
		case k == 0:
			all = append(all, known)
		default:
			all = append(all, w.estimate(raised(a.Relative(top, len(s)-1), known.LogZ-level(0)+level(k))))
		}
	}
	return all, err
}

// raised adds to an estimate what is known.
func raised(r *path.Result, by float64) *path.Result {
	r.LogZ += by
	r.CI95[0] += by
	r.CI95[1] += by
	for i := range r.Trace {
		r.Trace[i].LogZ += by
	}
	return r
}

// knownFirst is the exact log Z of the machine that others are relative to;
// nil where it would take long.
func knownFirst(ctx context.Context, m *Model, set LogZSettings) (*Estimate, error) {
	if !m.Summable() {
		return nil, nil
	}
	set.Progress = nil
	return m.estimateExact(context.WithoutCancel(ctx), set)
}

// around are the paths of several machines from one base: that which is given
// or that of the first machine's own rates.
func around(ctx context.Context, machines []*Model, set LogZSettings) ([]*Family, error) {
	var all []*Family
	for k, m := range machines {
		if err := m.Check(); err != nil {
			return nil, fmt.Errorf("machine %d: %w", k+1, err)
		}
		if m.Visible != machines[0].Visible {
			return nil, fmt.Errorf("machine %d has %d visible units and the first %d: chains cannot pass between them", k+1, m.Visible, machines[0].Visible)
		}
		if set.Base == nil {
			own, err := m.OwnRates(ctx, set.Seed)
			if err != nil {
				return nil, err
			}
			set.Base = own
		}
		f, err := m.family(ctx, set)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

// common is one visible layer as the particles of several families: the one
// that moved last has it, and others take it over when they are asked.
type common struct {
	particles []*Particle
	last      int
	fresh     []bool
}

// member is one of the families over a shared visible layer. Its density is that
// of the family over what climb says of Z, so that all labels are about as
// likely from the beginning.
type member struct {
	*Family
	all   []*Family
	k     int
	level level
}

// level is log Z along a path, roughly: linear between the temperatures of a ladder.
type level struct {
	ladder path.Schedule
	logZ   []float64
}

func (l level) at(beta float64) float64 {
	k, exact := slices.BinarySearch(l.ladder, beta)
	if exact {
		return l.logZ[k]
	}
	t := (beta - l.ladder[k-1]) / (l.ladder[k] - l.ladder[k-1])
	return l.logZ[k-1] + float64(t*(l.logZ[k]-l.logZ[k-1]))
}

// How particles climb a ladder to say what its levels are.
const (
	climbParticles = 10
	climbMoves     = 10
)

// climb measures the levels by annealed particles. A density may be divided by any
// number, and none of what is found depends on these, but chains that begin far
// from the truth take long to learn it.
func climb(f *Family, ladder path.Schedule, seed uint64, k int) level {
	l := level{ladder, make([]float64, len(ladder))}
	r := rng.New(seed, "rbm climb", uint64(k))
	p := f.New()
	for range climbParticles {
		f.Base(p, r.Rand)
		sum := 0.0
		for i := 1; i < len(ladder); i++ {
			sum += f.LogRatio(p, ladder[i-1], ladder[i])
			l.logZ[i] += sum / climbParticles
			for range climbMoves {
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
func (m member) New() *common {
	s := &common{fresh: make([]bool, len(m.all))}
	for _, f := range m.all {
		s.particles = append(s.particles, f.New())
	}
	return s
}

// Copy makes dst the visible layer of src, with the generators it has.
func (m member) Copy(dst, src *common) {
	m.all[src.last].Copy(dst.particles[src.last], src.particles[src.last])
	dst.moved(src.last)
}

// moved says that the particle of family k has the visible layer.
func (s *common) moved(k int) {
	clear(s.fresh)
	s.last, s.fresh[k] = k, true
}

// own is the particle of this family, with the visible layer.
func (m member) own(s *common) *Particle {
	p := s.particles[m.k]
	if !s.fresh[m.k] {
		p.on = append(p.on[:0], s.particles[s.last].on...)
		m.follow(p)
		s.fresh[m.k] = true
	}
	return p
}

// Base draws the visible layer and seeds the generators of all particles.
func (m member) Base(s *common, r *rand.Rand) {
	for k, f := range m.all {
		f.Base(s.particles[k], r)
	}
	m.Family.Base(s.particles[m.k], r)
	s.moved(m.k)
}

// LogZBase is 0.
func (m member) LogZBase() float64 { return 0 }

// LogDensity is that of the family, less the level.
func (m member) LogDensity(s *common, beta float64) float64 {
	return m.Family.LogDensity(m.own(s), beta) - m.level.at(beta)
}

// LogDensities is LogDensity at several β.
func (m member) LogDensities(dst []float64, s *common, betas []float64) {
	m.Family.LogDensities(dst, m.own(s), betas)
	for k := range dst {
		dst[k] -= m.level.at(betas[k])
	}
}

// Move is that of the family.
func (m member) Move(s *common, beta float64, r *rand.Rand) {
	m.Family.Move(m.own(s), beta, r)
	s.moved(m.k)
}
