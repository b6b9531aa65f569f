package checksummed_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLong(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	text := strings.Repeat("and so on ", 30_000)
	write := func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
	if err := crate().WriteLong(path, cargo{7, []float64{1}}, write); err != nil {
		t.Fatal(err)
	}
	var got cargo
	var rest []byte
	read := func(r io.Reader) (err error) { rest, err = io.ReadAll(r); return err }
	if err := crate().ReadLong(path, &got, read); err != nil || got.Place != 7 || string(rest) != text {
		t.Errorf("%+v, %d bytes, %v", got, len(rest), err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	called := false
	for at, says := range map[int]string{0: "is cut short", 20: "is cut short", 100: "does not match", len(whole) - 1: "does not match"} {
		if err := os.WriteFile(path, whole[:at], 0o666); err != nil {
			t.Fatal(err)
		}
		err := crate().ReadLong(path, &got, func(io.Reader) error { called = true; return nil })
		if err == nil || !strings.HasPrefix(err.Error(), path) || !strings.Contains(err.Error(), says) || called {
			t.Errorf("cut at %d: %v", at, err)
		}
	}
	if err := crate().ReadLong(path+"y", &got, read); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	full := errors.New("full")
	if err := crate().WriteLong(path, cargo{}, func(io.Writer) error { return full }); !errors.Is(err, full) {
		t.Error(err)
	}
}
