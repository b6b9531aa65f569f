package lattice

import (
	"fmt"
	"math"
	"math/cmplx"
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/rng"
)

// geometries are lattices of every kind, with sides that do and do not fill words of 64 bits.
func geometries() []Geometry {
	return []Geometry{
		{Size: []int{100}}, {Size: []int{64}, Boundary: Open}, {Size: []int{8, 8}}, {Size: []int{5, 7}}, {Size: []int{64, 64}}, {Size: []int{130, 3}},
		{Size: []int{12, 9}, Boundary: Open}, {Size: []int{16, 10}, Boundary: Helical}, {Size: []int{4, 6, 5}}, {Size: []int{4, 6, 5}, Boundary: Helical},
		{Size: []int{3, 3, 4, 3}}, {Size: []int{1, 70}}, {Kind: Triangular, Size: []int{9, 6}}, {Kind: Triangular, Size: []int{32, 32}},
		{Kind: Honeycomb, Size: []int{6, 6}}, {Kind: Honeycomb, Size: []int{5, 8}, Boundary: Open}, {Kind: Honeycomb, Size: []int{4, 5}, Boundary: Helical},
	}
}

func sitesOf(l Geometry) int {
	n := l.basis()
	for _, k := range l.Size {
		n *= k
	}
	return n
}

// colours are random spins, of which neighbours often agree.
func colours(n, q int) []uint8 {
	r := rng.New(9, "colours", uint64(n), uint64(q))
	s := make([]uint8, n)
	for i := range s {
		if s[i] = uint8(r.IntN(q)); i > 0 && r.IntN(2) == 0 {
			s[i] = s[i-1]
		}
	}
	return s
}

// The correlations are those of the definition, pair by pair.
func TestCorrelation(t *testing.T) {
	for _, l := range geometries() {
		for _, q := range []int{2, 3, 8, 200} {
			c, err := NewCorrelation(l, q)
			if err != nil {
				t.Fatal(err)
			}
			n := sitesOf(l)
			s := colours(n, q)
			got := make([]float64, len(c.Lags))
			c.Measure(got, s)
			for k, r := range c.Lags {
				if want := correlationOf(l, q, s, r); math.Abs(got[k]-want) > 1e-12 {
					t.Errorf("%v %v %v, q = %d: G(%d) = %v, want %v", l.Kind, l.Boundary, l, q, r, got[k], want)
				}
			}
		}
	}
	if _, err := NewCorrelation(Geometry{Size: []int{1, 1}}, 2); err == nil {
		t.Error("correlations of one site")
	}
}

func correlationOf(l Geometry, q int, s []uint8, r int) float64 {
	sum, axes, stride := 0.0, 0.0, 1
	cells := len(s) / l.basis()
	for k, length := range l.Size {
		if length > 1 {
			axes++
			equal, pairs := 0.0, 0.0
			for i := range s {
				cell, kind := i/l.basis(), i%l.basis()
				x := cell / stride % length
				j := cell + r*stride
				switch {
				case l.Boundary == Helical:
					j %= cells
				case x+r >= length && l.Boundary == Open:
					continue
				case x+r >= length:
					j -= length * stride
				}
				pairs++
				if s[i] == s[l.basis()*j+kind] {
					equal++
				}
			}
			sum += (float64(q)*equal/pairs - 1) / float64(q-1)
		}
		stride *= l.Size[k]
	}
	return sum / axes
}

// Distances are all up to 16, then eight an octave, then the last.
func TestLags(t *testing.T) {
	if got := lags(50); !slices.Equal(got, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 24, 26, 28, 30, 32, 36, 40, 44, 48, 50}) {
		t.Errorf("%v", got)
	}
	if n := len(lags(50000)); n > 16+8*12+1 {
		t.Errorf("%d lags", n)
	}
}

// Structure factors are those of the definition, with sites where Position has them and wave vectors dual to the sides of the lattice.
func TestWaves(t *testing.T) {
	for _, l := range geometries() {
		for _, q := range []int{2, 3, 200} {
			w, err := NewWaves(l, q)
			if l.Boundary == Open {
				if err == nil {
					t.Errorf("%v has waves", l)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			s := colours(sitesOf(l), q)
			zero, first := w.Measure(s)
			wantZero, wantFirst := factorsOf(l, q, s)
			if math.Abs(zero-wantZero) > 1e-9*(1+wantZero) || math.Abs(first-wantFirst) > 1e-9*(1+wantFirst) {
				t.Errorf("%v %v %v, q = %d: S is %v and %v, want %v and %v", l.Kind, l.Boundary, l, q, zero, first, wantZero, wantFirst)
			}
			if q == 2 {
				m := (&Model{Graph: must(l.Graph(1))}).Magnetisation(&State{Spins: s})
				if n := float64(len(s)) * m * m; math.Abs(zero-n) > 1e-9*(1+n) {
					t.Errorf("%v: S(0) is %v, N m² %v", l, zero, n)
				}
			}
		}
	}
	if _, err := NewWaves(Geometry{Size: []int{2, 2}}, 2); err == nil {
		t.Error("waves of two sites")
	}
}

func factorsOf(l Geometry, q int, s []uint8) (zero, first float64) {
	longest := slices.Max(l.Size)
	var phases []func(i int) float64
	switch {
	case l.Boundary == Helical:
		phases = append(phases, func(i int) float64 {
			turn := 2 * math.Pi / float64(len(s)/l.basis())
			return turn * (float64(i/l.basis()) + float64(i%l.basis())/3)
		})
	case l.Kind == Cubic:
		for k, length := range l.Size {
			if length == longest {
				phases = append(phases, func(i int) float64 { return 2 * math.Pi * float64(l.Cell(nil, i)[k]) / float64(length) })
			}
		}
	default: // k_1 is dual to the first side a: k·a = 2π/L, and 0 with the other
		cell := 1.0
		if l.Kind == Honeycomb {
			cell = math.Sqrt(3)
		}
		sides := [2][2]float64{{cell, 0}, {cell / 2, cell * math.Sqrt(3) / 2}}
		for k := range 2 {
			if l.Size[k] == longest {
				a, b := sides[k], sides[1-k]
				f := 2 * math.Pi / float64(longest) / (a[0]*b[1] - a[1]*b[0])
				phases = append(phases, func(i int) float64 {
					at := l.Position(nil, i)
					return f * (at[0]*b[1] - at[1]*b[0])
				})
			}
		}
	}
	scale := float64(q) / float64(q-1) / float64(len(s))
	for c := range q {
		sum := 0.0
		for _, x := range s {
			if int(x) == c {
				sum++
			}
			sum -= 1 / float64(q)
		}
		zero += scale * sum * sum
		for _, phase := range phases {
			total := complex(0, 0)
			for i, x := range s {
				if int(x) == c {
					total += cmplx.Rect(1, phase(i))
				}
			}
			first += scale * real(total*cmplx.Conj(total)) / float64(len(phases))
		}
	}
	return zero, first
}

// On a ring of N Ising spins G(r) = (t^r + t^(N−r))/(1 + t^N) with t = tanh β (Ising 1925), over all states; and the correlation length of
// second moment is √t/(1 − t) up to t^N.
func TestRingExactly(t *testing.T) {
	const n, beta = 14, 0.5
	l := Geometry{Size: []int{n}}
	c, err := NewCorrelation(l, 2)
	if err != nil {
		t.Fatal(err)
	}
	w, err := NewWaves(l, 2)
	if err != nil {
		t.Fatal(err)
	}
	m := &Model{Graph: must(l.Graph(1))}
	g, mean := make([]float64, len(c.Lags)), make([]float64, len(c.Lags))
	norm, zero, first := 0.0, 0.0, 0.0
	s := &State{make([]uint8, n)}
	for k := range 1 << n {
		for i := range n {
			s.Spins[i] = uint8(k >> i & 1)
		}
		p := math.Exp(-beta * m.Energy(s))
		norm += p
		c.Measure(g, s.Spins)
		for r, v := range g {
			mean[r] += p * v
		}
		a, b := w.Measure(s.Spins)
		zero, first = zero+p*a, first+p*b
	}
	th := math.Tanh(beta)
	for k, r := range c.Lags {
		want := (math.Pow(th, float64(r)) + math.Pow(th, float64(n-r))) / (1 + math.Pow(th, n))
		if math.Abs(mean[k]/norm-want) > 1e-12 {
			t.Errorf("G(%d) = %v, want %v", r, mean[k]/norm, want)
		}
	}
	if xi, want := math.Sqrt(zero/first-1)/w.Number, math.Sqrt(th)/(1-th); math.Abs(xi/want-1) > 30*math.Pow(th, n) {
		t.Errorf("correlation length %v, want %v", xi, want)
	}
}

// The wave numbers are those of the continuum for large lattices: 2π/L along a side, and in a triangular lattice 2π/(L √3/2).
func TestWaveNumbers(t *testing.T) {
	const side = 1000
	for _, c := range []struct {
		l    Geometry
		want float64
	}{
		{Geometry{Size: []int{side, side}}, 2 * math.Pi / side},
		{Geometry{Kind: Triangular, Size: []int{side, side}}, 2 * math.Pi / side / (math.Sqrt(3) / 2)},
		{Geometry{Kind: Honeycomb, Size: []int{side, side}}, 2 * math.Pi / side / 1.5},
		{Geometry{Size: []int{side, side}, Boundary: Helical}, 2 * math.Pi / side},
	} {
		w, err := NewWaves(c.l, 2)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(w.Number/c.want-1) > 1e-5 {
			t.Errorf("%v %v: %v, want %v", c.l.Kind, c.l.Boundary, w.Number, c.want)
		}
	}
}

func TestMeasuringAllocatesNothing(t *testing.T) {
	for _, l := range geometries() {
		c, err := NewCorrelation(l, 3)
		if err != nil {
			t.Fatal(err)
		}
		s := colours(sitesOf(l), 3)
		g := make([]float64, len(c.Lags))
		if n := testing.AllocsPerRun(5, func() { c.Measure(g, s) }); n > 0 {
			t.Errorf("%v: correlations allocate %v", l, n)
		}
		w, err := NewWaves(l, 3)
		if err != nil {
			continue
		}
		if n := testing.AllocsPerRun(5, func() { w.Measure(s) }); n > 0 {
			t.Errorf("%v: waves allocate %v", l, n)
		}
	}
}

func BenchmarkMeasure(b *testing.B) {
	for _, l := range []Geometry{{Size: []int{64, 64}}, {Size: []int{1024, 1024}}, {Size: []int{64, 64, 64}}} {
		for _, q := range []int{2, 3} {
			s := colours(sitesOf(l), q)
			c, err := NewCorrelation(l, q)
			if err != nil {
				b.Fatal(err)
			}
			w, err := NewWaves(l, q)
			if err != nil {
				b.Fatal(err)
			}
			g := make([]float64, len(c.Lags))
			b.Run(fmt.Sprintf("correlation/%v/%d", l, q), func(b *testing.B) {
				for b.Loop() {
					c.Measure(g, s)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(s)), "ns/site")
			})
			b.Run(fmt.Sprintf("waves/%v/%d", l, q), func(b *testing.B) {
				for b.Loop() {
					w.Measure(s)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(s)), "ns/site")
			})
		}
	}
}
