package draws

import (
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
