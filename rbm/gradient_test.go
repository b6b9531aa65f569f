package rbm

import (
	"math"
	"testing"
)

// stats are the means of vᵢhⱼ, vᵢ and hⱼ.
type stats struct{ vh, v, h []float64 }

func newStats(m *Model) stats {
	return stats{make([]float64, len(m.W)), make([]float64, m.Visible), make([]float64, m.Hidden)}
}

func (s *stats) add(m *Model, v []uint8, p float64) {
	x := make([]float64, m.Hidden)
	m.HiddenInput(x, v)
	for j := range x {
		x[j] = 1 / (1 + math.Exp(-x[j]))
		s.h[j] += p * x[j]
	}
	for i, on := range v {
		if on == 0 {
			continue
		}
		s.v[i] += p
		for j := range x {
			s.vh[i*m.Hidden+j] += p * x[j]
		}
	}
}

// exactGradient is the gradient of the mean log-likelihood, by enumeration:
// the statistics of the data less those of the machine.
func exactGradient(m *Model, d *Data) stats {
	g := newStats(m)
	for n := range d.Cases {
		g.add(m, d.Case(n), 1/float64(d.Cases))
	}
	logZ := brute(m)
	v, in := make([]uint8, m.Visible), make([]float64, m.Hidden)
	for k := range 1 << m.Visible {
		unitsOf(v, k)
		g.add(m, v, -math.Exp(m.LogWeight(v, in)-logZ))
	}
	return g
}

// enhanced is the gradient of a centred machine in the parameters of the plain
// one (Melchior, Fischer and Wiskott, 2016, equations 13 to 15).
func (s stats) enhanced(mu, lambda []float32) stats {
	e := stats{make([]float64, len(s.vh)), append([]float64{}, s.v...), append([]float64{}, s.h...)}
	for i := range s.v {
		for j := range s.h {
			k := i*len(s.h) + j
			e.vh[k] = s.vh[k] - float64(mu[i])*s.h[j] - s.v[i]*float64(lambda[j])
			e.v[i] -= e.vh[k] * float64(lambda[j])
			e.h[j] -= e.vh[k] * float64(mu[i])
		}
	}
	return e
}

// install gives the trainer other parameters.
func (t *Trainer) install(m *Model) {
	for i := range m.Visible {
		copy(t.now.w[i*t.stride:], single(m.W[i*m.Hidden:(i+1)*m.Hidden]))
	}
	copy(t.now.a, single(m.HiddenBias))
	copy(t.now.b, single(m.VisibleBias))
	t.updateDerived()
}

// One update with chains that have come to rest is the gradient, by every
// method. A batch of all cases leaves the noise of the chains: n of them give
// the mean of a number between 0 and 1 a standard error of at most ½/√n, and
// the enhanced gradient, whose coefficients on vᵢhⱼ, vᵢ and hⱼ add up to
// no more than 5 with 5 units, five times as much. Six standard errors are
// exceeded by one of the 6·29 numbers with a probability of 4e-7.
func TestUpdateIsTheGradient(t *testing.T) {
	const n = 10000
	m := random(5, 4, 1, 3)
	d := randomData(40, 5, 9)
	many := &Data{Cases: n, Visible: 5} // the same cases for CD, which has a chain for each
	for k := range n {
		many.Units = append(many.Units, d.Case(k%d.Cases)...)
	}
	for _, c := range []struct {
		name string
		data *Data
		set  Training
	}{
		{"pcd", d, Training{Plain: true}}, {"centred", d, Training{}}, {"fast", d, Training{Method: FastPCD, Plain: true}},
		{"tempered", d, Training{Method: Tempered, Plain: true, Ladder: []float64{0, 0.5, 1}}},
		{"cd", many, Training{Method: CD, Plain: true}}, {"momentum", d, Training{Momentum: 0.9, Plain: true}},
	} {
		set := c.set
		set.Epochs, set.Batch, set.Particles, set.Sweeps, set.Rate, set.RateSchedule, set.Seed = 1, c.data.Cases, n, 15, 0.125, Constant, 5
		tr := newTrainer(t, c.data.GreyLevels(), m.Hidden, set)
		tr.install(m)
		tr.Update()
		want, bound := exactGradient(m, d), 6*0.5/math.Sqrt(n)
		if !set.Plain {
			want, bound = want.enhanced(tr.meanOn, tr.hiddens), 5*bound
		}
		got := tr.Model()
		compare := func(what string, before, after, g []float64) {
			for k := range g {
				if d := (after[k]-before[k])/set.Rate - g[k]; math.Abs(d) > bound {
					t.Errorf("%s: %s %d moves by %.4f; the gradient is %.4f", c.name, what, k, (after[k]-before[k])/set.Rate, g[k])
				}
			}
		}
		compare("weight", m.W, got.W, want.vh)
		compare("visible bias", m.VisibleBias, got.VisibleBias, want.v)
		compare("hidden bias", m.HiddenBias, got.HiddenBias, want.h)
	}
}

// meanLogLikelihood is exact.
func meanLogLikelihood(m *Model, d *Data) float64 {
	in, s := make([]float64, m.Hidden), 0.0
	for n := range d.Cases {
		s += m.LogWeight(d.Case(n), in)
	}
	return s/float64(d.Cases) - brute(m)
}

// barsAndStripes are the 14 images of 3 by 3 whose rows, or whose columns,
// are alike (MacKay, 2003, §43): a uniform distribution of entropy log 14.
func barsAndStripes() *Data {
	d := &Data{Visible: 9}
	for k := range 8 {
		for _, bars := range []bool{true, false} {
			if !bars && (k == 0 || k == 7) {
				continue
			}
			for i := range 9 {
				at := i / 3
				if bars {
					at = i % 3
				}
				d.Units = append(d.Units, uint8(k>>at&1))
			}
			d.Cases++
		}
	}
	return d
}

// A machine of 9 hidden units can come near the distribution, whose entropy
// bounds the likelihood (Gibbs' inequality). Before training the likelihood is
// that of independent units, −9 log 2 = −6.24; a tenth of the way is left to
// the noise of a short training.
func TestTrainingComesNearTheEntropy(t *testing.T) {
	d := barsAndStripes()
	if d.Cases != 14 {
		t.Fatalf("%d images", d.Cases)
	}
	entropy := math.Log(14)
	for _, c := range []struct {
		name string
		set  Training
	}{
		{"pcd", Training{}}, {"plain", Training{Plain: true}}, {"fast", Training{Method: FastPCD, FastRate: 0.01}},
		{"tempered", Training{Method: Tempered}}, {"cd", Training{Method: CD, Sweeps: 3}}, {"momentum and average", Training{Momentum: 0.5, Average: 5}},
	} {
		c.set.Epochs, c.set.Particles, c.set.Rate, c.set.Seed = 8000, 20, 0.1, 1
		tr := newTrainer(t, d.GreyLevels(), 9, c.set)
		before := meanLogLikelihood(tr.Model(), d)
		for range 8000 {
			tr.Update()
		}
		after := meanLogLikelihood(tr.Model(), d)
		t.Logf("%s: %.3f to %.3f, at most %.3f", c.name, before, after, -entropy)
		if after > -entropy || after < -entropy-0.1*(-entropy-before) {
			t.Errorf("%s: the mean log-likelihood goes from %.3f to %.3f; it can be %.3f", c.name, before, after, -entropy)
		}
	}
}
