package checksummed_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/checksummed"
)

type cargo struct {
	Place int
	Rows  []float64
}

func crate() checksummed.Kind { return checksummed.Kind{Name: "crate", Version: 3} }

// The layout is that of the files of runs in progress.
func TestLayout(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	want := cargo{7, []float64{1, 0.5}}
	if err := crate().Write(path, want); err != nil {
		t.Fatal(err)
	}
	var body bytes.Buffer
	if err := gob.NewEncoder(&body).Encode(want); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(body.Bytes())
	b, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(b, slices.Concat([]byte("ergodic crate 3\n"), sum[:], body.Bytes())) {
		t.Errorf("%q, %v", b, err)
	}
	var got cargo
	if err := crate().Read(path, &got); err != nil || got.Place != 7 || !slices.Equal(got.Rows, want.Rows) {
		t.Errorf("%+v, %v", got, err)
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Errorf("left over: %v", entries)
	}
}

// Every cut and every flipped bit is noticed, and the error names the file.
func TestDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	whole, err := crate().Encode(cargo{7, []float64{1, 0.5}})
	if err != nil {
		t.Fatal(err)
	}
	refused := func(b []byte, says string) {
		t.Helper()
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := crate().Read(path, new(cargo)); err == nil || !strings.HasPrefix(err.Error(), path+" ") || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", b, err)
		}
	}
	for n := range whole {
		refused(whole[:n], "cut short")
	}
	for i := range whole {
		for bit := range 8 {
			bad := slices.Clone(whole)
			bad[i] ^= 1 << bit
			refused(bad, "")
		}
	}
}

func TestOtherFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	if err := crate().Read(path, new(cargo)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if err := crate().Read(filepath.Dir(path), new(cargo)); err == nil || !strings.Contains(err.Error(), filepath.Dir(path)) {
		t.Errorf("a folder: %v", err)
	}
	for _, c := range []struct {
		kind  checksummed.Kind
		value any
		says  string
	}{
		{checksummed.Kind{Name: "crate", Version: 4}, cargo{}, path + " is of version 4, and this program reads version 3"},
		{checksummed.Kind{Name: "large crate", Version: 3}, cargo{}, path + " is an ergodic large crate, not an ergodic crate"},
		{crate(), "text", path + " cannot be read: gob: "},
	} {
		if err := c.kind.Write(path, c.value); err != nil {
			t.Fatal(err)
		}
		if err := crate().Read(path, new(cargo)); err == nil || !strings.HasPrefix(err.Error(), c.says) {
			t.Errorf("%v, not %s", err, c.says)
		}
	}
	for _, text := range []string{"PK\x03\x04", "another program's\ntext", strings.Repeat("x", 1000), "ergodic crate\n", "ergodic crate three\n"} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := crate().Read(path, new(cargo)); err == nil || err.Error() != path+" is not an ergodic crate" {
			t.Errorf("%.20q: %v", text, err)
		}
	}
}

func TestWhatCannotBeWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "no", "folder")
	for _, v := range []any{cargo{}, func() {}} {
		if err := crate().Write(path, v); err == nil || !strings.Contains(err.Error(), "folder") {
			t.Errorf("%T: %v", v, err)
		}
	}
}
