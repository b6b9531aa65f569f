package dist

import "math/rand/v2"

// Scalar is one univariate distribution, a row of the table that Scalars returns. p holds the parameters in
// BUGS order; no function keeps or changes it, and none allocates.
type Scalar struct {
	Name    string
	Aliases []string
	Params  []string // names of the parameters, in order
	// Formula is the log density on the support, of x and the parameters, in functions of the BUGS language and the
	// operators of Go; empty where there is none in closed form.
	Formula     string
	Discrete    bool
	CanTruncate bool // whether BUGS allows T(,) on it

	// Check says what is wrong with p, or "" when p is in the domain: "tau = -1 must be positive".
	Check func(p []float64) string
	// Support gives the least and the greatest value the distribution can take.
	Support func(p []float64) (lo, hi float64)
	// MovingSupport says of a continuous distribution that Support depends on p.
	MovingSupport bool
	// LogProb is the normalised log density or log probability: -Inf outside the support, NaN for p outside
	// the domain.
	LogProb func(x float64, p []float64) float64
	// Grad returns ∂LogProb/∂x (NaN where Discrete) and writes ∂LogProb/∂p_i to dp[i].
	Grad func(x float64, p, dp []float64) (dx float64)
	// Sample draws one value; NaN for p outside the domain.
	Sample func(r *rand.Rand, p []float64) float64
	// CDF is P(X ≤ x); nil where there is none.
	CDF func(x float64, p []float64) float64
	// LogCDF and LogSF are log P(X ≤ x) and log P(X > x), accurate in far tails; nil where CDF is nil.
	LogCDF, LogSF func(x float64, p []float64) float64
	// Quantile is the least x of the support with CDF(x) ≥ q; NaN for q outside [0, 1].
	Quantile func(q float64, p []float64) float64
	// Mean and Variance are NaN where undefined and +Inf where infinite.
	Mean, Variance func(p []float64) float64

	// sampleT draws given lo ≤ X ≤ hi, for p in the domain and an interval of positive length inside the support. Nil:
	// the general method of SampleT.
	sampleT func(r *rand.Rand, p []float64, lo, hi float64) float64
	// slide is ∂CDF(x)/∂p_k divided by the density at x, NaN where there is no closed form. Nil: for no parameter.
	slide func(k int, x float64, p []float64) float64
}

// scalars is the table: the continuous distributions, then the discrete ones.
var scalars = append(continuous(), discrete()...)

var scalarByName = indexScalars(append(improper(), scalars...))

// Scalars returns the univariate distributions, the continuous ones first. The caller may change the slice but
// not the rows.
func Scalars() []*Scalar { return append([]*Scalar(nil), scalars...) }

// Lookup finds a univariate distribution by its BUGS name or an alias of it.
func Lookup(name string) (*Scalar, bool) {
	d, ok := scalarByName[name]
	return d, ok
}

func indexScalars(rows []*Scalar) map[string]*Scalar {
	byName := make(map[string]*Scalar, 2*len(rows))
	for _, d := range rows {
		byName[d.Name] = d
		for _, a := range d.Aliases {
			byName[a] = d
		}
	}
	return byName
}
