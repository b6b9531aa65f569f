package rbm

import (
	"cmp"
	"fmt"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/rbm/internal/ndarray"
)

// Data are cases of binary visible units, one after the other: unit i of case
// n is Units[n*Visible+i], 0 or 1.
type Data struct {
	Cases, Visible int
	Units          []uint8
}

// Case is the n-th case, counted from 0.
func (d *Data) Case(n int) []uint8 { return d.Units[n*d.Visible : (n+1)*d.Visible] }

// Binary says how grey levels become units. Levels are from 0 to 1, or from 0
// to 255 where any is above 1.
type Binary struct {
	// Array names the array to read; empty for testbatchdata, MNIST_for_log or
	// the only one.
	Array string
	// Threshold turns on the units whose level is above Above.
	Threshold bool
	Above     float64
	// Draw turns each unit on with its level as the probability.
	Draw *rand.Rand
}

// dataArrays are what files of data are known to hold.
var dataArrays = []string{"testbatchdata", "MNIST_for_log"}

// ReadData reads cases from a MATLAB file of version 5, a numpy file or
// archive, or a file of MNIST, gzip or not. An array of two dimensions is
// cases×units, testbatchdata of three is cases×units×batches, and any other
// case×rows×columns. Without a rule in how, all must be 0 or 1.
func ReadData(path string, how Binary) (*Data, error) {
	return readCases(path, how.Array, func(a *ndarray.Array) (*Data, error) { return dataOf(a, how) })
}

// readCases makes cases of the array of the data in a file.
func readCases[D any](path, array string, of func(*ndarray.Array) (*D, error)) (*D, error) {
	arrays, err := ndarray.ReadFile(path)
	if err != nil {
		return nil, err
	}
	a, err := choose(arrays, array)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	d, err := of(a)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", path, cmp.Or(a.Name, "its array"), err)
	}
	return d, nil
}

// choose finds the array of the data.
func choose(arrays []ndarray.Array, name string) (*ndarray.Array, error) {
	if name != "" {
		return named(arrays, name)
	}
	for k := range arrays {
		for _, known := range dataArrays {
			if arrays[k].Name == known {
				return named(arrays, known)
			}
		}
	}
	if len(arrays) != 1 {
		return nil, fmt.Errorf("which array holds the data? It has %s", inventory(arrays))
	}
	return named(arrays, arrays[0].Name)
}

// layout is where a case's unit lies: batches of cases, each of units that
// are one or two dimensions.
type layout struct {
	batches, cases, rows, columns            int
	batchStep, caseStep, rowStep, columnStep int
}

func layoutOf(a *ndarray.Array) (layout, error) {
	s := a.Strides()
	l := layout{batches: 1, cases: 1, rows: 1, columns: 1}
	if len(a.Dims) >= 2 {
		l.cases, l.caseStep = a.Dims[0], s[0]
	}
	switch {
	case len(a.Dims) == 2:
		l.columns, l.columnStep = a.Dims[1], s[1]
	case len(a.Dims) == 3 && a.Name == dataArrays[0]:
		l.columns, l.columnStep = a.Dims[1], s[1]
		l.batches, l.batchStep = a.Dims[2], s[2]
	case len(a.Dims) == 3:
		l.rows, l.rowStep = a.Dims[1], s[1]
		l.columns, l.columnStep = a.Dims[2], s[2]
	default:
		return l, fmt.Errorf("it is %s; data are cases×units, or cases×units×batches in %s, or images of rows×columns", a.Shape(), dataArrays[0])
	}
	if a.Len() == 0 {
		return l, fmt.Errorf("it is %s: it has no case", a.Shape())
	}
	return l, nil
}

// each calls f with the case, the unit and the place in the array, in order
// of the cases.
func (l layout) each(f func(n, i, k int) error) error {
	for b := range l.batches {
		for c := range l.cases {
			for y := range l.rows {
				for x := range l.columns {
					if err := f(b*l.cases+c, y*l.columns+x, b*l.batchStep+c*l.caseStep+y*l.rowStep+x*l.columnStep); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

func dataOf(a *ndarray.Array, how Binary) (*Data, error) {
	l, err := layoutOf(a)
	if err != nil {
		return nil, err
	}
	d := &Data{Cases: l.batches * l.cases, Visible: l.rows * l.columns}
	if err := memory.Room(memory.Product(d.Cases, d.Visible)); err != nil {
		return nil, err
	}
	d.Units = make([]uint8, 0, d.Cases*d.Visible)
	white := white(a)
	return d, l.each(func(n, i, k int) error {
		x := a.Flat(k)
		on := false
		switch {
		case !within(x, 0, 255):
			return fmt.Errorf("case %d, unit %d is %v; grey levels are from 0 to 1 or from 0 to 255", n+1, i+1, x)
		case how.Draw != nil:
			on = how.Draw.Float64() < x/white
		case how.Threshold:
			on = x/white > how.Above
		case x != 0 && x != 1:
			return fmt.Errorf("case %d, unit %d is %v; binary units are 0 or 1; Binary.Threshold or Binary.Draw turns grey levels into units", n+1, i+1, x)
		default:
			on = x == 1
		}
		d.Units = append(d.Units, bit(on))
		return nil
	})
}

// white is the level of white: 1, or 255 where any level is above 1.
func white(a *ndarray.Array) float64 {
	for k := range a.Len() {
		if a.Flat(k) > 1 {
			return 255
		}
	}
	return 1
}

func bit(on bool) uint8 {
	if on {
		return 1
	}
	return 0
}

// Fits reports an error where the cases have another width than the machine.
func (d *Data) Fits(m *Model) error {
	if d.Visible != m.Visible {
		return fmt.Errorf("a case has %d units and the machine %d visible ones", d.Visible, m.Visible)
	}
	return nil
}
