package main

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/mh"
)

// normal is N((5,10), ((1,1),(1,4))), whose inverse covariance is ((4,−1),(−1,1))/3.
type normal struct{}

func (normal) LogDensity(x []float64) float64 {
	a, b := x[0]-5, x[1]-10
	return -(float64(4*a*a) - float64(2*a*b) + float64(b*b)) / 6
}

var (
	mean = []float64{5, 10}
	cov  = []float64{1, 1, 1, 4}
)

// sampler is a row of the table.
type sampler struct {
	name   string
	kernel func() (mcmc.Kernel[*mcmc.Point], error)
	sd     float64 // per 10⁵ draws, as exact.py computes it without random numbers; 0: not known
	given  float64 // rbm/REFERENCE.md's
	half   float64 // half a unit of the last digit given
}

func samplers() []sampler {
	return []sampler{
		{"uniform random walk, ±1", walk(mh.Uniform, identity(1)), 0.00974, 0.011, 0.0005},
		{"uniform random walk, ±3", walk(mh.Uniform, identity(9)), 0.00534, 0.0065, 0.00005},
		{"normal random walk, N(0, I)", walk(mh.Normal, identity(1)), 0.00701, 0.0073, 0.00005},
		{"normal random walk, 2.38/√2 Σ^½", walk(mh.Normal, scaled(cov, 2.38*2.38/2)), 0.00519, 0.0053, 0.00005},
		{"independence sampling from N(μ, Σ)", independent(cov), 0.00237, 0.0024, 0.00005},
		{"independence sampling from N(μ, 2Σ)", independent(scaled(cov, 2)), 0, 0, 0},
		{"Gibbs, one variable after the other", func() (mcmc.Kernel[*mcmc.Point], error) { return gibbs{}, nil }, 0.00245, 0, 0},
	}
}

func identity(variance float64) []float64 { return []float64{variance, 0, 0, variance} }

func scaled(a []float64, by float64) []float64 {
	out := make([]float64, len(a))
	for i, v := range a {
		out[i] = by * v
	}
	return out
}

func walk(law mh.Increment, shape []float64) func() (mcmc.Kernel[*mcmc.Point], error) {
	return func() (mcmc.Kernel[*mcmc.Point], error) {
		w, err := mh.NewWalk(2, shape, mh.WalkSettings{Increment: law, Learn: mh.LearnNothing})
		if err != nil {
			return nil, err
		}
		k, err := mh.New(normal{}, mh.Move[[]float64](w), mh.MetropolisHastings)
		if err != nil {
			return nil, err
		}
		return k, nil
	}
}

func independent(cov []float64) func() (mcmc.Kernel[*mcmc.Point], error) {
	return func() (mcmc.Kernel[*mcmc.Point], error) {
		from, err := mh.NewNormalProposal(mean, cov)
		if err != nil {
			return nil, err
		}
		return mh.NewIndependence(normal{}, from, 2)
	}
}

// gibbs draws each coordinate given the other: x | y ~ N(5 + (y−10)/4, 3/4), and
// y | x ~ N(10 + (x−5), 3).
type gibbs struct{}

func (gibbs) Step(s *mcmc.Point, r *rand.Rand) mcmc.Info {
	s.X[0] = 5 + (s.X[1]-10)/4 + float64(math.Sqrt(0.75)*dist.StdNormal(r))
	s.X[1] = 10 + (s.X[0] - 5) + float64(math.Sqrt(3)*dist.StdNormal(r))
	s.LogP = normal{}.LogDensity(s.X)
	return mcmc.Info{Accepted: true, AcceptProb: 1}
}

// estimates is what the chains of a sampler gave.
type estimates struct {
	mean, sd float64 // of the sample correlations of the chains
	accepted float64
}

// estimate runs chains that start from exact draws, so that there is nothing to warm up.
func (s sampler) estimate(ctx context.Context, seed uint64, chains, length int) (estimates, error) {
	set := mcmc.Settings{Seed: seed, Chains: chains, Warmup: -1, Draws: length}
	exact, err := mh.NewNormalProposal(mean, cov)
	if err != nil {
		return estimates{}, err
	}
	// Draw only reads: chains may share it.
	job, err := mcmc.NewPoints(mcmc.Points{
		Target: normal{}, Dim: 2,
		Init:  func(_ int, r *rand.Rand, x []float64) { exact.Draw(x, r) },
		Move:  func(int) (mcmc.Kernel[*mcmc.Point], error) { return s.kernel() },
		Named: []draws.Variable{{Name: "x"}, {Name: "y"}},
	}, set)
	if err != nil {
		return estimates{}, err
	}
	rec := make(moments, chains)
	res, err := mcmc.Run(ctx, job, set, rec, nil)
	if err != nil {
		return estimates{}, err
	}
	var e estimates
	rho := make([]float64, chains)
	for c := range rho {
		rho[c] = rec[c].correlation()
		e.mean += rho[c] / float64(chains)
		e.accepted += float64(res.Chains[c].Accepted) / float64(chains*length)
	}
	for _, v := range rho {
		e.sd += (v - e.mean) * (v - e.mean) / float64(chains-1)
	}
	e.sd = math.Sqrt(e.sd)
	return e, nil
}

// moments is a recorder that keeps sums in place of draws, a chain each.
type moments []sums

type sums struct{ n, x, y, xx, xy, yy float64 }

// Append adds a draw, less the means, so that nothing cancels.
func (m moments) Append(chain int, _ bool, draw []float64, _ mcmc.Stat) error {
	s, x, y := &m[chain], draw[0]-mean[0], draw[1]-mean[1]
	s.n++
	s.x += x
	s.y += y
	s.xx += x * x
	s.xy += x * y
	s.yy += y * y
	return nil
}

func (m moments) Sync(int) ([]byte, error)             { return nil, nil }
func (m moments) Truncate(int, int, int, []byte) error { return nil }
func (m moments) Close() error                         { return nil }

func (s sums) correlation() float64 {
	cov := s.xy/s.n - s.x*s.y/s.n/s.n
	vx, vy := s.xx/s.n-s.x*s.x/s.n/s.n, s.yy/s.n-s.y*s.y/s.n/s.n
	return cov / math.Sqrt(vx*vy)
}
