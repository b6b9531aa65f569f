package mode

import (
	"math"
	"testing"

	"github.com/ergodic-mcmc/ergodic/hmc"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// The mean of the weights is the integral of the density, where the distribution is near it. That it is 6 standard errors off has a probability of 2e-9.
func TestAroundNormal(t *testing.T) {
	target := gaussian([][]float64{{4, 1, 0}, {1, 3, 0}, {0, 0, 0.01}}, []float64{1, -2, 5})
	const n = 2000
	top, a, err := Around(target, []float64{0, 0, 0}, Settings{}, n, rng.New(1, "around").Rand)
	if err != nil || len(a.Draws) != n || top.End != Converged {
		t.Fatalf("%+v, %d draws, %v", top, len(a.Draws), err)
	}
	want := 0.5 * (3*math.Log(2*math.Pi) - math.Log(11*0.01))
	sum, squares := 0.0, 0.0
	for _, w := range a.LogWeights {
		x := math.Exp(w - want)
		sum += x
		squares += x * x
	}
	mean := sum / n
	if e := math.Sqrt((squares/n - mean*mean) / n); math.Abs(mean-1) > 6*e {
		t.Errorf("the mean of the weights is %v times the integral, with an error of %v", mean, e)
	}
}

func TestAroundSaysWhatIsWrong(t *testing.T) {
	none := hmc.TargetFunc(func(x, grad []float64) float64 { return math.Inf(-1) })
	if _, _, err := Around(none, []float64{1}, Settings{}, 5, rng.New(1, "around").Rand); err == nil {
		t.Error("a start of density 0 is no error")
	}
	if _, _, err := Around(gaussian([][]float64{{1}}, []float64{0}), []float64{1}, Settings{}, 0, rng.New(1, "around").Rand); err == nil {
		t.Error("no draws are no error")
	}
}

// An end that is near enough ends the climb, too, after it has been doubted.
func TestClimbEndsWhereLittleIsLeft(t *testing.T) {
	precision, mean := stretched(20, 1e6)
	top, err := Climb(gaussian(precision, mean), make([]float64, 20), Settings{Rise: 0.01})
	if err != nil || top.End != Converged || top.Iterations > 300 {
		t.Errorf("%v after %d iterations, %v", top.End, top.Iterations, err)
	}
}
