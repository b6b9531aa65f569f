package lattice

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Waves measures the structure factor of a configuration,
//
//	S(k) = q/(q − 1) 1/N Σ_c |Σ_j (δ(s_j, c) − 1/q) exp(i k·x_j)|²,
//
// which for the Ising model is |Σ_j s_j exp(i k·x_j)|²/N, at k = 0 and at the smallest wave vectors: along the longest axes of a periodic
// lattice, and along the helix of a helical one. It is in proportion to the Fourier transform of G, and S(0) of the Ising model is N m².
type Waves struct {
	// Number is 2 sin(π/L) on a cubic lattice of L sites a side, the square root of the lattice's Laplacian at the wave vector; on a triangular
	// one 4/√3 sin(π/L), and on a honeycomb 4/3 sin(π/L) for L cells: what Series.Wave takes, lengths being in units of a bond.
	Number float64

	sites, q int
	basis    int
	axes     []axis
	length   int       // of the longest
	cos, sin []float64 // of a slice, or of a site of a helix, with a third of a step between them in honeycombs
	count    []int32   // workspace: slices × kinds of sites × colours
	eight    []uint64  // eight columns each
	sums     []float64 // of each colour, real and imaginary part
}

// NewWaves prepares for a lattice and a number of colours, 2 for the Ising model. Open boundaries have no waves: it is an error.
func NewWaves(l Geometry, q int) (*Waves, error) {
	n, err := l.sites()
	if err != nil {
		return nil, err
	}
	if l.Boundary == Open {
		return nil, fmt.Errorf("lattice: a correlation length by wave vectors takes a periodic or helical lattice, and this one is %v", l.Boundary)
	}
	w := &Waves{sites: n, q: q, basis: l.basis(), sums: make([]float64, 2*q)}
	stride := w.basis
	for _, length := range l.Size {
		if length > w.length {
			w.length, w.axes = length, nil
		}
		if length == w.length {
			w.axes = append(w.axes, axis{stride: stride, length: length, wraps: true})
		}
		stride *= length
	}
	if w.length < 3 {
		return nil, fmt.Errorf("lattice: size %v: a correlation length takes a side of three sites or more", l)
	}
	w.Number = 2 * math.Sin(math.Pi/float64(w.length))
	if l.Boundary == Helical {
		w.helix(l)
	} else {
		w.tables(w.basis*w.length, float64(w.length))
		w.count, w.eight = make([]int32, w.length*w.basis*q), make([]uint64, w.length/8)
	}
	switch l.Kind {
	case Triangular:
		w.Number *= 2 / math.Sqrt(3)
	case Honeycomb:
		w.Number *= 2.0 / 3
	}
	return w, nil
}

// helix is one wave along the sites in order, which turns once.
func (w *Waves) helix(l Geometry) {
	w.length = w.sites / w.basis
	w.axes = []axis{{stride: w.basis, length: w.length, wraps: true, flat: true}}
	w.tables(w.sites, float64(w.length))
	laplacian, stride := 0.0, 1
	for _, length := range l.Size {
		s := math.Sin(math.Pi * float64(stride) / float64(w.length))
		laplacian += float64(4 * s * s)
		stride *= length
	}
	w.Number = math.Sqrt(laplacian)
}

func (w *Waves) tables(n int, turn float64) {
	for i := range n {
		x := float64(i / w.basis)
		if i%w.basis == 1 {
			x += 1.0 / 3
		}
		sin, cos := math.Sincos(2 * math.Pi * x / turn)
		w.cos, w.sin = append(w.cos, cos), append(w.sin, sin)
	}
}

// Measure returns S(0) and S(k), averaged over the wave vectors. It allocates nothing.
func (w *Waves) Measure(spins []uint8) (zero, first float64) {
	q := float64(w.q)
	scale := q / (q - 1) / float64(w.sites)
	for k, a := range w.axes {
		clear(w.sums)
		var totals [256]int
		if a.flat {
			w.along(&totals, spins)
		} else {
			w.slices(&totals, a, spins)
		}
		power := 0.0
		for _, x := range w.sums {
			power += float64(x * x)
		}
		first += scale * power / float64(len(w.axes))
		if k == 0 {
			for _, n := range totals[:w.q] {
				d := float64(n) - float64(w.sites)/q
				zero += float64(scale * d * d)
			}
		}
	}
	return zero, first
}

// along sums over the sites of a helix.
func (w *Waves) along(totals *[256]int, spins []uint8) {
	for i, s := range spins {
		totals[s]++
		w.sums[2*int(s)] += w.cos[i]
		w.sums[2*int(s)+1] += w.sin[i]
	}
}

// slices counts the colours of each slice, and sums over slices.
func (w *Waves) slices(totals *[256]int, a axis, spins []uint8) {
	clear(w.count)
	if w.q == 2 && w.basis == 1 {
		w.countTwo(a, spins)
	} else {
		w.countAll(a, spins)
	}
	for i := range w.length * w.basis {
		for c := range w.q {
			n := w.count[i*w.q+c]
			totals[c] += int(n)
			w.sums[2*c] += float64(float64(n) * w.cos[i])
			w.sums[2*c+1] += float64(float64(n) * w.sin[i])
		}
	}
}

func (w *Waves) countAll(a axis, spins []uint8) {
	for len(spins) > 0 {
		for x := range a.length {
			if w.basis == 1 {
				count := w.count[x*w.q : (x+1)*w.q]
				for _, s := range spins[:a.stride] {
					count[s]++
				}
			} else {
				for j, s := range spins[:a.stride] {
					w.count[(2*x+j%2)*w.q+int(s)]++
				}
			}
			spins = spins[a.stride:]
		}
	}
}

// countTwo adds spins of 0 and 1 up.
func (w *Waves) countTwo(a axis, spins []uint8) {
	if a.stride == 1 {
		w.countColumns(spins, a.length)
	} else {
		for block := spins; len(block) > 0; block = block[a.stride*a.length:] {
			for x := range a.length {
				w.count[2*x+1] += sumBytes(block[x*a.stride : (x+1)*a.stride])
			}
		}
	}
	for x := range a.length {
		w.count[2*x] = int32(w.sites/a.length) - w.count[2*x+1]
	}
}

// countColumns adds rows of spins up, eight columns side by side in bytes, which hold 255 rows.
func (w *Waves) countColumns(spins []uint8, length int) {
	whole := length / 8
	for held := 0; len(spins) > 0; {
		row := spins[:length]
		spins = spins[length:]
		for k := range w.eight {
			w.eight[k] += binary.LittleEndian.Uint64(row[8*k:])
		}
		for x := 8 * whole; x < length; x++ {
			w.count[2*x+1] += int32(row[x])
		}
		if held++; held < 255 && len(spins) > 0 {
			continue
		}
		held = 0
		for x := range 8 * whole {
			w.count[2*x+1] += int32(w.eight[x/8] >> (x % 8 * 8) & 255)
		}
		clear(w.eight)
	}
}

// sumBytes adds bytes of 0 and 1.
func sumBytes(b []uint8) int32 {
	n := uint64(0)
	for len(b) >= 8 {
		// Eight sums side by side, each of 255 at most.
		var x uint64
		for k := 0; k < 255 && len(b) >= 8; k++ {
			x += binary.LittleEndian.Uint64(b)
			b = b[8:]
		}
		const even = 0x00ff00ff00ff00ff
		x = x&even + x>>8&even
		n += x * 0x0001000100010001 >> 48
	}
	for _, v := range b {
		n += uint64(v)
	}
	return int32(n)
}
