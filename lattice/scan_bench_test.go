package lattice

import (
	"fmt"
	"testing"

	"github.com/ergodic-mcmc/ergodic/rng"
)

// Time a spin of the scans on a square lattice.
func BenchmarkScan(b *testing.B) {
	for _, side := range []int{64, 512, 2048} {
		g := must(Geometry{Size: []int{side, side}}.Graph(1))
		for _, q := range []int{0, 3, 10} {
			for _, kernel := range singleSite {
				for scan := Systematic; scan <= Checkerboard; scan++ {
					m := &Model{Graph: g, Q: q}
					k := must(kernel.make(m, []float64{0: 0.44, 3: 1, 10: 1.4}[q], ScanSettings{Scan: scan, Threads: 1}))
					b.Run(fmt.Sprintf("%d/q=%d/%s/%v", side, q, kernel.name, scan), func(b *testing.B) {
						r := rng.New(1, "test").Rand
						s := m.Random(r)
						for i := 0; i < b.N; i += side * side {
							k.Step(s, r)
						}
					})
				}
			}
		}
	}
}
