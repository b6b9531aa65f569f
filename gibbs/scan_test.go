package gibbs

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// scans is every scan over n nodes, the weighted one with weights that differ.
func scans(n int, observed ...int) []Settings {
	w := make([]float64, n)
	for i := range w {
		w[i] = float64(1 + i*i)
	}
	var all []Settings
	for s := Systematic; s <= Weighted; s++ {
		set := Settings{Nodes: n, Scan: s, Observed: observed}
		if s == Weighted {
			set.Weights = w
		}
		all = append(all, set)
	}
	return all
}

// Every scan leaves random joint distributions invariant, with observed nodes and without,
// and reaches all of them. kerneltest's false-alarm rate is 1e-6 each.
func TestExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, levels := range [][]int{{2}, {2, 3, 2}, {3, 1, 2, 2}} {
		target := newTable(r, true, levels...)
		for _, set := range scans(len(levels)) {
			f := target.finite(must(NewSampler(target, set)))
			if err := kerneltest.Exact(f, kerneltest.Settings{Steps: 2}); err != nil {
				t.Errorf("%v scan of %v: %v", set.Scan, levels, err)
			}
		}
	}
	target := newTable(r, false, 2, 3, 2, 2)
	for _, set := range scans(4, 2, 0, 2) {
		f := target.finite(must(NewSampler(target, set)), set.Observed...)
		if err := kerneltest.Exact(f, kerneltest.Settings{}); err != nil {
			t.Errorf("%v scan with observed nodes: %v", set.Scan, err)
		}
		if err := kerneltest.Reaches(f, 2, kerneltest.Settings{Steps: 40, Replicates: 5000}); err != nil {
			t.Errorf("%v scan with observed nodes: %v", set.Scan, err)
		}
	}
}

// Scans that are mixtures over orders and their reverses are reversible. A systematic scan
// is not, nor is its reverse: the suite sees that on the same target.
func TestDetailedBalance(t *testing.T) {
	target := newTable(rand.New(rand.NewPCG(2, 3)), false, 2, 2, 2)
	for _, set := range scans(3) {
		f := target.finite(must(NewSampler(target, set)))
		err := kerneltest.DetailedBalance(f, kerneltest.Settings{Replicates: 40_000})
		if reversible := set.Scan != Systematic && set.Scan != Reverse; reversible != (err == nil) {
			t.Errorf("%v scan: %v", set.Scan, err)
		}
	}
}

// A draw from another law than the full conditional is caught: here one that never stays.
func TestWrongConditional(t *testing.T) {
	target := newTable(rand.New(rand.NewPCG(3, 3)), false, 2, 3, 2)
	leaving := Func[[]int32](func(s []int32, i int, r *rand.Rand) {
		for own := s[i]; s[i] == own; {
			target.Draw(s, i, r)
		}
	})
	f := target.finite(must(NewSampler(leaving, Settings{Nodes: 3})))
	if kerneltest.Exact(f, kerneltest.Settings{}) == nil {
		t.Error("a wrong conditional leaves the target invariant")
	}
}

// Gibbs is Metropolis–Hastings whose proposal is the full conditional: the ratio
// π(x') q(x|x') / (π(x) q(x'|x)) is 1 for each move between states of positive
// probability, to the rounding of four exponentials and as many quotients.
func TestAcceptanceIsOne(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	moves := 0
	for range 50 {
		target := newTable(r, true, 2, 3, 4)
		for k, w := range target.logw {
			if math.IsInf(w, -1) {
				continue
			}
			for i := range target.levels {
				s := target.state(k)
				own := s[i]
				there := target.conditional(s, i)
				for v := range there {
					s[i] = int32(v)
					w1, back := target.logw[target.index(s)], target.conditional(s, i)
					if math.IsInf(w1, -1) {
						continue
					}
					moves++
					logRatio := w1 - w + math.Log(back[own]) - math.Log(there[v])
					if math.Abs(logRatio) > 1e-13 {
						t.Errorf("from state %d, node %d to %d: the ratio is 1%+.2g", k, i, v, math.Expm1(logRatio))
					}
				}
			}
		}
	}
	if moves < 5000 {
		t.Errorf("%d moves were looked at", moves)
	}
}

// normals is a bivariate normal distribution of means 1 and −2, sds 1 and 2, correlation 0.6.
func normals(s []float64, i int, r *rand.Rand) {
	const rho = 0.6
	mean, sd := [2]float64{1, -2}, [2]float64{1, 2}
	j := 1 - i
	s[i] = mean[i] + rho*sd[i]/sd[j]*(s[j]-mean[j]) + sd[i]*math.Sqrt(1-rho*rho)*r.NormFloat64()
}

func TestNormals(t *testing.T) {
	for _, set := range scans(2) {
		target := kerneltest.Sampled[[]float64]{
			Draw: func(r *rand.Rand) []float64 {
				z := r.NormFloat64()
				return []float64{1 + z, -2 + 2*(0.6*z+0.8*r.NormFloat64())}
			},
			Kernel: must(NewSampler(Func[[]float64](normals), set)),
			Stats:  func(s []float64) []float64 { return []float64{s[0], s[1], s[0] * s[1], s[1] - 2*s[0]} },
		}
		if err := kerneltest.Invariant(target, kerneltest.Settings{Steps: 2}); err != nil {
			t.Errorf("%v scan: %v", set.Scan, err)
		}
		far := func(*rand.Rand) []float64 { return []float64{50, -50} }
		if err := kerneltest.Converges(target, far, kerneltest.Settings{Steps: 60, Replicates: 5000}); err != nil {
			t.Errorf("%v scan: %v", set.Scan, err)
		}
	}
}

// The order in which nodes are drawn is what the scan's name says.
func TestOrder(t *testing.T) {
	for _, set := range scans(5, 3) {
		var order []int
		k := must(NewSampler(Func[int](func(_ int, i int, _ *rand.Rand) { order = append(order, i) }), set))
		r := rand.New(rand.NewPCG(5, 5))
		count := make([]int, 5)
		for range 1000 {
			order = order[:0]
			k.Step(0, r)
			for _, i := range order {
				count[i]++
			}
			switch set.Scan {
			case Systematic:
				if !slices.Equal(order, []int{0, 1, 2, 4}) {
					t.Fatalf("%v: %v", set.Scan, order)
				}
			case Reverse:
				if !slices.Equal(order, []int{4, 2, 1, 0}) {
					t.Fatalf("%v: %v", set.Scan, order)
				}
			case Permutation:
				if s := slices.Sorted(slices.Values(order)); !slices.Equal(s, []int{0, 1, 2, 4}) {
					t.Fatalf("%v: %v", set.Scan, order)
				}
			}
		}
		// Binomial counts of 4000 with p = ¼, or w/25 for weights 1, 2, 5 and 17: within
		// 5.5 sd, which fails once in 2·10⁷.
		want := []float64{1000, 1000, 1000, 0, 1000}
		if set.Scan == Weighted {
			want = []float64{4000. / 25, 8000. / 25, 20000. / 25, 0, 68000. / 25}
		}
		for i, n := range count {
			if p := want[i] / 4000; math.Abs(float64(n)-want[i]) > 5.5*math.Sqrt(4000*p*(1-p)) {
				t.Errorf("%v: node %d is drawn %d times in 1000 steps, want about %v", set.Scan, i, n, want[i])
			}
		}
	}
}

func TestSamplerRefuses(t *testing.T) {
	c := Func[[]float64](normals)
	for _, bad := range []struct {
		set  Settings
		want string
	}{
		{Settings{}, "0 nodes"},
		{Settings{Nodes: -3}, "-3 nodes"},
		{Settings{Nodes: 2, Observed: []int{2}}, "observed node 2"},
		{Settings{Nodes: 2, Observed: []int{-1}}, "observed node -1"},
		{Settings{Nodes: 2, Observed: []int{1, 0}}, "all 2 nodes are observed"},
		{Settings{Nodes: 2, Scan: 9}, "number 9"},
		{Settings{Nodes: 2, Weights: []float64{1, 1}}, "systematic"},
		{Settings{Nodes: 2, Scan: Weighted}, "0 weights for 2"},
		{Settings{Nodes: 2, Scan: Weighted, Weights: []float64{1, 0}}, "node 1 is 0"},
		{Settings{Nodes: 2, Scan: Weighted, Weights: []float64{math.NaN(), 1}}, "node 0 is NaN"},
		{Settings{Nodes: 2, Scan: Weighted, Weights: []float64{1, math.Inf(1)}}, "node 1 is +Inf"},
		{Settings{Nodes: 2, Scan: Weighted, Weights: []float64{1e308, 1e308}}, "overflows"},
	} {
		if _, err := NewSampler(c, bad.set); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%+v: got %v, want an error with %q", bad.set, err, bad.want)
		}
	}
	if _, err := NewSampler[int](nil, Settings{Nodes: 1}); err == nil {
		t.Error("no conditional is accepted")
	}
	if s := Scan(9).String(); s != "Scan(9)" {
		t.Error(s)
	}
}

func TestSamplerAllocations(t *testing.T) {
	for _, set := range scans(2) {
		k := must(NewSampler(Func[[]float64](normals), set))
		s, r := []float64{0, 0}, rand.New(rand.NewPCG(6, 6))
		if n := testing.AllocsPerRun(100, func() { k.Step(s, r) }); n != 0 {
			t.Errorf("%v: %v allocations a step", set.Scan, n)
		}
		if info := k.Step(s, r); info != (mcmc.Info{Accepted: true, AcceptProb: 1}) {
			t.Errorf("%+v", info)
		}
	}
}
