package rbm

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/atomicfile"
	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/rbm/internal/ndarray"
)

// The arrays of a model's file, as Salakhutdinov's MATLAB programs name them.
const (
	arrayW = "parameter_W" // visible×hidden
	arrayA = "parameter_a" // hidden bias
	arrayB = "parameter_b" // visible bias
)

// ReadModel reads a machine from a MATLAB file of version 5 or a numpy
// archive: parameter_W, visible×hidden, parameter_a, the hidden bias, and
// parameter_b, the visible bias, row or column. An error names the file, the
// array and the element.
func ReadModel(path string) (*Model, error) {
	arrays, err := ndarray.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m, err := modelOf(arrays)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

func modelOf(arrays []ndarray.Array) (*Model, error) {
	w, err := named(arrays, arrayW)
	if err != nil {
		return nil, err
	}
	if len(w.Dims) != 2 {
		return nil, fmt.Errorf("%s is %s; it must be a matrix of visible by hidden units", arrayW, w.Shape())
	}
	m := &Model{Visible: w.Dims[0], Hidden: w.Dims[1]}
	if m.Visible == 0 || m.Hidden == 0 {
		return nil, fmt.Errorf("%s is %s: it has no weight", arrayW, w.Shape())
	}
	if m.HiddenBias, err = vector(arrays, arrayA, "hidden", m.Hidden, w); err != nil {
		return nil, err
	}
	if m.VisibleBias, err = vector(arrays, arrayB, "visible", m.Visible, w); err != nil {
		return nil, err
	}
	// The work on a machine takes it in both directions, exactly and in float32.
	if err := memory.Room(24 * memory.Product(m.Visible, m.Hidden)); err != nil {
		return nil, fmt.Errorf("%s is %s: %w", arrayW, w.Shape(), err)
	}
	s := w.Strides()
	m.W = make([]float64, m.Visible*m.Hidden)
	for i := range m.Visible {
		for j := range m.Hidden {
			m.W[i*m.Hidden+j] = w.Flat(i*s[0] + j*s[1])
		}
	}
	return m, m.Check()
}

// named finds an array of numbers.
func named(arrays []ndarray.Array, name string) (*ndarray.Array, error) {
	for k := range arrays {
		if a := &arrays[k]; a.Name == name {
			if a.Kind != "" {
				return nil, fmt.Errorf("%s is %s; it must be real numbers", name, a.Kind)
			}
			return a, nil
		}
	}
	return nil, fmt.Errorf("it has no array %s; it has %s", wording.Brief(name), inventory(arrays))
}

// inventory lists what a file has.
func inventory(arrays []ndarray.Array) string {
	var all []string
	for k := range arrays {
		a := &arrays[k]
		what := a.Shape()
		if a.Kind != "" {
			what = a.Kind
		}
		all = append(all, strings.TrimSpace(a.Name+" ("+what+")"))
	}
	if len(all) == 0 {
		return "none at all"
	}
	return wording.Few(all, 10)
}

// vector finds the bias of a layer of n units.
func vector(arrays []ndarray.Array, name, layer string, n int, w *ndarray.Array) ([]float64, error) {
	a, err := named(arrays, name)
	if err != nil {
		return nil, err
	}
	longest := 1
	for _, d := range a.Dims {
		longest = max(longest, d)
	}
	if a.Len() != n || longest != n {
		return nil, fmt.Errorf("%s, the %s bias, is %s, but %s is %s (visible×hidden): it needs %d elements in a row or column",
			name, layer, a.Shape(), arrayW, w.Shape(), n)
	}
	x := make([]float64, n)
	for k := range x {
		x[k] = a.Flat(k)
	}
	return x, nil
}

// WriteModel writes a machine as a MATLAB file or as a numpy archive, which
// the name's end tells: .mat or .npz. The same machine gives the same bytes.
func WriteModel(path string, m *Model) error {
	if err := m.Check(); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	arrays := []ndarray.Array{
		{Name: arrayW, Dims: []int{m.Visible, m.Hidden}, Floats: m.W},
		{Name: arrayA, Dims: []int{1, m.Hidden}, Floats: m.HiddenBias},
		{Name: arrayB, Dims: []int{1, m.Visible}, Floats: m.VisibleBias},
	}
	var b bytes.Buffer
	var err error
	switch filepath.Ext(path) {
	case ".mat":
		err = ndarray.WriteMAT(&b, arrays)
	case ".npz":
		err = ndarray.WriteNPZ(&b, arrays)
	default:
		err = errors.New("a model's file ends in .npz or .mat")
	}
	if err == nil {
		err = atomicfile.Write(path, b.Bytes(), int64(b.Len()), false)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// within reports whether x is in [lo, hi]; NaN is not.
func within(x, lo, hi float64) bool { return !math.IsNaN(x) && x >= lo && x <= hi }
