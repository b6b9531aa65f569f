package multispin

import (
	"math/bits"

	"github.com/ergodic-mcmc/ergodic/internal/streams"
)

// Vector is the number of words that advance together, and of the generators' lanes.
const Vector = 8

// Lanes is a vector of eight independent xoshiro256++ generators (Blackman & Vigna 2021), of period 2²⁵⁶ − 1 each. Call Seed
// before its first use. It is not safe for concurrent use.
type Lanes struct {
	s       [4][Vector]uint64 // word, lane
	open    open              // a workspace, as is the next
	numbers [2][group * head]uint64
}

// Seed fills the state with the numbers of a stream.
func (l *Lanes) Seed(from streams.Stream) {
	for w := range l.s {
		for i := range l.s[w] {
			l.s[w][i], from = from.Next()
		}
	}
	// Zero is the one state that a generator never leaves.
	for i := range Vector {
		if l.s[0][i]|l.s[1][i]|l.s[2][i]|l.s[3][i] == 0 {
			l.s[0][i] = 1
		}
	}
}

// next is one step of one lane, and its output.
func next(s0, s1, s2, s3 uint64) (out, t0, t1, t2, t3 uint64) {
	out = bits.RotateLeft64(s0+s3, 23) + s0
	s2 ^= s0
	s3 ^= s1
	return out, s0 ^ s3, s1 ^ s2, s2 ^ s1<<17, bits.RotateLeft64(s3, 45)
}

// random puts the next n numbers of a lane and of the one after it into the workspace: in turns, as one alone would have the processor
// wait.
func (l *Lanes) random(lane, n int) {
	s0, s1, s2, s3 := l.s[0][lane], l.s[1][lane], l.s[2][lane], l.s[3][lane]
	t0, t1, t2, t3 := l.s[0][lane+1], l.s[1][lane+1], l.s[2][lane+1], l.s[3][lane+1]
	// As next, a line a step: in this order nothing has to leave the registers.
	for i := range min(n, group*head) {
		out := s0 + s3
		out = bits.RotateLeft64(out, 23)
		l.numbers[0][i] = out + s0
		x := s1 << 17
		s2 ^= s0
		s3 ^= s1
		s1 ^= s2
		s0 ^= s3
		s2 ^= x
		s3 = bits.RotateLeft64(s3, 45)

		out = t0 + t3
		out = bits.RotateLeft64(out, 23)
		l.numbers[1][i] = out + t0
		x = t1 << 17
		t2 ^= t0
		t3 ^= t1
		t1 ^= t2
		t0 ^= t3
		t2 ^= x
		t3 = bits.RotateLeft64(t3, 45)
	}
	l.s[0][lane], l.s[1][lane], l.s[2][lane], l.s[3][lane] = s0, s1, s2, s3
	l.s[0][lane+1], l.s[1][lane+1], l.s[2][lane+1], l.s[3][lane+1] = t0, t1, t2, t3
}
