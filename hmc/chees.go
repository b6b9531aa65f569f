package hmc

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/gobs"
	"github.com/ergodic-mcmc/ergodic/internal/tunings"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// ChEESSettings say how a [ChEES] kernel moves and learns. The zero value works. Accept is 0.651 where it is 0, as Hoffman, Radul and Sountsov have it.
type ChEESSettings struct {
	Settings
	// Length is T at first; 0: one step.
	Length float64
}

const (
	// Of Hoffman, Radul and Sountsov (2021).
	cheesAccept = 0.651
	lengthRate  = 0.025 // of Adam, on log T
	lengthDecay = 0.95  // β₂ of Adam; β₁ is 0

	lengthSteady = 100 // steps with one metric after which the rate falls as their square root: one chain's gradients are noisy
)

// ChEES is Hamiltonian Monte Carlo with trajectories of the length uT, u uniform on (0, 1), whose T is learnt in warm-up (Hoffman, Radul and Sountsov, 2021, "An
// adaptive-MCMC scheme for setting trajectory lengths in Hamiltonian Monte Carlo"). Stochastic gradients climb the change in the estimator of the
// expected square, a unit of length,
//
//	¼ E[(|x′ − m|² − |x − m|²)²] / T,
//
// where x′ is the end of the trajectory from x, weighted by its acceptance probability, and m the mean; coordinates are in units of the metric's
// scales. To divide by T is of Sountsov and Hoffman (2021, "Focusing on difficult directions for learning HMC trajectory lengths"): it is the work, and
// without it the criterion of a normal density has a maximum at each half turn. Where these papers average gradients over many chains, here
// each chain learns by itself, from the steps of its warm-up, so that chains stay independent.
//
// Unlike [NUTS] it spends no gradient on going back, and has one length for all places. A step allocates nothing. A chain needs a kernel of its own.
type ChEES struct {
	Static
	length lengthTuning
	mostly int       // steps of a trajectory
	work   []float64 // the velocity
}

// lengthTuning is what is learnt of T. Fields are exported for gob.
type lengthTuning struct {
	Log    float64 // of T now
	Mean   float64 // its average, with weights that favour late steps
	Square float64 // of the gradient, as Adam averages it
	N      int
	Centre []float64 // m
}

// NewChEES returns a kernel for vectors of length dim, untuned.
func NewChEES(t Target, dim int, set ChEESSettings) (*ChEES, error) {
	if !(set.Length >= 0) || math.IsInf(set.Length, 1) {
		return nil, fmt.Errorf("hmc: trajectories of length %v; it must be positive and finite, or 0 for one step", set.Length)
	}
	if set.Accept == 0 {
		set.Accept = cheesAccept
	}
	static, err := NewStatic(t, dim, StaticSettings{Settings: set.Settings, Steps: 1})
	if err != nil {
		return nil, err
	}
	k := &ChEES{Static: *static, mostly: 1<<static.set.MaxDepth - 1, work: make([]float64, dim)}
	k.length = lengthTuning{Log: math.Inf(-1), Mean: math.Inf(-1), Centre: make([]float64, dim)}
	if set.Length > 0 {
		k.length.Log = vec.Log(set.Length)
		k.length.Mean = k.length.Log
	}
	return k, nil
}

// Length is T now.
func (k *ChEES) Length() float64 { return max(vec.Exp(k.length.Log), k.eps) }

// Step moves the point.
func (k *ChEES) Step(s *mcmc.Point, r *rand.Rand) mcmc.Info {
	steps := math.Ceil(r.Float64() * k.Length() / k.eps)
	k.steps = int(min(max(steps, 1), float64(k.mostly)))
	return k.Static.Step(s, r)
}

// Adapt moves the point and learns.
func (k *ChEES) Adapt(s *mcmc.Point, r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	return k.adapt(s, r, w, func(s *mcmc.Point, r *rand.Rand) mcmc.Info {
		info := k.Step(s, r)
		if k.known && !info.Divergent {
			k.learnLength(&info)
		}
		return info
	})
}

// learnLength takes a step of Adam along the gradient of the criterion by log T, which the last trajectory estimates.
func (k *ChEES) learnLength(info *mcmc.Info) {
	l := &k.length
	if l.N == 0 && math.IsInf(l.Log, -1) {
		l.Log = vec.Log(k.eps)
		l.Mean = l.Log
	}
	start, end := &k.at, &k.trial
	if info.Accepted {
		start, end = end, start
	}
	l.N++
	weight := vec.Pow(float64(l.N), -stepDecay)
	for i, x := range k.at.x {
		l.Centre[i] += float64(weight * (x - l.Centre[i]))
	}
	g := info.AcceptProb * k.lengthGradient(start, end)
	if !vec.Finite(g) {
		return
	}
	since := float64(k.tuning.Step.N) + 1 // steps with this metric
	l.Square += float64(max(1/float64(l.N), 1-lengthDecay) * (float64(g*g) - l.Square))
	if l.Square > 0 {
		l.Log += float64(lengthRate * math.Sqrt(min(1, lengthSteady/since)) * g / math.Sqrt(l.Square))
	}
	least := vec.Log(k.eps)
	l.Log = min(max(l.Log, least), least+vec.Log(float64(k.mostly)))
	weight = vec.Pow(since, -stepDecay)
	l.Mean = float64(weight*l.Log) + float64((1-weight)*l.Mean)
}

// lengthGradient is t (|z′|² − |z|²) z′ᵀ dz′/dt − ¼ (|z′|² − |z|²)², with z = x − m in units of the metric's scales: in expectation, T times the
// derivative of the criterion by log T.
func (k *ChEES) lengthGradient(start, end *phase) float64 {
	clear(k.work)
	k.metric.advance(k.work, end.r, 1)
	gain, along := 0.0, 0.0
	for i, m := range k.length.Centre {
		scale := k.tuning.Scaling.scaleOf(i)
		from, to := (start.x[i]-m)/scale, (end.x[i]-m)/scale
		gain += float64(to*to) - float64(from*from)
		along += float64(to * k.work[i] / scale)
	}
	return float64(float64(k.steps)*k.eps*gain*along) - float64(0.25*gain*gain)
}

// scaleOf is the standard deviation of a coordinate by the metric's diagonal.
func (s *scaling) scaleOf(i int) float64 {
	if s.Lower == nil {
		return s.Scale[i]
	}
	n := len(s.work)
	sum := 0.0
	for j := range i + 1 {
		sum += float64(s.Lower[i+j*n] * s.Lower[i+j*n])
	}
	return math.Sqrt(sum)
}

// Freeze ends learning: step size and T are averages from now on.
func (k *ChEES) Freeze() {
	if k.tuning.Frozen {
		return
	}
	k.Static.Freeze()
	k.length.Log = k.length.Mean
}

type cheesTuning struct {
	Tuning tuning
	Length lengthTuning
}

// MarshalBinary writes what the kernel has learnt.
func (k *ChEES) MarshalBinary() ([]byte, error) {
	return gobs.Marshal(&cheesTuning{k.tuning, k.length})
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (k *ChEES) UnmarshalBinary(b []byte) error {
	var t cheesTuning
	if err := gobs.Unmarshal(b, &t); err != nil || len(t.Length.Centre) != k.dim {
		return fmt.Errorf("hmc: %w", tunings.ErrOther)
	}
	if err := k.take(t.Tuning); err != nil {
		return err
	}
	k.length = t.Length
	return nil
}
