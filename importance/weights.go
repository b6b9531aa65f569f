package importance

import (
	"errors"
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Normalise writes the weights exp(logw) divided by their sum to w, which is as long as logw and may be it, and
// returns the logarithm of their mean. A log weight −Inf is the weight 0. The error names the weight that is NaN or
// +Inf, or says that all are zero; w is then unchanged.
func Normalise(w, logw []float64) (logMean float64, err error) {
	if len(w) != len(logw) {
		return math.NaN(), fmt.Errorf("importance: %d weights for %d log weights; they must be as many", len(w), len(logw))
	}
	top, err := greatest(logw)
	if err != nil {
		return math.NaN(), err
	}
	sum := 0.0
	for i, l := range logw {
		w[i] = vec.Exp(l - top)
		sum += w[i]
	}
	for i := range w {
		w[i] /= sum
	}
	return top + vec.Log(sum/float64(len(w))), nil
}

func greatest(logw []float64) (float64, error) {
	if len(logw) == 0 {
		return 0, errors.New("importance: there are no weights; give at least one")
	}
	top := math.Inf(-1)
	for i, l := range logw {
		if math.IsNaN(l) || math.IsInf(l, 1) {
			return 0, fmt.Errorf("importance: log weight %d is %v; it must be a number below +Inf", i+1, l)
		}
		top = max(top, l)
	}
	if math.IsInf(top, -1) {
		return 0, fmt.Errorf("importance: all %d weights are zero; propose where the target has mass", len(logw))
	}
	return top, nil
}

// ESS is Kish's (1965) effective sample size (Σ w)²/Σ w² of weights that are not negative: n for n equal ones, 1 where
// one has all the mass. A small one warns; a large one proves nothing, as draws that should have had large weights may
// be missing. NaN where all weights are zero or one is NaN.
func ESS(w []float64) float64 {
	top := 0.0 // the squares are in units of its, so that none under- or overflows
	for _, v := range w {
		top = max(top, v)
	}
	var sum, square float64
	for _, v := range w {
		v /= top
		sum += v
		square += float64(v * v)
	}
	return sum * sum / square
}
