package draws

import "testing"

// A scalar and a vector of 3 float64, and one statistic of 1 byte: 33 bytes a
// draw. Files of metadata count as blocks of 4096 bytes: 3 for each of three
// arrays, and 3 for the vector's dimension.
func TestForecast(t *testing.T) {
	l := Layout{Chains: 2, Posterior: []Variable{{Name: "x"}, {Name: "v", Dims: []int{3}}}, Stats: []string{Diverging}, SaveWarmup: true}
	const files = 12 * block
	if got, want := l.Forecast(nil, 100, 1000), float64(2*(1000+100)*33+2*files); got != want {
		t.Errorf("a new run: %v, not %v", got, want)
	}
	w, err := Create(t.TempDir(), l)
	if err != nil {
		t.Fatal(err)
	}
	for c := range l.Chains {
		for i := range 400 {
			if err := w.Append(c, i < 100, make([]float64, l.Width()), Stat{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := Open(w.dir)
	if err != nil {
		t.Fatal(err)
	}
	// 8192 rows of every array are a chunk; there are 300 draws, and the warm-up is whole.
	const chunks = 2 * maxRows * 33
	for kept, more := range map[int]int{300: 0, 1000: 700, 9000: 8700} {
		if got, want := l.Forecast(r, 100, kept), float64(2*more*33+2*chunks); got != want {
			t.Errorf("%d draws of a resumed run: %v, not %v", kept, got, want)
		}
	}
}
