package diag

// DIC is the deviance information criterion D̄ + p with the penalty named:
// there are several, and they differ.
type DIC struct {
	MeanDeviance float64
	Penalty      float64
	PenaltyName  string // "pV" or "pD"
	Value        float64
}

// DICByVariance penalises by p_V = var(D)/2 (Gelman, Carlin, Stern and Rubin,
// Bayesian Data Analysis, 2nd edition 2004, equation 6.22), which needs nothing but the
// draws of the deviance D = -2 log p(y | θ).
func DICByVariance(deviance [][]float64) DIC {
	w := loaded(deviance)
	return dic(w.mean, variance(w.x, w.mean)/2, "pV")
}

// DICByPlugIn penalises by p_D = D̄ - D(θ̄) (Spiegelhalter, Best, Carlin and van
// der Linde 2002, section 2.3): atMean is the deviance at the posterior means, which has
// a meaning only for continuous parameters. p_D may be negative.
func DICByPlugIn(deviance [][]float64, atMean float64) DIC {
	w := loaded(deviance)
	return dic(w.mean, w.mean-atMean, "pD")
}

func dic(mean, penalty float64, name string) DIC {
	return DIC{MeanDeviance: mean, Penalty: penalty, PenaltyName: name, Value: mean + penalty}
}
