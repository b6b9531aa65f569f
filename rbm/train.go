package rbm

import (
	"cmp"
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/ladder"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Method is a way to draw the states of the negative phase of training.
type Method string

// The methods of training.
const (
	CD       Method = "cd"   // contrastive divergence (Hinton, 2002): chains that start from the batch
	PCD      Method = "pcd"  // persistent chains (Younes, 1989; Tieleman, 2008)
	FastPCD  Method = "fpcd" // persistent chains under weights with a fast part (Tieleman and Hinton, 2009)
	Tempered Method = "pt"   // persistent chains under parallel tempering (Desjardins et al., 2010)
)

// RateSchedule is a learning-rate schedule.
type RateSchedule string

// The schedules, with u the share of the updates that are done.
const (
	Constant RateSchedule = "constant"
	Linear   RateSchedule = "linear"  // rate·(1 − u)
	Cosine   RateSchedule = "cosine"  // rate·(1 + cos πu)/2 (Loshchilov and Hutter, 2017)
	Inverse  RateSchedule = "inverse" // rate/(1 + 9u), a tenth in the end
)

// Training is the settings of training. Zero values stand for the defaults in
// brackets.
//
// An update is a step of stochastic gradient ascent on the mean log-likelihood.
// The gradient is estimated by the difference of the statistics vᵢσ(xⱼ),
// xⱼ = aⱼ + Σᵢ vᵢWᵢⱼ, between the batch (the positive phase) and the chains
// (the negative phase). Unless Plain, the
// statistics are those of v − μ and h − λ, with μ the data's mean and λ the
// running mean of the hidden units: the enhanced gradient (Cho, Raiko and
// Ilin, 2011; Montavon and Müller, 2012; Melchior, Fischer and Wiskott, 2016).
// It has the same zeros as the gradient, and converges faster.
type Training struct {
	Method    Method
	Epochs    int       // passes through the cases (10)
	Batch     int       // cases an update (100, or as many as there are)
	Sweeps    int       // of block Gibbs sampling an update, k (1)
	Particles int       // chains of the negative phase (Batch; CD has one a case)
	Ladder    []float64 // of Tempered: inverse temperatures from low to 1 (0.2, 0.4 … 1)

	Rate         float64      // at the start (0.05)
	RateSchedule RateSchedule // (Linear)
	Momentum     float64      // share of the previous change that is added
	Decay        float64      // of weights: each update also takes rate·Decay·W
	Plain        bool         // no centring

	FastRate  float64 // learning rate of FastPCD's fast weights (Rate), constant
	FastDecay float64 // factor of the fast weights at each update (0.95)

	Sparsity     float64 // target mean of every hidden unit; 0 for none
	SparsityCost float64 // weight of the sparsity penalty (0.1, with Sparsity)

	// Average is η of polynomial-decay averaging of the parameters (Shamir and
	// Zhang, 2013), which weighs the update t by about t^η; 0 for none.
	Average float64

	Seed    uint64
	Threads int // 0 or 1: one. Nothing depends on it but the time
}

// withDefaults fills in for so many cases.
func (t Training) withDefaults(cases int) Training {
	t.Method = cmp.Or(t.Method, PCD)
	t.Epochs = cmp.Or(t.Epochs, 10)
	t.Batch = cmp.Or(t.Batch, min(100, cases))
	t.Sweeps = cmp.Or(t.Sweeps, 1)
	if t.Method == CD || t.Particles == 0 {
		t.Particles = t.Batch
	}
	switch {
	case t.Method != Tempered:
		t.Ladder = []float64{1}
	case t.Ladder == nil:
		t.Ladder = []float64{0.2, 0.4, 0.6, 0.8, 1}
	}
	t.Rate = cmp.Or(t.Rate, 0.05)
	t.RateSchedule = cmp.Or(t.RateSchedule, Linear)
	t.FastRate = cmp.Or(t.FastRate, t.Rate)
	t.FastDecay = cmp.Or(t.FastDecay, 0.95)
	if t.Sparsity > 0 {
		t.SparsityCost = cmp.Or(t.SparsityCost, 0.1)
	}
	return t
}

// Check reports the first setting that makes no sense, whatever the cases are.
func (t Training) Check() error {
	const many = 1 << 30
	t = t.withDefaults(many)
	return t.check(many)
}

// check reports the first setting that makes no sense for so many cases.
func (t *Training) check(cases int) error {
	switch t.Method {
	case CD, PCD, FastPCD, Tempered:
	default:
		return fmt.Errorf("there is no method %s; there are %s, %s, %s and %s", wording.Quote(string(t.Method)), CD, PCD, FastPCD, Tempered)
	}
	switch t.RateSchedule {
	case Constant, Linear, Cosine, Inverse:
	default:
		return fmt.Errorf("there is no learning-rate schedule %s; there are %s, %s, %s and %s", wording.Quote(string(t.RateSchedule)), Constant, Linear, Cosine, Inverse)
	}
	for _, n := range []struct {
		name   string
		is, to int
	}{
		{"number of epochs", t.Epochs, 1 << 30}, {"number of sweeps", t.Sweeps, 1 << 20},
		{"number of cases in a batch", t.Batch, cases}, {"number of particles", t.Particles, 1 << 20},
	} {
		if n.is < 1 || n.is > n.to {
			return fmt.Errorf("the %s is %d; it must be from 1 to %d", n.name, n.is, n.to)
		}
	}
	for _, x := range []struct {
		name     string
		is, from float64
		to       float64
	}{
		{"learning rate", t.Rate, 0, 10}, {"fast learning rate", t.FastRate, 0, 10}, {"fast weights' decay", t.FastDecay, 0, 1},
		{"momentum", t.Momentum, 0, 0.9999}, {"weight decay", t.Decay, 0, 1}, {"sparsity target", t.Sparsity, 0, 0.999},
		{"sparsity cost", t.SparsityCost, 0, 100}, {"weight of late updates in the average", t.Average, 0, 1000},
	} {
		if !within(x.is, x.from, x.to) {
			return fmt.Errorf("the %s is %v; it must be from %v to %v", x.name, x.is, x.from, x.to)
		}
	}
	return t.checkLadder()
}

func (t *Training) checkLadder() error {
	if err := ladder.Check(t.Ladder); err != nil {
		return err
	}
	if n := len(t.Ladder); n == 0 || t.Ladder[0] < 0 || t.Ladder[n-1] != 1 {
		return fmt.Errorf("the inverse temperatures are %v; they must be 0 or more, and the last must be 1", t.Ladder)
	}
	return nil
}

// rate is the learning rate of the update after done of all.
func (t *Training) rate(done, all int) float64 {
	u := float64(done) / float64(all)
	switch t.RateSchedule {
	case Linear:
		return t.Rate * (1 - u)
	case Cosine:
		return t.Rate * cosine(u)
	case Inverse:
		return t.Rate / (1 + float64(9*u))
	}
	return t.Rate
}

// cosine is (1 + cos πu)/2 for u from 0 to 1, as sin² of what is left, by its
// series: math.Cos is not the same on all machines.
func cosine(u float64) float64 {
	x := math.Pi / 2 * (1 - u)
	term, sum := x, x
	for k := 1; k < 12; k++ {
		term = float64(term * (-x * x / float64(2*k*(2*k+1))))
		sum += term
	}
	return sum * sum
}
