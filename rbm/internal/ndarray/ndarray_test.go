package ndarray

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
)

// grid is 2×3 numbers of testdata/make.py.
var grid = []float64{-0.5, -0.25, 0, 0.25, 0.5, 0.75}

// expected are the arrays of testdata/make.py, by rows.
var expected = map[string]struct {
	dims   []int
	values []float64
}{
	"double":  {[]int{2, 3}, grid},
	"small":   {[]int{1, 3}, []float64{1, 2, 200}},
	"single":  {[]int{2, 3}, grid},
	"int8":    {[]int{1, 2}, []float64{-128, 127}},
	"uint8":   {[]int{2, 3, 4}, upTo(24)},
	"int16":   {[]int{2, 1}, []float64{-300, 300}},
	"uint16":  {[]int{1, 1}, []float64{65535}},
	"int32":   {[]int{1, 2}, []float64{-70000, 70000}},
	"uint32":  {[]int{1, 1}, []float64{4294967295}},
	"int64":   {[]int{1, 1}, []float64{-(1 << 40)}},
	"uint64":  {[]int{1, 1}, []float64{1 << 40}},
	"logical": {[]int{1, 2}, []float64{1, 0}},
	"empty":   {[]int{0, 3}, []float64{}},
	"big":     {[]int{2, 3}, grid},
	"fortran": {[]int{2, 3}, grid},
	"vector":  {[]int{3}, grid[:3]},
	"number":  {nil, []float64{2.5}},
}

// notNumbers are the others.
var notNumbers = map[string]string{"complex": "complex", "text": "text", "struct": "a struct", "cell": "a cell array", "sparse": "a sparse matrix"}

func upTo(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(i)
	}
	return x
}

// byRows gives the elements with the last index fastest.
func byRows(a *Array) []float64 {
	x := make([]float64, 0)
	s := a.Strides()
	var walk func(d, at int)
	walk = func(d, at int) {
		if d == len(a.Dims) {
			x = append(x, a.Flat(at))
			return
		}
		for i := range a.Dims[d] {
			walk(d+1, at+i*s[d])
		}
	}
	walk(0, 0)
	return x
}

func TestReadsFilesOfOtherPrograms(t *testing.T) {
	for file, n := range map[string]int{"plain.mat": 18, "compressed.mat": 18, "plain.npz": 17, "compressed.npz": 17} {
		arrays, err := ReadFile(filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		if len(arrays) != n {
			t.Errorf("%s: %d arrays, want %d", file, len(arrays), n)
		}
		for _, a := range arrays {
			if kind := notNumbers[a.Name]; kind != "" {
				if a.Kind != kind {
					t.Errorf("%s: %s is %q, want %q", file, a.Name, a.Kind, kind)
				}
				continue
			}
			want, ok := expected[a.Name]
			if !ok || a.Kind != "" || !reflect.DeepEqual(a.Dims, want.dims) || !reflect.DeepEqual(byRows(&a), want.values) {
				t.Errorf("%s: %s %v %v, want %v", file, a.Name, a.Dims, byRows(&a), want)
			}
		}
	}
}

func TestWhatIsWrittenIsReadAgain(t *testing.T) {
	arrays := []Array{
		{Name: "parameter_W", Dims: []int{2, 3}, Floats: []float64{1, -2, math.Pi, 1e300, 5e-324, math.Inf(1)}},
		{Name: "columns", Dims: []int{2, 3}, ColumnMajor: true, Floats: grid},
		{Name: "v", Dims: []int{3}, Floats: grid[:3]},
		{Name: "pixels", Dims: []int{2, 1, 3}, Bytes: []uint8{0, 1, 2, 3, 4, 255}},
	}
	var mat, npz bytes.Buffer
	if err := WriteMAT(&mat, arrays); err != nil {
		t.Fatal(err)
	}
	if err := WriteNPZ(&npz, arrays); err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{"mat": mat.Bytes(), "npz": npz.Bytes()} {
		got, err := Read(b)
		if err != nil {
			t.Fatal(err)
		}
		for k, a := range arrays {
			dims := a.Dims
			if name == "mat" && len(dims) == 1 {
				dims = []int{1, dims[0]} // MATLAB has no fewer than two
			}
			if g := got[k]; g.Name != a.Name || !reflect.DeepEqual(g.Dims, dims) || !reflect.DeepEqual(byRows(&g), byRows(&a)) {
				t.Errorf("%s: %+v, want %+v", name, g, a)
			}
		}
	}
}

// bigEndianMAT is a file as MATLAB wrote it on a SPARC: an array x of 1×2
// doubles.
func bigEndianMAT() []byte {
	b := append([]byte("MATLAB 5.0 MAT-file, Platform: SOL2"), make([]byte, matHeader-35)...)
	copy(b[124:], "\x01\x00MI")
	put := binary.BigEndian.AppendUint32
	var m []byte
	for _, u := range []uint32{6, 8, 6, 0, 5, 8, 1, 2, 1<<16 | 1, 'x' << 24, 9, 16} {
		m = put(m, u)
	}
	for _, x := range []float64{-1.5, 1e10} {
		m = binary.BigEndian.AppendUint64(m, math.Float64bits(x))
	}
	return append(put(put(b, matMatrix), uint32(len(m))), m...)
}

func TestBigEndianMATLAB(t *testing.T) {
	a, err := Read(bigEndianMAT())
	if err != nil {
		t.Fatal(err)
	}
	if len(a) != 1 || a[0].Name != "x" || !reflect.DeepEqual(a[0].Floats, []float64{-1.5, 1e10}) {
		t.Errorf("%+v", a)
	}
}

// idx is a file of MNIST: three images of 2×2.
var idx = append([]byte{0, 0, 8, 3, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 2}, 0, 50, 100, 150, 200, 250, 255, 128, 127, 1, 2, 3)

func TestIDX(t *testing.T) {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write(idx)
	w.Close()
	for _, b := range [][]byte{idx, z.Bytes()} {
		a, err := Read(b)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(a[0].Dims, []int{3, 2, 2}) || !bytes.Equal(a[0].Bytes, idx[16:]) {
			t.Errorf("%+v", a)
		}
	}
}

func TestBadFilesAreExplained(t *testing.T) {
	plain := slurp(t, "plain.mat")
	npy := []byte(npyMagic + "\x01\x00\x46\x00{'descr': '<f8', 'fortran_order': False, 'shape': (9999999999, 99), } \n")
	for _, c := range []struct {
		name, want string
		file       []byte
	}{
		{"empty", "the file is empty", nil},
		{"text", "it is neither a MATLAB file", []byte("W,a,b\n1,2,3\n")},
		{"MATLAB 7.3", "only version 5 is read: save it with -v7", append(bytes.Clone(plain[:124]), 0, 2, 'I', 'M')},
		{"cut in the header", "the file ends too soon, within the header", plain[:100]},
		{"cut in an array", "double: the file ends too soon, after 4 of the 6 elements it claims", plain[:230]},
		{"another length", "it claims to be 1×2, which is 16 bytes, but has 16777232", with(bigEndianMAT(), 180, 1)},
		{"unknown type", "its elements are of the unknown type 265", with(bigEndianMAT(), 178, 1)},
		{"dimension below zero", "it claims a dimension of -2147483647", with(bigEndianMAT(), 160, 0x80)},
		{"huge shape", "the file ends too soon, after 0 of the 989999999901 elements it claims", npy},
		{"strings", "its elements are of type U8", bytes.Replace(npy, []byte("<f8"), []byte("<U8"), 1)},
		{"complex", "its elements are of type c16", slurp(t, "complex.npy")},
		{"no zip", "it is not a numpy archive", []byte("PK\x03\x04 and nothing")},
		{"IDX of another length", "there are bytes after the 12 elements", append(bytes.Clone(idx), 0)},
		{"IDX cut", "after 11 of the 12 elements", idx[:len(idx)-1]},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read(c.file)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

func slurp(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func with(b []byte, at int, v byte) []byte {
	b[at] = v
	return b
}

// A file of a few bytes may claim gigabytes, and may even hold a compressed
// stream that goes on for long: what is claimed is not allocated.
func TestClaimsAreNotAllocated(t *testing.T) {
	claim := bigEndianMAT()
	for at, claimed := range map[int]uint32{132: 0xfffffff0, 164: 0x1ffffffe, 180: 0xfffffff0} { // element, dimension, data
		binary.BigEndian.PutUint32(claim[at:], claimed)
	}
	files := map[string][]byte{
		"mat": claim,
		"npy": []byte(npyMagic + "\x01\x00\x45\x00{'descr': '<f8', 'fortran_order': False, 'shape': (999999999, 99), } \n"),
		"idx": {0, 0, 14, 3, 0xff, 0, 0, 0, 0, 0, 0xff, 0, 0, 0, 0, 1, 0},
	}
	for name, b := range files {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Read(b)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), "too soon") && !strings.Contains(err.Error(), "of memory would be needed") {
			t.Errorf("%s: %v", name, err)
		}
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 1<<20 {
			t.Errorf("%s of %d bytes: %d bytes allocated", name, len(b), grown)
		}
	}
}

func TestDamageInCompressedDataIsFound(t *testing.T) {
	b := slurp(t, "compressed.mat")
	n := int(binary.LittleEndian.Uint32(b[132:]))
	b[136+n-1] ^= 1 // the checksum's last byte
	if _, err := Read(b); err == nil || !strings.Contains(err.Error(), zlib.ErrChecksum.Error()) {
		t.Errorf("%v", err)
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"plain.mat", "compressed.mat", "plain.npz", "compressed.npz", "complex.npy"} {
		f.Add(slurp(f, name))
	}
	f.Add(idx)
	f.Add(bigEndianMAT())
	f.Fuzz(func(t *testing.T, b []byte) {
		arrays, err := Read(b)
		if err != nil {
			return
		}
		for _, a := range arrays {
			n, err := size(a.Dims)
			if a.Kind == "" && (err != nil || int64(a.Len()) != n) {
				t.Errorf("%s is %v but has %d elements", a.Name, a.Dims, a.Len())
			}
		}
	})
}

// What a file claims is reckoned before it is read, and what it holds as it
// grows: compressed zeros are no way round the limit of memory.
func TestCompressedZerosMeetTheLimit(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(100 << 20))
	for name, shape := range map[string]string{"claimed": "(20000000,)", "more than any memory": "(99999999999, 9999)"} {
		header := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': %s, }\n", shape)
		b := append([]byte(npyMagic+"\x01\x00"), byte(len(header)), 0)
		var full *memory.Error
		if _, err := ReadNPY(io.MultiReader(bytes.NewReader(append(b, header...)), zeros{})); !errors.As(err, &full) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// zeros never ends.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }
