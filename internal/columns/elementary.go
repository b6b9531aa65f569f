package columns

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Exp sets d[i] = vec.Exp(a[i]).
func Exp(d, a []float64) { best().exp(d, a[:len(d)]) }

// Log sets d[i] = vec.Log(a[i]).
func Log(d, a []float64) { best().log(d, a[:len(d)]) }

// Log1pExp sets d[i] = vec.Log1pExp(a[i]), log(1+exp(a[i])).
func Log1pExp(d, a []float64) { best().log1pExp(d, a[:len(d)]) }

// Ilogit sets d[i] = vec.Ilogit(a[i]).
func Ilogit(d, a []float64) { best().ilogit(d, a[:len(d)]) }

// Sqrt sets d[i] to the square root of a[i].
func Sqrt(d, a []float64) { best().sqrt(d, a[:len(d)]) }

// Tanh sets d[i] = vec.Tanh(a[i]).
func Tanh(d, a []float64) { best().tanh(d, a[:len(d)]) }

// Phi sets d[i] = vec.NormCDF(a[i]), the standard normal distribution function.
func Phi(d, a []float64) { phiGo(d, a[:len(d)]) }

// Lgamma sets d[i] = vec.Lgamma(a[i]).
func Lgamma(d, a []float64) { best().lgamma(d, a[:len(d)]) }

// Digamma sets d[i] = vec.Digamma(a[i]), the derivative of log Γ.
func Digamma(d, a []float64) { best().digamma(d, a[:len(d)]) }

func expGo(d, a []float64) {
	for i := range d {
		d[i] = vec.Exp(a[i])
	}
}

func logGo(d, a []float64) {
	for i := range d {
		d[i] = vec.Log(a[i])
	}
}

func log1pExpGo(d, a []float64) {
	for i := range d {
		d[i] = vec.Log1pExp(a[i])
	}
}

func ilogitGo(d, a []float64) {
	for i := range d {
		d[i] = vec.Ilogit(a[i])
	}
}

func sqrtGo(d, a []float64) {
	for i := range d {
		d[i] = math.Sqrt(a[i])
	}
}

func tanhGo(d, a []float64) {
	for i := range d {
		d[i] = vec.Tanh(a[i])
	}
}

func phiGo(d, a []float64) {
	for i := range d {
		d[i] = vec.NormCDF(a[i])
	}
}

func lgammaGo(d, a []float64) {
	for i := range d {
		d[i] = vec.Lgamma(a[i])
	}
}

func digammaGo(d, a []float64) {
	for i := range d {
		d[i] = vec.Digamma(a[i])
	}
}
