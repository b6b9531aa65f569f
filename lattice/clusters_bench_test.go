package lattice

import (
	"math"
	"testing"

	"github.com/ergodic-mcmc/ergodic/rng"
)

func BenchmarkSwendsenWang(b *testing.B) {
	g, err := Geometry{Size: []int{2048, 2048}}.Graph(1)
	if err != nil {
		b.Fatal(err)
	}
	m := &Model{Graph: g}
	k, err := NewSwendsenWang(m, math.Log(1+math.Sqrt2)/2, 1)
	if err != nil {
		b.Fatal(err)
	}
	r := rng.New(1, "x").Rand
	s := m.Random(r)
	for range 30 {
		k.Step(s, r)
	}
	b.ResetTimer()
	for range b.N {
		k.Step(s, r)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(g.Sites()), "ns/site")
}

func BenchmarkInt8(b *testing.B) {
	const l = 2048
	s := make([]int8, l*l)
	for i := range s {
		s[i] = 1
	}
	r := rng.New(1, "x").Rand
	bc := math.Log(1+math.Sqrt2) / 2
	var table [9]uint64
	for h := -4; h <= 4; h += 2 {
		table[h+4] = uint64(min(1, math.Exp(-2*bc*float64(h))) * (1<<63 - 1))
	}
	_ = r
	x := uint64(88172645463325252)
	b.ResetTimer()
	for range b.N {
		for y := 0; y < l; y++ {
			up, down := ((y+l-1)%l)*l, ((y+1)%l)*l
			for c := 0; c < l; c++ {
				i := y*l + c
				h := s[up+c] + s[down+c] + s[y*l+(c+1)&(l-1)] + s[y*l+(c-1)&(l-1)]
				x ^= x << 13
				x ^= x >> 7
				x ^= x << 17
				if x>>1 < table[s[i]*h+4] {
					s[i] = -s[i]
				}
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(l*l), "ns/site")
}
