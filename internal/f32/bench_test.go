package f32

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// BenchmarkSweep is a Gibbs sweep with the increment of annealed importance sampling, of machines of 784 visible units, per set.
// The base is uniform and β runs from 0 to 1; the weights are drawn so that about as many units are on as in
// the models of the tests of rbm.
func BenchmarkSweep(b *testing.B) {
	for _, m := range []struct {
		name   string
		hidden int
		bias   float32
	}{{"h10", 10, 0}, {"h20", 20, -4}, {"h100", 100, -3}, {"h500", 500, -2.5}} {
		for _, s := range sets() {
			b.Run(m.name+"/"+s.String(), func(b *testing.B) { benchmarkSweep(b, s, m.hidden, m.bias) })
		}
	}
}

func benchmarkSweep(b *testing.B, s set, hidden int, bias float32) {
	const visible = 784
	r := rand.New(rand.NewPCG(1, 2))
	var l Lanes
	l.Seed(r)
	stride := Stride(hidden)
	w, wt := make([]float32, visible*stride), make([]float32, visible*hidden)
	for i := range visible {
		for j := range hidden {
			v := float32(r.NormFloat64() * 0.1)
			w[i*stride+j], wt[j*visible+i] = v, v
		}
	}
	ha, va := make([]float32, hidden), make([]float32, visible)
	for j := range ha {
		ha[j] = -bias
	}
	for i := range va {
		va[i] = 1
	}
	x, y := make([]float32, hidden), make([]float32, visible)
	vs, hs := make([]int32, visible+block), make([]int32, hidden+block)
	log := 0.0
	nv, nh, done := 0, 0, 0
	for b.Loop() {
		beta := float64(done%10000) / 10000
		log += s.sumStep(x, beta, beta+1e-4)
		c := float32(-beta * math.Log2E)
		h := hs[:s.bernoulliAlong(hs, x, ha, c, &l)]
		addRows(s, y, nil, wt, visible, h)
		v := vs[:s.bernoulliAlong(vs, y, va, c, &l)]
		addRows(s, x, nil, w, stride, v)
		done++
		nv += len(v)
		nh += len(h)
	}
	b.ReportMetric(float64(nv)/float64(done), "visible")
	b.ReportMetric(float64(nh)/float64(done), "hidden")
	if math.IsNaN(log) {
		b.Error("NaN")
	}
}

func BenchmarkParts(b *testing.B) {
	const n = 784
	r := rand.New(rand.NewPCG(1, 2))
	var l Lanes
	l.Seed(r)
	x, y, bias := make([]float32, n), make([]float32, n), make([]float32, n)
	dst := make([]int32, n+block)
	for i := range x {
		x[i], bias[i] = float32(r.NormFloat64()), -1
	}
	w := make([]float32, 784*n)
	var rows []int32
	for i := int32(1); i < 784; i += 3 {
		rows = append(rows, i)
	}
	for _, s := range sets() {
		b.Run("bernoulli/"+s.String(), func(b *testing.B) {
			for b.Loop() {
				s.bernoulli(dst, x, 0.5, &l)
			}
		})
		b.Run("along/"+s.String(), func(b *testing.B) {
			for b.Loop() {
				s.bernoulliAlong(dst, x, bias, 0.5, &l)
			}
		})
		b.Run("step/"+s.String(), func(b *testing.B) {
			for b.Loop() {
				s.sumStep(x, 0.5, 0.5001)
			}
		})
		for _, m := range []int{10, 20, 64, 100, 256, 500, 784} {
			b.Run(fmt.Sprintf("rows%d/%v", m, s), func(b *testing.B) {
				b.SetBytes(int64(4 * m * len(rows)))
				for b.Loop() {
					addRows(s, y[:m], nil, w[:784*Stride(m)], Stride(m), rows)
				}
			})
		}
	}
}
