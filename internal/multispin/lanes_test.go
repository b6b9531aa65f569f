package multispin

import (
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/streams"
)

// The reference is the generator as its authors describe it, one lane alone.
func TestLanesAreXoshiro(t *testing.T) {
	var l Lanes
	l.Seed(streams.New(1, "test").Stream(2))
	for i := range Vector {
		alone := [4]uint64{l.s[0][i], l.s[1][i], l.s[2][i], l.s[3][i]}
		s0, s1, s2, s3 := alone[0], alone[1], alone[2], alone[3]
		for range 1000 {
			var out uint64
			out, s0, s1, s2, s3 = next(s0, s1, s2, s3)
			if want := xoshiro256pp(&alone); out != want {
				t.Fatalf("lane %d gives %#x, want %#x", i, out, want)
			}
		}
	}
}

func xoshiro256pp(s *[4]uint64) uint64 {
	rotl := func(x uint64, k int) uint64 { return x<<k | x>>(64-k) }
	result := rotl(s[0]+s[3], 23) + s[0]
	t := s[1] << 17
	s[2] ^= s[0]
	s[3] ^= s[1]
	s[1] ^= s[2]
	s[0] ^= s[3]
	s[2] ^= t
	s[3] = rotl(s[3], 45)
	return result
}

// Seeds that follow one another give states without a word in common: of 2¹⁸ random words of 64 bits two are equal with
// probability 2e-9.
func TestSeedsAreUnrelated(t *testing.T) {
	seen := map[uint64]bool{}
	for hi := range uint64(64) {
		for lo := range uint64(128) {
			var l Lanes
			l.Seed(streams.New(hi, "test").Stream(lo))
			for w := range l.s {
				for _, v := range l.s[w] {
					if seen[v] {
						t.Fatalf("a word of seed %d, %d is there twice", hi, lo)
					}
					seen[v] = true
				}
			}
		}
	}
}
