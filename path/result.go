package path

import "math"

// Result is an estimate of log Z at β = 1.
type Result struct {
	Method string
	LogZ   float64
	SE     float64    // standard error of LogZ; NaN where a single run gives none
	CI95   [2]float64 // 95 % interval

	Runs          int     // independent runs or chains behind the estimate
	EffectiveRuns float64 // (Σw)²/Σw² of their weights; Runs where all have the same weight
	MaxShare      float64 // the largest weight's share of the sum of weights
	ESS           float64 // effective sample size: of the runs, or of the draws at the temperature where it is smallest
	Moves, Evals  int64   // transitions, and evaluations of densities or their ratios
	Warnings      []string
	Trace         []Point // the estimate as a function of the moves made

	SEBootstrap, SEJackknife float64   // NaN where the method has none
	PerRun                   []float64 // each run's log Z (for weighted runs: log Z of the base + its log weight)
}

// Point is the estimate of log Z after so many moves.
type Point struct {
	Moves int64
	LogZ  float64
}

func newResult(method string, o *outcome) *Result {
	return &Result{
		Method: method, Runs: len(o.rows), EffectiveRuns: float64(len(o.rows)), MaxShare: 1 / float64(max(len(o.rows), 1)),
		Moves: o.moves, Evals: o.evals,
		LogZ: math.NaN(), SE: math.NaN(), ESS: math.NaN(), SEBootstrap: math.NaN(), SEJackknife: math.NaN(),
		CI95: [2]float64{math.Inf(-1), math.Inf(1)},
	}
}

func (r *Result) warn(text string) { r.Warnings = append(r.Warnings, text) }

// studentInterval sets Student's t interval about the estimate.
func (r *Result) studentInterval(df int) {
	half := float64(studentT(df) * r.SE)
	r.CI95 = [2]float64{r.LogZ - half, r.LogZ + half}
}

// coverSE raises the standard error to that of which the interval would be Student's.
func (r *Result) coverSE(df int) { r.SE = max(r.SE, (r.CI95[1]-r.CI95[0])/(2*studentT(df))) }

// cover widens the interval to cover [low, high].
func (r *Result) cover(low, high float64) {
	r.CI95 = [2]float64{min(r.CI95[0], low), max(r.CI95[1], high)}
}
