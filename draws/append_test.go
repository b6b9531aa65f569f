package draws

import (
	"fmt"
	"path/filepath"
	"testing"
)

// BenchmarkAppendScalars is the recording of a small model: five scalars a
// draw, as many sample statistics, four chains.
func BenchmarkAppendScalars(b *testing.B) {
	l := Layout{Chains: 4}
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		l.Posterior = append(l.Posterior, Variable{Name: name})
	}
	w, err := Create(filepath.Join(b.TempDir(), "draws.zarr"), l)
	if err != nil {
		b.Fatal(err)
	}
	row := make([]float64, l.Width())
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if err := w.Append(i%l.Chains, false, row, Stat{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRecordMany is the recording of a run of 500 scalars, from the first
// folder to the last byte.
func BenchmarkRecordMany(b *testing.B) {
	l := Layout{Chains: 4}
	for k := range 500 {
		l.Posterior = append(l.Posterior, Variable{Name: fmt.Sprint("a", k)})
	}
	row := make([]float64, l.Width())
	for i := 0; b.Loop(); i++ {
		w, err := Create(filepath.Join(b.TempDir(), fmt.Sprint(i)), l)
		if err != nil {
			b.Fatal(err)
		}
		for d := range 5000 {
			for c := range l.Chains {
				row[d%len(row)] = float64(d * c)
				if err := w.Append(c, false, row, Stat{}); err != nil {
					b.Fatal(err)
				}
			}
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
