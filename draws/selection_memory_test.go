package draws

import (
	"errors"
	"runtime/debug"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
)

// A shape that a damaged file claims is no reason to take its memory.
func TestSelectWithinMemory(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(200 << 20))
	vars := []Variable{{Name: "a", Dims: []int{40000, 50000}}, {Name: "b", Dims: []int{3}}}
	var full *memory.Error
	for _, p := range []string{"*", "a", "b,a[,2:40000]"} {
		if _, _, err := Select(vars, p); !errors.As(err, &full) {
			t.Errorf("%s: %v", p, err)
		}
	}
	if parts, _, err := Select(vars, "a[1:2,5],b"); err != nil || len(parts) != 2 {
		t.Errorf("%v %v", parts, err)
	}
}
