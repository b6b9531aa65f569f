package diag

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// shared finds the test material: $ERGODIC_SHARED, or ../shared beside the module.
func shared(t testing.TB, path string) string {
	t.Helper()
	root := os.Getenv("ERGODIC_SHARED")
	if root == "" {
		dir, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		for {
			if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
				break
			}
			if dir == filepath.Dir(dir) {
				t.Skip("no go.mod above the test: cannot find the shared test material")
			}
			dir = filepath.Dir(dir)
		}
		root = filepath.Join(dir, "..", "shared")
	}
	full := filepath.Join(root, filepath.FromSlash(path))
	if _, err := os.Stat(full); err != nil {
		t.Skipf("no shared test material at %s (set ERGODIC_SHARED)", full)
	}
	return full
}

func readJSON(t testing.TB, path string, into any) {
	t.Helper()
	b, err := os.ReadFile(shared(t, path))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// number is a float that JSON writes as a number, a string ("Inf", "NaN") or null.
type number float64

func (n *number) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*n = number(math.NaN())
		return nil
	}
	s := string(b)
	if s[0] == '"' {
		s = s[1 : len(s)-1]
	}
	x, err := strconv.ParseFloat(s, 64)
	*n = number(x)
	return err
}

func floats(n []number) []float64 {
	x := make([]float64, len(n))
	for i, v := range n {
		x[i] = float64(v)
	}
	return x
}

// near is agreement to tol, relative above 1 and absolute below; NaN agrees with NaN.
func near(got, want, tol float64) bool {
	if math.IsNaN(got) || math.IsNaN(want) {
		return math.IsNaN(got) && math.IsNaN(want)
	}
	return got == want || math.Abs(got-want) <= tol*max(1, math.Abs(want))
}

func check(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !near(got, want, tol) {
		t.Errorf("%s = %.15g, want %.15g", what, got, want)
	}
}
