package columns

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// BenchmarkColumns gives ns per row of 1024 rows, or of 256 rows and 20 columns, for each set.
func BenchmarkColumns(b *testing.B) {
	const n = 1024
	r := rand.New(rand.NewPCG(1, 1))
	random := func(n int, scale, shift float64) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = scale*r.NormFloat64() + shift
		}
		return x
	}
	x, y, d := random(n, 2, 0), random(n, 2, 0), random(n, 1, 0)
	positive, binary := make([]float64, n), make([]float64, n)
	Exp(positive, x)
	for i := range binary {
		binary[i] = float64(r.IntN(2))
	}
	idx, panel, beta := make([]int32, n), random(256*20, 1, 0), random(20, 1, 0)
	for i := range idx {
		idx[i] = int32(r.IntN(85))
	}
	var s, s2 Sums
	var t Density
	sums := make([]Sums, 20)
	for _, c := range []struct {
		name string
		rows int
		run  func(s set)
	}{
		{"add", n, func(s set) { s.add(d, x, y) }},
		{"addScaled", n, func(s set) { s.addScaled(d, x, 1e-9) }},
		{"div", n, func(s set) { s.div(d, x, positive) }},
		{"gather", n, func(s set) { s.gather(d, x[:85], idx) }},
		{"sum", n, func(k set) { k.sum(&s, x) }},
		{"dot", n, func(k set) { k.dot(&s, x, y) }},
		{"addLogs", n, func(k set) { t.Logs = Logs{}; t.Logs.room(n, 1); k.addLogs(&t.Logs, positive) }},
		{"exp", n, func(s set) { s.exp(d, x) }},
		{"log", n, func(s set) { s.log(d, positive) }},
		{"log1pExp", n, func(s set) { s.log1pExp(d, x) }},
		{"ilogit", n, func(s set) { s.ilogit(d, x) }},
		{"sqrt", n, func(s set) { s.sqrt(d, positive) }},
		{"tanh", n, func(s set) { s.tanh(d, x) }},
		{"lgamma", n, func(s set) { s.lgamma(d, positive) }},
		{"normal", n, func(k set) { k.normal(&s, d, x, y, 0.5) }},
		{"normalRows", n, func(k set) { k.normalRows(&s, d, d, x, y, positive) }},
		{"normalLine", n, func(k set) { k.normalLine(&s, d, x, y, positive, 1e-9, 0.5) }},
		{"normalPlane", n, func(k set) { k.normalPlane(&s, d, d, x, y, positive, y, positive, 1e-9) }},
		{"bernoulliLogit", n, func(k set) {
			t = Density{}
			t.Logs.room(n, 1)
			k.bernoulliLogit(&t.Terms, &t.Logs.product, d, binary, x)
		}},
		{"bernoulliProbit", n, func(k set) {
			t = Density{}
			t.Factors.room(n, 1)
			k.bernoulliProbit(&t.Terms, &t.Factors, d, binary, x)
		}},
		{"binomialLogit", n, func(k set) { k.binomialLogit(&s, d, binary, positive, x) }},
		{"orderedLogit", n, func(k set) {
			t = Density{}
			t.Factors.room(t.Logs.room(n, 2), 1)
			k.orderedLogit(&t, d, y, x, positive)
		}},
		{"orderedProbit", n, func(k set) {
			t = Density{}
			t.Factors.room(n, 1)
			k.orderedProbit(&t.Terms, &t.Factors, d, y, x, positive)
		}},
		{"negBinLog", n, func(k set) { k.negBinLog(&s, &s2, d, binary, positive, x, 2.5) }},
		{"digamma", n, func(s set) { s.digamma(d, positive) }},
		{"poissonLog", n, func(k set) { k.poissonLog(&s, d, binary, x) }},
		{"matVec20", 256, func(k set) { fillGo(d[:256], 0); k.addMatVec(d[:256], panel, 256, beta) }},
		{"matTVec20", 256, func(k set) { k.addMatTVec(sums, panel, 256, x[:256]) }},
	} {
		for _, s := range sets() {
			b.Run(fmt.Sprintf("%s/%v", c.name, s), func(b *testing.B) {
				// The least of many short batches: others use the machine too.
				least := time.Duration(math.MaxInt64)
				for b.Loop() {
					start := time.Now()
					for range 8 {
						c.run(s)
					}
					least = min(least, time.Since(start))
				}
				b.ReportMetric(float64(least.Nanoseconds())/float64(8*c.rows), "ns/row")
			})
		}
	}
}
