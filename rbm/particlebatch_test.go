package rbm

import (
	"math/rand/v2"
	"reflect"
	"strconv"
	"testing"
)

// Particles have the same moves in a batch and alone.
func TestGroupsMoveAsParticlesDo(t *testing.T) {
	m := random(450, 300, 0.1, 1)
	geometric := family(t, m, m.VisibleBias)
	averaged := *geometric
	averaged.knots = knotsAt([][]float64{m.VisibleBias, make([]float64, m.Visible), m.VisibleBias})
	for _, f := range []*Family{geometric, &averaged} {
		if f.GroupSize() != groupSize {
			t.Fatalf("%d together", f.GroupSize())
		}
		for _, n := range []int{1, 2, 5, groupSize, groupSize + 3} {
			alone, all, rs := make([]*Particle, n), make([]*Particle, n), make([]*rand.Rand, n)
			for i := range n {
				alone[i], all[i], rs[i] = f.New(), f.New(), newRand(1)
				f.Base(alone[i], newRand(uint64(i)))
				f.Base(all[i], newRand(uint64(i)))
			}
			for k := range 5 {
				beta := float64(k+1) / 5
				f.MoveAll(all, beta, rs)
				for i := range n {
					f.Move(alone[i], beta, rs[i])
					if !reflect.DeepEqual(alone[i].on, all[i].on) || !reflect.DeepEqual(alone[i].input, all[i].input) || alone[i].lanes != all[i].lanes {
						t.Fatalf("%d together, β = %v: particle %d moves another way", n, beta, i)
					}
				}
			}
		}
	}
}

func TestMachinesWithAFewUnitsMoveOneByOne(t *testing.T) {
	if n := family(t, random(16, 30, 1, 1), nil).GroupSize(); n != 1 {
		t.Errorf("%d together", n)
	}
}

func TestGroupsDoNotAllocate(t *testing.T) {
	f := family(t, random(450, 300, 0.1, 1), nil)
	ps, rs := make([]*Particle, 10), make([]*rand.Rand, 10)
	for i := range ps {
		ps[i] = f.New()
		f.Base(ps[i], newRand(uint64(i)))
	}
	if n := testing.AllocsPerRun(20, func() { f.MoveAll(ps, 0.5, rs) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkGroup moves so many particles by their increments and a sweep; the time is that of one.
func BenchmarkGroup(b *testing.B) {
	f := family(b, sharedModel(b, "h500"), nil)
	for _, n := range []int{1, 16, 50, groupSize} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			ps, rs := make([]*Particle, n), make([]*rand.Rand, n)
			for i := range ps {
				ps[i] = f.New()
				f.Base(ps[i], newRand(uint64(i)))
			}
			done := 0
			for b.Loop() {
				beta := float64(done%2000) / 2000
				f.MoveAll(ps, beta, rs)
				for _, p := range ps {
					f.LogRatio(p, beta, beta+0.0005)
				}
				done++
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/sweep")
		})
	}
}
