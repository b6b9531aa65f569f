package rbm

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/rbm/internal/ndarray"
)

func TestModelsAreReadAsWritten(t *testing.T) {
	m := random(5, 3, 1, 1)
	m.W[2], m.W[3] = 1e-300, -0.1
	for _, name := range []string{"m.mat", "m.npz"} {
		path := filepath.Join(t.TempDir(), name)
		if err := WriteModel(path, m); err != nil {
			t.Fatal(err)
		}
		got, err := ReadModel(path)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, m) {
			t.Errorf("%s: %+v, want %+v", name, got, m)
		}
	}
	if err := WriteModel(filepath.Join(t.TempDir(), "m.txt"), m); err == nil || !strings.Contains(err.Error(), "ends in .npz or .mat") {
		t.Errorf("%v", err)
	}
}

func TestModelsOfTheCourse(t *testing.T) {
	for name, hidden := range map[string]int{"h10": 10, "h20": 20, "h100": 100, "h500": 500} {
		if m := sharedModel(t, name); m.Visible != 784 || m.Hidden != hidden {
			t.Errorf("%s: %d×%d", name, m.Visible, m.Hidden)
		}
	}
}

func write(t *testing.T, arrays ...ndarray.Array) string {
	t.Helper()
	var b bytes.Buffer
	if err := ndarray.WriteMAT(&b, arrays); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.mat")
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestWhatIsWrongWithAModelIsSaid(t *testing.T) {
	of := func(name string, rows, columns int) ndarray.Array {
		return ndarray.Array{Name: name, Dims: []int{rows, columns}, Floats: make([]float64, rows*columns)}
	}
	w, a, b := of(arrayW, 3, 2), of(arrayA, 1, 2), of(arrayB, 3, 1)
	bad := of(arrayW, 3, 2)
	bad.Floats[3] = math.NaN()
	infinite := of(arrayB, 1, 3)
	infinite.Floats[2] = math.Inf(-1)
	cube := ndarray.Array{Name: arrayW, Dims: []int{3, 2, 1}, Floats: make([]float64, 6)}
	for _, c := range []struct {
		want   string
		arrays []ndarray.Array
	}{
		{"it has no array parameter_W; it has parameter_a (1×2), parameter_b (3×1)", []ndarray.Array{a, b}},
		{"it has no array parameter_a; it has parameter_W (3×2), parameter_b (3×1)", []ndarray.Array{w, b}},
		{"parameter_W is 3×2×1; it must be a matrix", []ndarray.Array{cube, a, b}},
		{"parameter_W is 0×2: it has no weight", []ndarray.Array{of(arrayW, 0, 2), a, b}},
		{"parameter_a, the hidden bias, is 3×1, but parameter_W is 3×2 (visible×hidden): it needs 2 elements", []ndarray.Array{w, of(arrayA, 3, 1), b}},
		{"parameter_b, the visible bias, is 1×2", []ndarray.Array{w, a, of(arrayB, 1, 2)}},
		{"parameter_W[2,2] is NaN", []ndarray.Array{bad, a, b}},
		{"parameter_b[3] is -Inf", []ndarray.Array{w, a, infinite}},
	} {
		path := write(t, c.arrays...)
		if _, err := ReadModel(path); err == nil || !strings.Contains(err.Error(), path+": "+c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

func TestDataAreCasesByUnits(t *testing.T) {
	bits := []uint8{0, 1, 1, 0, 0, 1}
	want := &Data{Cases: 2, Visible: 3, Units: []uint8{0, 1, 1, 0, 0, 1}}
	// Batches of one case: element (1, unit, batch), columns first.
	batches := ndarray.Array{Name: "testbatchdata", Dims: []int{1, 3, 2}, ColumnMajor: true, Bytes: bits}
	images := ndarray.Array{Name: "x", Dims: []int{2, 3, 1}, Bytes: bits}
	for _, a := range []ndarray.Array{batches, images, {Name: "x", Dims: []int{2, 3}, Bytes: bits}, {Name: "x", Dims: []int{2, 3}, Floats: []float64{0, 1, 1, 0, 0, 1}}} {
		got, err := ReadData(write(t, a), Binary{})
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v", a.Shape(), got, err)
		}
	}
}

func TestGreyLevelsBecomeUnits(t *testing.T) {
	grey := ndarray.Array{Name: "x", Dims: []int{1, 4}, Bytes: []uint8{0, 127, 128, 255}}
	d, err := ReadData(write(t, grey), Binary{Threshold: true, Above: 0.5})
	if err != nil || !bytes.Equal(d.Units, []uint8{0, 0, 1, 1}) {
		t.Errorf("%v, %v", d, err)
	}
	// A unit of level p is on in a share p of 20 000 cases; ±5 standard
	// deviations, a false alarm in 10⁶.
	const n = 20_000
	half := ndarray.Array{Name: "x", Dims: []int{n, 1}, Floats: make([]float64, n)}
	for k := range half.Floats {
		half.Floats[k] = 0.3
	}
	if d, err = ReadData(write(t, half), Binary{Draw: newRand(1)}); err != nil {
		t.Fatal(err)
	}
	on := 0
	for _, u := range d.Units {
		on += int(u)
	}
	if sd := math.Sqrt(n * 0.3 * 0.7); math.Abs(float64(on)-0.3*n) > 5*sd {
		t.Errorf("%d of %d units are on, want 30 %%", on, n)
	}
}

func TestWhatIsWrongWithDataIsSaid(t *testing.T) {
	of := func(name string, x ...float64) ndarray.Array {
		return ndarray.Array{Name: name, Dims: []int{len(x) / 2, 2}, Floats: x}
	}
	for _, c := range []struct {
		want   string
		arrays []ndarray.Array
	}{
		{"x: case 2, unit 1 is 0.5; binary units are 0 or 1", []ndarray.Array{of("x", 0, 1, 0.5, 1)}},
		{"x: case 1, unit 2 is NaN; grey levels are", []ndarray.Array{of("x", 0, math.NaN(), 1, 1)}},
		{"x: case 1, unit 1 is -1; grey levels are", []ndarray.Array{of("x", -1, 0)}},
		{"which array holds the data? It has x (1×2), y (1×2)", []ndarray.Array{of("x", 0, 0), of("y", 0, 0)}},
		{"x: it is 0×2: it has no case", []ndarray.Array{of("x")}},
	} {
		path := write(t, c.arrays...)
		if _, err := ReadData(path, Binary{}); err == nil || !strings.Contains(err.Error(), path+": "+c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	if _, err := ReadData(write(t, of("x", 0, 0), of("y", 0, 0)), Binary{Array: "z"}); err == nil || !strings.Contains(err.Error(), "no array z; it has x (1×2), y (1×2)") {
		t.Errorf("%v", err)
	}
	if err := (&Data{Cases: 1, Visible: 3}).Fits(New(4, 2)); err == nil || !strings.Contains(err.Error(), "a case has 3 units and the machine 4") {
		t.Errorf("%v", err)
	}
}

// What numpy makes of the same files: sums of all units and of one case.
func TestDataOfTheCourse(t *testing.T) {
	for file, want := range map[string]struct {
		how              Binary
		cases, on, in108 int
	}{
		"models/test.mat":                 {Binary{}, 10000, 1038371, 80},
		"mnist/t10k-images-idx3-ubyte.gz": {Binary{Threshold: true, Above: 0.5}, 10000, 1052359, 57},
	} {
		d, err := ReadData(shared(t, file), want.how)
		if err != nil {
			t.Fatal(err)
		}
		on, in108 := 0, 0
		for _, u := range d.Units {
			on += int(u)
		}
		for _, u := range d.Case(107) {
			in108 += int(u)
		}
		if d.Cases != want.cases || d.Visible != 784 || on != want.on || in108 != want.in108 {
			t.Errorf("%s: %d cases, %d units on, %d in case 108; want %+v", file, d.Cases, on, in108, want)
		}
	}
}
