package mapped_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/mapped"
)

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x")
	for _, text := range []string{"", "some bytes"} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		b, unmap, err := mapped.Open(path, "a test")
		if err != nil || string(b) != text {
			t.Errorf("%q, %v", b, err)
		}
		if unmap == nil {
			continue
		}
		if err := unmap(); err != nil {
			t.Error(err)
		}
	}
	for _, path := range []string{dir, filepath.Join(dir, "none")} {
		if _, _, err := mapped.Open(path, "a test"); err == nil {
			t.Errorf("%s is open", path)
		}
	}
}
