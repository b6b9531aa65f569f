package mrf

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/gibbs"
	"github.com/ergodic-mcmc/ergodic/path"
)

// LogZ estimates the natural logarithm of Z by annealed importance sampling (Neal, 2001) along a [Path], with a schedule fitted to it:
// [path.Auto]. Moves draw each variable by itself and then one block. Where the path is exact, so is the result.
func LogZ(ctx context.Context, m *Model, p PathSettings, set path.AutoSettings) (*path.Result, error) {
	f, err := NewField(m, FieldSettings{Table: -1})
	if err != nil {
		return nil, err
	}
	along, err := NewPath(f, p)
	if err != nil {
		return nil, err
	}
	if along.Exact() {
		z := along.LogZBase()
		return &path.Result{Method: "exact", LogZ: z, CI95: [2]float64{z, z}}, nil
	}
	res, err := path.Auto[*Annealed](ctx, along.Annealed(), set)
	if err != nil {
		if res == nil {
			return nil, err
		}
		return res.Result, err
	}
	return res.Result, along.checkFromMode(ctx, res, set.Settings)
}

const (
	modeRuns    = 8
	modeMoves   = 100 // at the model, before a run goes down
	modeAllowed = 0.05
)

// checkFromMode anneals from the model down to the base, from the most probable state that a search finds. Runs up that have all missed
// a part of the distribution agree with one another, and with runs down from where they ended; those from a state of that part do
// not. The interval then covers both, with a warning.
func (p *Path) checkFromMode(ctx context.Context, res *path.AutoResult, set path.Settings) error {
	mode, err := Search(ctx, p.f.model, SearchSettings{Seed: set.Seed, Threads: set.Threads, Rounds: 50})
	if err != nil {
		return err
	}
	family := &annealing{p}
	set.Runs, set.Checkpoint, set.Resume, set.Progress = modeRuns, "", false, nil
	down, err := path.Reverse[*Annealed](ctx, family, res.Ladder, func(_ int, s *Annealed, r *rand.Rand) error {
		for i, v := range mode.State {
			s.X[i] = int32(v)
		}
		s.stale, s.known = true, false
		for range modeMoves {
			family.Move(s, 1, r)
		}
		return nil
	}, set)
	if err != nil {
		return err
	}
	gap := math.Abs(down.LogZ - res.LogZ)
	if gap <= modeAllowed+float64(3*math.Hypot(down.SE, res.SE)) {
		return nil
	}
	res.CI95 = [2]float64{min(res.CI95[0], down.CI95[0]), max(res.CI95[1], down.CI95[1])}
	res.Warnings = append(res.Warnings, fmt.Sprintf("runs down from the most probable state that was found give log Z = %.3f, and those up %.3f: some have missed a part of the distribution",
		down.LogZ, res.LogZ))
	return nil
}

// Annealed is a [Path] for the estimators of package path.
func (p *Path) Annealed() path.Family[*Annealed] { return &annealing{p} }

// Annealed is a state with the memory of its moves.
type Annealed struct {
	*State
	whole  *pathKernel
	single *Gibbs
	blocks []*block
	beta   float64
}

type annealing struct{ p *Path }

func (a *annealing) New() *Annealed {
	p := a.p
	s, err := p.f.NewState(nil)
	if err == nil {
		one, err := newGibbs(p.f, p.at(0), gibbs.Systematic)
		if err == nil {
			n := &Annealed{State: s, whole: p.base(), single: one}
			for _, b := range p.blocks {
				n.blocks = append(n.blocks, newBlock(b))
			}
			return n
		}
	}
	panic(err) // neither fails for these arguments
}

func (a *annealing) Copy(dst, src *Annealed) { a.p.f.Copy(dst.State, src.State) }

func (a *annealing) Base(s *Annealed, r *rand.Rand) { s.whole.Step(s.State, r) }

func (a *annealing) LogZBase() float64 { return a.p.logBase }

func (a *annealing) LogDensity(s *Annealed, beta float64) float64 {
	return a.p.LogDensity(s.State, beta)
}

func (a *annealing) LogRatio(s *Annealed, from, to float64) float64 {
	return a.p.LogRatio(s.State, from, to)
}

func (a *annealing) Move(s *Annealed, beta float64, r *rand.Rand) {
	if beta == 0 {
		s.whole.Step(s.State, r)
		return
	}
	if s.beta != beta {
		a.p.weigh(&s.single.w, beta)
		s.beta = beta
	}
	s.blocks[r.IntN(len(s.blocks))].draw(s.State, &s.single.w, r)
	s.single.Step(s.State, r)
}

// MarshalState writes the values: the rest follows from them.
func (a *annealing) MarshalState(s *Annealed) ([]byte, error) {
	b := make([]byte, 0, 4*len(s.X))
	for _, x := range s.X {
		b = append(b, byte(x), byte(x>>8), byte(x>>16), byte(x>>24))
	}
	return b, nil
}

func (a *annealing) UnmarshalState(b []byte) (*Annealed, error) {
	s := a.New()
	if len(b) != 4*len(s.X) {
		return nil, errChain
	}
	x := make([]int32, len(s.X))
	for i := range x {
		x[i] = int32(b[4*i]) | int32(b[4*i+1])<<8 | int32(b[4*i+2])<<16 | int32(b[4*i+3])<<24
	}
	if !a.p.f.takes(x) {
		return nil, errChain
	}
	copy(s.X, x)
	s.stale = true
	return s, nil
}

// leastGap keeps the slope of a violated zero's cost finite.
const leastGap = 1e-3

// DLogDensity is the slope by which a schedule is fitted. That of the cost of violated zeros, which has no bound at the model, is cut.
func (a *annealing) DLogDensity(s *Annealed, beta float64) float64 {
	a.p.energy(s.State)
	gap := max(1-beta, leastGap)
	return s.rest - float64(float64(s.holes)*softness/float64(gap*gap))
}
