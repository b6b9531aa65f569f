package lda

import (
	"math/bits"

	"github.com/ergodic-mcmc/ergodic/rng"
)

// key names streams: 128 bits that stand for a seed, a purpose and indices.
type key struct{ hi, lo uint64 }

func newKey(seed uint64, purpose string, index ...uint64) key {
	r := rng.New(seed, purpose, index...)
	return key{r.Uint64(), r.Uint64()}
}

// at adds an index to a name: two counters that start at the name, each through the finalizer of SplitMix64 (Steele, Lea
// and Flood, 2014), so two indices never share a name. It takes a nanosecond where a digest takes a hundred.
func (k key) at(i uint64) key {
	return key{mix(k.hi + i*0x9e3779b97f4a7c15), mix(k.lo + i*0xd1342543de82ef95)}
}

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// stream is the generator xoroshiro128++ (Blackman and Vigna, 2021). It is passed by value, so that a loop has it in
// registers; a call through rand.Rand would take a third of warp's time.
type stream struct{ a, b uint64 }

// stream is the stream of an index of the name.
func (k key) stream(i uint64) stream {
	k = k.at(i)
	if k.hi|k.lo == 0 { // the one state that the generator never leaves
		k.hi = 1
	}
	return stream{k.hi, k.lo}
}

// next is 64 random bits and the stream after them.
func (s stream) next() (uint64, stream) {
	b := s.a ^ s.b
	return bits.RotateLeft64(s.a+s.b, 17) + s.a, stream{bits.RotateLeft64(s.a, 49) ^ b ^ b<<21, bits.RotateLeft64(b, 28)}
}

// unit maps random bits to a multiple of 2⁻⁵³ in [0, 1).
func unit(u uint64) float64 { return float64(u>>11) * 0x1p-53 }

// below maps random bits to a number below n, each as likely to within n/2⁶⁴.
func below(u uint64, n int) int {
	i, _ := bits.Mul64(u, uint64(n))
	return int(i)
}
