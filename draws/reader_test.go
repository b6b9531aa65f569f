package draws

import (
	"bytes"
	"compress/zlib"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// smallFolder writes the least folder there is: one scalar, two draws.
func smallFolder(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "draws.zarr")
	l := Layout{Chains: 1, Posterior: []Variable{{Name: "x"}}}
	w, err := Create(dir, l)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		if err := w.Append(0, false, []float64{float64(i)}, Stat{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func read(dir string) (Groups, error) {
	r, err := Open(dir)
	if err != nil {
		return Groups{}, err
	}
	return r.Read()
}

func TestDamagedFoldersAreErrors(t *testing.T) {
	meta := filepath.Join("", ".zmetadata")
	chunk := filepath.Join(Posterior, "x", "0.0")
	for name, damage := range map[string]func(dir string) error{
		"no folder":    os.RemoveAll,
		"no metadata":  func(dir string) error { return os.WriteFile(filepath.Join(dir, meta), []byte("{"), 0o666) },
		"short chunk":  func(dir string) error { return os.Truncate(filepath.Join(dir, chunk), 12) },
		"a folder":     func(dir string) error { p := filepath.Join(dir, chunk); os.Remove(p); return os.Mkdir(p, 0o777) },
		"huge draws":   replaceAll(meta, "[\n                1,\n                2\n            ]", "[1, 99999999999999]"),
		"huge chains":  replaceAll(meta, "[\n                1,\n                2\n            ]", "[99999999999999, 0]"),
		"huge chunks":  replaceAll(meta, "8192", "9999999999999"),
		"zero chunks":  replaceAll(meta, "8192", "0"),
		"negative":     replaceAll(meta, "8192", "-8192"),
		"bad type":     replaceAll(meta, "<f8", ">c16"),
		"fortran":      replaceAll(meta, `"order": "C"`, `"order": "F"`),
		"blosc":        replaceAll(meta, `"compressor": null`, `"compressor": {"id": "blosc"}`),
		"not zlib":     replaceAll(meta, `"compressor": null`, `"compressor": {"id": "zlib"}`),
		"version 3":    replaceAll(meta, `"zarr_format": 2`, `"zarr_format": 3`),
		"other dims":   replaceAll(meta, `"chain",`, `"strange",`),
		"outside name": replaceAll(meta, `"x"`, `"../x"`),
	} {
		dir := smallFolder(t)
		if err := damage(dir); err != nil {
			t.Fatal(err)
		}
		if g, err := read(dir); err == nil {
			t.Errorf("%s: read as %v × %d", name, g.Posterior.Names(), g.Posterior.Draws())
		}
	}
}

// What is wrong with a folder that a Writer made is said with the file and the
// draws that it held, and never read as numbers.
func TestLostChunks(t *testing.T) {
	dir := t.TempDir()
	l := Layout{Chains: 9, Posterior: []Variable{{Name: "x"}, {Name: "wide", Dims: []int{600}}}, Observed: []Array{{Variable{Name: "y"}, []float64{3}}}}
	w, err := Create(dir, l)
	if err != nil {
		t.Fatal(err)
	}
	const n = 300
	for c := range l.Chains {
		for range n {
			if err := w.Append(c, false, make([]float64, l.Width()), Stat{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		file  string // of the group posterior
		keep  int64  // bytes; -1: none, and no file
		says  string
		piece int // values that are read at a time
	}{
		{"x/0.0", -1, "is missing: 2400 of 2700 draws of x are lost (1 to 300 of chains 1 to 8)", math.MaxInt},
		{"x/1.0", 5, "has 5 bytes, not 524288: 300 of 2700 draws of x are lost (1 to 300 of chain 9)", math.MaxInt},
		{"wide/1.1.0", -1, "is missing: 51 of 2700 draws of wide are lost (250 to 300 of chain 9)", math.MaxInt},          // the ninth chain from draw 250 on
		{"wide/0.0.0", 0, "has 0 bytes, not 9561600: 1992 of 2700 draws of wide are lost (1 to 249 of chains 1 to 8)", 1}, // in stripes
	} {
		path := filepath.Join(dir, Posterior, filepath.FromSlash(c.file))
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if c.keep < 0 {
			err = os.Remove(path)
		} else {
			err = os.Truncate(path, c.keep)
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := readPieces(dir, c.piece); err == nil || !strings.Contains(err.Error(), path+" "+c.says) {
			t.Errorf("%s: %v", c.file, err)
		}
		if err := os.WriteFile(path, whole, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{Posterior + "/x", ObservedData + "/y"} {
		if err := os.RemoveAll(filepath.Join(dir, filepath.FromSlash(file))); err != nil {
			t.Fatal(err)
		}
	}
	if err := readPieces(dir, math.MaxInt); err == nil || !strings.Contains(err.Error(), "0.0 is missing: 2700 of 2700 draws of x are lost") {
		t.Errorf("a lost folder: %v", err)
	}
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Observed(); err == nil || !strings.Contains(err.Error(), filepath.Join("y", "0")+" is missing") {
		t.Errorf("lost data: %v", err)
	}
}

// readPieces reads the posterior so many values at a time, up to an error.
func readPieces(dir string, values int) error {
	r, err := Open(dir)
	if err != nil {
		return err
	}
	pieces, err := r.Pieces(Posterior, values)
	if err != nil {
		return err
	}
	for _, p := range pieces {
		if _, err := r.ReadPiece(p, nil); err != nil {
			return err
		}
	}
	return nil
}

func replaceAll(file, from, to string) func(string) error {
	return func(dir string) error {
		path := filepath.Join(dir, file)
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(path, bytes.ReplaceAll(b, []byte(from), []byte(to)), 0o666)
	}
}

// Another program's folder: compressed, without consolidated metadata, in
// chunks that cut through chains, draws and elements, one chunk left out.
func TestReadForeignFolder(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		".zgroup": `{"zarr_format": 2}`, "posterior/.zgroup": `{"zarr_format": 2}`,
		"posterior/.zattrs": `{"created_at": "today", "variables": "a"}`,
		"posterior/m/.zarray": `{"zarr_format": 2, "shape": [2, 3, 2, 2], "chunks": [2, 2, 1, 2], "dtype": "<f4", "order": "C",
			"compressor": {"id": "zlib", "level": 1}, "fill_value": -7.5, "filters": null}`,
		"posterior/m/.zattrs": `{"_ARRAY_DIMENSIONS": ["chain", "draw", "i", "j"]}`,
	}
	value := func(c, d, i, j int) float64 { return float64(1000*c + 100*d + 10*i + j) }
	for d := range 2 {
		for i := range 2 {
			if d == 1 && i == 1 {
				continue // left out: all fill
			}
			var b []byte
			for c := range 2 {
				for dd := range 2 {
					for j := range 2 {
						bits := math.Float32bits(float32(value(c, 2*d+dd, i, j)))
						b = append(b, byte(bits), byte(bits>>8), byte(bits>>16), byte(bits>>24))
					}
				}
			}
			var z bytes.Buffer
			w := zlib.NewWriter(&z)
			w.Write(b)
			w.Close()
			files["posterior/m/"+strings.Join([]string{"0", string(rune('0' + d)), string(rune('0' + i)), "0"}, ".")] = z.String()
		}
	}
	for path, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(path))
		os.MkdirAll(filepath.Dir(full), 0o777)
		if err := os.WriteFile(full, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	g, err := read(dir)
	if err != nil {
		t.Fatal(err)
	}
	for c := range 2 {
		for d := range 3 {
			for i := range 2 {
				for j := range 2 {
					want := value(c, d, i, j)
					if d == 2 && i == 1 {
						want = -7.5
					}
					if got := g.Posterior.Chain(c, i+2*j)[d]; got != want {
						t.Errorf("(%d,%d,%d,%d) is %v, want %v", c, d, i, j, got, want)
					}
				}
			}
		}
	}
}

func FuzzOpen(f *testing.F) {
	f.Add([]byte(`{"metadata":{"posterior/.zgroup":{},"posterior/x/.zarray":{"zarr_format":2,"shape":[1,2],"chunks":[1,2],"dtype":"<f8","order":"C"},"posterior/x/.zattrs":{"_ARRAY_DIMENSIONS":["chain","draw"]}}}`), make([]byte, 16))
	f.Add([]byte(`{"metadata":{"posterior/.zgroup":{},"posterior/x/.zarray":{"zarr_format":2,"shape":[1,2,3],"chunks":[1,1,1],"dtype":"|b1","order":"C"},"posterior/x/.zattrs":{"_ARRAY_DIMENSIONS":["chain","draw","k"]}}}`), []byte{1})
	f.Fuzz(func(t *testing.T, meta, chunk []byte) {
		dir := t.TempDir()
		if err := os.MkdirAll(filepath.Join(dir, Posterior, "x"), 0o777); err != nil {
			t.Fatal(err)
		}
		for path, b := range map[string][]byte{".zmetadata": meta, "posterior/x/0.0": chunk} {
			if err := os.WriteFile(filepath.Join(dir, path), b, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		g, err := read(dir)
		if err == nil && g.Posterior != nil && len(g.Posterior.Names()) > fewElements {
			t.Fatalf("%d elements out of nothing", len(g.Posterior.Names()))
		}
	})
}

// What a file says of itself may be long and hold anything; the message does not.
func TestMessagesAboutMetadataAreShort(t *testing.T) {
	ones := "[" + strings.Repeat("1,", 50_000) + "1]"
	for name, change := range map[string][2]string{
		"shape":      {`"shape": [`, `"shape": ` + ones + `, "was": [`},
		"chunks":     {`"chunks": [`, `"chunks": ` + ones + `, "was": [`},
		"dimensions": {`["chain", "draw"]`, `["chain\u001b", "` + strings.Repeat("x", 50_000) + `"]`},
		"type":       {`"<f8"`, `"\u001b[31m` + strings.Repeat("x", 50_000) + `"`},
	} {
		dir := smallFolder(t)
		if err := os.Remove(filepath.Join(dir, metadataFile)); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(filepath.Join(dir, ".zattrs")); err != nil { // as another program's
			t.Fatal(err)
		}
		changed := false
		for _, file := range []string{".zarray", ".zattrs"} {
			path := filepath.Join(dir, Posterior, "x", file)
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			short := strings.Join(strings.Fields(string(b)), " ")
			short = strings.ReplaceAll(strings.ReplaceAll(short, "[ ", "["), " ]", "]")
			long := strings.Replace(short, change[0], change[1], 1)
			changed = changed || long != short
			if err := os.WriteFile(path, []byte(long), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		_, err := Open(dir)
		if !changed || err == nil || len(err.Error()) > 800 || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%s, changed %v: %.900v", name, changed, err)
		}
	}
}

// A chunk that is not there stands for its fill value, but not for more numbers than a disk must prove to hold: pieces of a
// large array are small, and each alone would pass.
func TestMissingChunkOfALargeArray(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		".zgroup":             `{"zarr_format": 2}`,
		"posterior/.zgroup":   `{"zarr_format": 2}`,
		"posterior/a/.zarray": `{"chunks": [1,11337,4478], "compressor": null, "dtype": "|u1", "fill_value": 0, "filters": null, "order": "C", "shape": [1,24149,6977], "zarr_format": 2}`,
		"posterior/a/.zattrs": `{"_ARRAY_DIMENSIONS": ["chain", "draw", "a_dim_0"]}`,
		"posterior/b/.zarray": `{"chunks": [1,24149], "compressor": null, "dtype": "|u1", "fill_value": 0, "filters": null, "order": "C", "shape": [1,24149], "zarr_format": 2}`,
		"posterior/b/.zattrs": `{"_ARRAY_DIMENSIONS": ["chain", "draw"]}`,
		"posterior/b/0.0":     strings.Repeat("1", 24149), // proves so many draws
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := readPieces(dir, 1<<20); err == nil || !strings.Contains(err.Error(), "missing") {
		t.Errorf("%v", err)
	}
}

// Another file of the folder in the place of the consolidated metadata is an error that names it.
func TestMetadataOfAnotherFile(t *testing.T) {
	dir := undisturbed(t, testLayout(), 0, 3)
	b, err := os.ReadFile(filepath.Join(dir, ".zattrs"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, metadataFile), b, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), metadataFile) {
		t.Errorf("%v", err)
	}
}
