package annealtest_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/anneal"
	"github.com/ergodic-mcmc/ergodic/anneal/annealtest"
	"github.com/ergodic-mcmc/ergodic/internal/gobs"
	"github.com/ergodic-mcmc/ergodic/kerneltest"
)

// hills is a walk on the numbers from 0 to 4 with energies of their own.
type hills struct{ fault string }

var heights = []float64{0, 1.5, 0.3, 2, -0.5}

func (h hills) Variables() int                 { return 1 }
func (h hills) Walker() (anneal.Walker, error) { return &walker{fault: h.fault}, nil }
func (h hills) Memory() int64                  { return 100 }
func (h hills) Temperatures() (a, b float64)   { return 2, 0.1 }
func (h hills) Objective(e float64) float64    { return e }
func (h hills) Evaluate(x []float64) (float64, error) {
	if len(x) != 1 || x[0] < 0 || x[0] > 4 {
		return 0, errors.New("no hill")
	}
	return heights[int(x[0])], nil
}

type walker struct {
	At, Low int
	fault   string
}

func (w *walker) Replicas() int          { return 1 }
func (w *walker) Start(r *rand.Rand)     { w.At = r.IntN(5); w.Low = w.At }
func (w *walker) Energy(int) float64     { return heights[w.At] }
func (w *walker) Best(int) float64       { return heights[w.Low] }
func (w *walker) Solution(int) []float64 { return []float64{float64(w.Low)} }
func (w *walker) State(int) []float64    { return []float64{float64(w.At)} }
func (w *walker) Set(_ int, x []float64) error {
	w.At, w.Low = int(x[0]), int(x[0])
	return nil
}
func (w *walker) Copy(_ int, from anneal.Walker, _ int) { *w = *from.(*walker) }
func (w *walker) MarshalBinary() ([]byte, error)        { return gobs.Marshal(*w) }
func (w *walker) UnmarshalBinary(b []byte) error        { return gobs.Unmarshal(b, w) }

func (w *walker) Sweep(t float64, r *rand.Rand) (proposed, accepted int64) {
	to := w.At + 2*r.IntN(2) - 1
	if to < 0 || to > 4 || w.fault == "stays" {
		return 1, 0
	}
	d := heights[to] - heights[w.At]
	if w.fault == "greedy" {
		d /= 2
	}
	if d > 0 && r.Float64() >= math.Exp(-d/t) {
		return 1, 0
	}
	w.At = to
	if w.fault != "forgets" && heights[to] < heights[w.Low] {
		w.Low = to
	}
	return 1, 1
}

func TestStationaryFindsFaults(t *testing.T) {
	var all [][]float64
	for i := range heights {
		all = append(all, []float64{float64(i)})
	}
	for _, fault := range []string{"", "greedy", "stays", "forgets"} {
		err := annealtest.Stationary(hills{fault}, all, 0.8, kerneltest.Settings{Seed: 1, Steps: 400})
		if (err != nil) != (fault != "") {
			t.Errorf("fault %q: %v", fault, err)
		}
	}
	if err := annealtest.Stationary(hills{}, slices.Concat(all, [][]float64{{7}}), 0.8, kerneltest.Settings{Seed: 1, Steps: 400}); err == nil || fmt.Sprint(err) != "solution [7]: no hill" {
		t.Error(err)
	}
}
