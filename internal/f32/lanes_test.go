package f32

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/ergodic-mcmc/ergodic/rng"
)

func seeded(seed uint64) *Lanes {
	l := new(Lanes)
	l.Seed(rng.New(seed, "f32").Rand)
	return l
}

// The reference is the generator as its authors describe it, one lane alone.
func TestLanesAreXoshiro(t *testing.T) {
	l := seeded(1)
	var alone [block][4]uint32
	for i := range alone {
		for w := range 4 {
			alone[i][w] = l.s[w][i]
		}
	}
	for range 1000 {
		out := l.next()
		for i := range alone {
			if want := xoshiro128pp(&alone[i]); out[i] != want {
				t.Fatalf("lane %d gives %#x, want %#x", i, out[i], want)
			}
		}
	}
}

func xoshiro128pp(s *[4]uint32) uint32 {
	rotl := func(x uint32, k int) uint32 { return x<<k | x>>(32-k) }
	result := rotl(s[0]+s[3], 7) + s[0]
	t := s[1] << 9
	s[2] ^= s[0]
	s[3] ^= s[1]
	s[1] ^= s[2]
	s[0] ^= s[3]
	s[2] ^= t
	s[3] = rotl(s[3], 11)
	return result
}

// rejected says whether a chi-square statistic is among the 4e-8 largest or smallest, so that the eight tests below
// raise a false alarm with probability 6.4e-7 together.
func rejected(chi2, degrees float64) bool {
	d := distuv.ChiSquared{K: degrees}
	return d.Survival(chi2) < 4e-8 || d.CDF(chi2) < 4e-8
}

// All bytes of the outputs are equally frequent, in every position and over all lanes.
func TestUniformBytes(t *testing.T) {
	l := seeded(2)
	const steps = 1 << 16
	var counts [4][256]float64
	for range steps {
		for _, v := range l.next() {
			for p := range 4 {
				counts[p][byte(v>>(8*p))]++
			}
		}
	}
	for p := range counts {
		chi2, want := 0.0, float64(steps*block)/256
		for _, c := range counts[p] {
			chi2 += (c - want) * (c - want) / want
		}
		if rejected(chi2, 255) {
			t.Errorf("byte %d: χ² is %.1f with 255 degrees of freedom", p, chi2)
		}
	}
}

// The top four bits of neighbours in lane, in time and in both, and of lanes two apart, are independent: all 256 pairs
// are equally frequent.
func TestIndependentLanes(t *testing.T) {
	l := seeded(3)
	const steps = 1 << 16
	var counts [4][256]float64
	before := l.next()
	for range steps {
		out := l.next()
		for i, v := range out {
			counts[0][out[(i+1)%block]>>28<<4|v>>28]++
			counts[1][before[i]>>28<<4|v>>28]++
			counts[2][before[(i+1)%block]>>28<<4|v>>28]++
			counts[3][out[(i+2)%block]>>28<<4|v>>28]++
		}
		before = out
	}
	for k := range counts {
		chi2, want := 0.0, float64(steps*block)/256
		for _, c := range counts[k] {
			chi2 += (c - want) * (c - want) / want
		}
		if rejected(chi2, 255) {
			t.Errorf("pairs %d: χ² is %.1f with 255 degrees of freedom", k, chi2)
		}
	}
}

// The lanes of generators whose seeds follow one another start unrelated: words of their states occur twice as
// rarely as random words do.
func TestSeedsAreUnrelated(t *testing.T) {
	seen, twice := map[uint32]bool{}, 0
	for seed := range uint64(256) {
		l := seeded(seed)
		for w := range l.s {
			for _, v := range l.s[w] {
				if seen[v] {
					twice++
				}
				seen[v] = true
			}
		}
	}
	// 2¹⁴ words give 2²⁷/2³² = 1/32 pairs on average; Poisson, five or more have probability 2.4e-10.
	if twice >= 5 {
		t.Errorf("%d words of 2¹⁴ occur twice", twice)
	}
}

// The frequencies of ones agree with 1/(1+exp(−x)), alone and jointly for neighbours, with all biases.
func TestBernoulliFrequencies(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	const n, draws = 45, 40000
	x, b0, b1, line := make([]float32, n), make([]float32, n), make([]float32, n), make([]float32, n)
	for i := range x {
		x[i], b0[i], b1[i] = float32(4*r.NormFloat64()), float32(r.NormFloat64()), float32(r.NormFloat64())
	}
	const beta = 0.3
	Line(line, 1-beta, b0, beta, b1)
	l, dst := seeded(5), make([]int32, n+block)
	for kind, draw := range []func() int{
		func() int { return Bernoulli(dst, x, 1, l) },
		func() int { return Bernoulli(dst, x, beta, l) },
		func() int { return BernoulliAlong(dst, x, beta, line, l) },
	} {
		var ones, both [n]float64
		for range draws {
			last := int32(-2)
			for _, i := range dst[:draw()] {
				ones[i]++
				if i == last+1 {
					both[i]++
				}
				last = i
			}
		}
		before := 0.0
		for i := range n {
			logit := float64(x[i])
			switch kind {
			case 1:
				logit *= beta
			case 2:
				logit = (1-beta)*float64(b0[i]) + beta*float64(b1[i]+x[i])
			}
			p := 1 / (1 + math.Exp(-logit))
			// 270 binomial counts, each within 6.5 standard deviations: 2e-8 in all, a little more in the tails.
			for _, c := range []struct{ count, p float64 }{{ones[i], p}, {both[i], p * before}} {
				sd := math.Sqrt(draws * c.p * (1 - c.p))
				if math.Abs(c.count-draws*c.p) > 6.5*sd+10 {
					t.Errorf("kind %d, bit %d: %v ones of %d, want %.1f ± %.1f", kind, i, c.count, draws, draws*c.p, sd)
				}
			}
			before = p
		}
	}
}

// Rare bits are as rare as their logits say: at −14, 8.3e-7.
func TestRareBits(t *testing.T) {
	if testing.Short() || best() == plainGo {
		t.Skip("2²⁸ draws are slow without assembly")
	}
	const n, calls = 1 << 10, 1 << 18
	x, l, dst := make([]float32, n), seeded(6), make([]int32, n+block)
	for i := range x {
		x[i] = -14
	}
	count := 0
	for range calls {
		count += Bernoulli(dst, x, 1, l)
	}
	// A Poisson number with mean 223 is outside 143 to 327 with probability below 1e-7.
	if want := n * calls / (1 + math.Exp(14)); count < 143 || count > 327 {
		t.Errorf("%d ones, want %.1f", count, want)
	}
}

func TestLanesMarshal(t *testing.T) {
	l := seeded(7)
	l.next()
	state, err := l.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var copied Lanes
	if err := copied.UnmarshalBinary(state); err != nil {
		t.Fatal(err)
	}
	if copied.next() != l.next() {
		t.Error("the copy draws other numbers")
	}
	kept := copied
	for name, bad := range map[string][]byte{"short": state[1:], "empty": nil, "zero": make([]byte, len(state))} {
		if copied.UnmarshalBinary(bad) == nil || copied != kept {
			t.Errorf("%s: no error, or the state has changed", name)
		}
	}
}

// A lane of zeros would draw zeros for ever.
func TestSeedIsNeverZero(t *testing.T) {
	var l Lanes
	l.Seed(rand.New(zeros{}))
	for i := range block {
		if l.s[0][i] == 0 {
			t.Errorf("lane %d is zero", i)
		}
	}
}

type zeros struct{}

func (zeros) Uint64() uint64 { return 0 }

func TestNoAllocations(t *testing.T) {
	x, y, l := make([]float32, 50), make([]float32, 50), seeded(8)
	dst, rows := make([]int32, 50+block), []int32{0, 0, 0}
	sum := 0.0
	if n := testing.AllocsPerRun(100, func() {
		SumRows(y, x, 50, rows)
		AddRows(y, x, 50, rows)
		Line(x, 0.5, x, 2, y)
		BernoulliAlong(dst, x, 0.5, y, l)
		Bernoulli(dst, x, 1, l)
		sum += SumSoftplus(x, 1) + SumSoftplusStep(x, 0.5, 0.6) + Dot(x, y)
		Sigmoid(y, x)
		Softplus(y, x)
		Axpy(y, 0.5, x)
	}); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}
