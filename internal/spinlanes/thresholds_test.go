package spinlanes

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/streams"
)

// accepts is the probability that the trials of a change all succeed.
func accepts(t *Thresholds, x int32) float64 {
	if x <= 0 {
		return 1
	}
	if x > t.limit {
		return 0
	}
	p := 1.0
	for d := range t.digits {
		threshold := uint64(0)
		for plane := range perPlane {
			threshold = threshold<<16 | uint64(t.planes[(d*perPlane+plane)*base+int(x>>(shift*d))&(base-1)])
		}
		p *= (float64(threshold) + 1) * 0x1p-64
	}
	return p
}

// Probabilities are within 6·2⁻⁶⁴ + 10⁻¹³p of p = e^{−rx}, and zero where p < 2⁻⁶⁴: the exponential of package math is the reference.
func TestThresholds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var th Thresholds
	for _, bound := range []int32{0, 1, 63, 64, 4095, 4096, math.MaxInt16, 1 << 20, MaxField} {
		for _, rate := range append([]float64{0, math.Inf(1), 64 * math.Ln2, 44, 45, 1e-300}, math.Exp(-20*r.Float64()), math.Exp(-20*r.Float64()), math.Exp(-5*r.Float64())) {
			th.Set(rate, bound)
			for k := range 300 {
				x := min(int32(k), bound)
				if k > 100 {
					x = int32(r.Int64N(int64(bound) + 1))
				}
				if k > 200 && th.limit > 0 {
					x = 1 + r.Int32N(th.limit)
				}
				want := math.Exp(-rate * float64(x))
				if x == 0 {
					want = 1
				}
				got := accepts(&th, x)
				if math.Abs(got-want) > 6*0x1p-64+1e-13*want {
					t.Fatalf("rate %v, change %d: probability %v, want %v", rate, x, got, want)
				}
				if want < 0x1p-64*(1-1e-12) && got != 0 {
					t.Fatalf("rate %v, change %d: probability %v, want 0", rate, x, got)
				}
			}
		}
	}
}

// Limits accept what they include, and nothing else, also after a rate and before one.
func TestLimits(t *testing.T) {
	var th Thresholds
	for _, bound := range []int32{0, 70, 5000} {
		for _, limit := range []int32{-5, 0, 1, 64, 4000, 6000} {
			th.Set(0.1, bound)
			th.SetLimit(limit, bound)
			for x := int32(-1); x <= bound; x++ {
				want := 0.0
				if x <= max(limit, 0) {
					want = 1
				}
				if got := accepts(&th, x); got != want {
					t.Fatalf("limit %d, bound %d: a change %d has probability %v", limit, bound, x, got)
				}
			}
			th.Set(0.1, bound)
			if bound > 0 && accepts(&th, 1) == 1 {
				t.Fatal("a limit stays when a rate is set")
			}
		}
	}
}

// The reference is the generator as its authors describe it, one alone.
func TestGenerator(t *testing.T) {
	var g Generator
	g.Seed(streams.New(1, "test").Stream(2))
	rotl := func(x uint64, k int) uint64 { return x<<k | x>>(64-k) }
	var alone [8][4]uint64
	for i := range alone {
		for w := range 4 {
			alone[i][w] = g.s[w][i]
		}
	}
	var u [Lanes]uint16
	for range 1000 {
		g.next(&u)
		for i := range alone {
			s := &alone[i]
			result := rotl(s[0]+s[3], 23) + s[0]
			x := s[1] << 17
			s[2] ^= s[0]
			s[3] ^= s[1]
			s[1] ^= s[2]
			s[0] ^= s[3]
			s[2] ^= x
			s[3] = rotl(s[3], 45)
			for k := range 4 {
				if want := uint16(result >> (16 * k)); u[4*i+k] != want {
					t.Fatalf("lane %d has %#x, want %#x", 4*i+k, u[4*i+k], want)
				}
			}
		}
	}
	var zero Generator
	zero.s[3][1] = 1
	zero.Seed(streams.Stream{})
	for i := range 8 {
		if zero.s[0][i]|zero.s[1][i]|zero.s[2][i]|zero.s[3][i] == 0 {
			t.Errorf("generator %d never leaves zero", i)
		}
	}
}
