package plan

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/dist"
)

// TestReferenceFollowsNumbers: where f is linear in the numbers the point is f itself, out to four standard deviations, and within the factor 1 + 1/1000 by which squares are raised.
func TestReferenceFollowsNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	cells := []int32{2, 0}
	values := make([]float64, 3)
	f := func(x []float64) {
		x[0], x[1], x[2] = 100-3*values[2], 2*values[0]+0.5*values[2], 7
	}
	p, x, got := newReference(3, 2), make([]float64, 3), make([]float64, 3)
	for range 1000 {
		values[2] = 1e4 + dist.StdNormal(r)
		values[0] = 0.1 * (dist.StdNormal(r) + values[2] - 1e4)
		f(x)
		p.see(x, values, cells)
	}
	if !p.learn() {
		t.Fatal("a thousand draws are too few")
	}
	values[0], values[2] = 0.3, 1e4+3
	f(x)
	p.place(got, values, cells)
	for j := range x {
		if math.Abs(got[j]-x[j]) > 0.05 {
			t.Errorf("element %d: %v, want %v", j, got[j], x[j])
		}
	}
	values[2] = 1e4 + 1e3
	p.place(got, values, cells)
	if at := 100 - 3*values[2]; math.Abs(got[0]-at) < 100 {
		t.Errorf("the regression is followed to %v, a thousand standard deviations out", got[0])
	}
	for range leastForSlope {
		p.see(x, values, cells) // numbers that do not move
	}
	if p.learn(); p.sd[0] != 0 {
		t.Error("a number that did not move has a slope")
	}
}
