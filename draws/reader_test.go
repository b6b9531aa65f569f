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
