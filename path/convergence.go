package path

import (
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/diag"
)

// discrepancy is a difference of estimates whose expectation is zero in equilibrium: a measure of the bias of log Z.
type discrepancy struct {
	nats, se float64
	df       int
	warning  string
}

// bias is the part of the difference beyond its standard error, √(d² − se²).
func (l discrepancy) bias() float64 {
	if l.df < 1 {
		return 0
	}
	return math.Sqrt(max(float64(l.nats*l.nats)-float64(l.se*l.se), 0))
}

// beyondChance says whether the difference is significant at the level 1/500.
func (l discrepancy) beyondChance() bool {
	if l.df < 1 {
		return false
	}
	return math.Abs(l.nats) > studentQuantile(l.df, 0.999)*l.se
}

// hysteresis is half the difference between the estimates on the way down the ladder and on the way up: log Z lies between them.
func (c *chainSamples) hysteresis() discrepancy {
	l := c.secondLessFirst()
	l.warning = fmt.Sprintf("hysteresis: the way down the ladder gives %.3g ± %.2g more than the way up, so chains lag behind equilibrium, and the error allows for it; "+
		"take more draws, or more temperatures where densities change fast", l.nats, l.se)
	l.nats, l.se = l.nats/2, l.se/2
	return l
}

// drift is the difference between the estimates from the second and the first half of the draws. Where chains forget their
// start within half of the draws or sooner, it is about the bias of all draws or more.
func (c *chainSamples) drift() discrepancy {
	l := c.secondLessFirst()
	l.warning = fmt.Sprintf("drift: the second half of the draws gives %.3g ± %.2g more than the first, so ensembles have not reached equilibrium; "+
		"take more draws, or a longer Burn", l.nats, l.se)
	return l
}

func (c *chainSamples) secondLessFirst() discrepancy {
	gains := make([]float64, len(c.rows))
	for i, row := range c.rows {
		gains[i] = c.integral(row, c.secondHalf()) - c.integral(row, c.firstHalf())
	}
	m, se := meanError(gains)
	return discrepancy{nats: m, se: se, df: len(gains) - 1}
}

// originGap compares runs that started from above with those that started from below. log Z lies between the two means, so
// the bias is at most the distance of the estimate to the further one.
func (c *chainSamples) originGap() discrepancy {
	var means [2][]float64
	for i, row := range c.rows {
		means[c.origin[i]] = append(means[c.origin[i]], c.integral(row, span{0, c.draws}))
	}
	below, above := means[0], means[1]
	if len(below) < 2 || len(above) < 2 {
		return discrepancy{}
	}
	a, sa := meanError(above)
	b, sb := meanError(below)
	gap, se := a-b, math.Hypot(sa, sb)
	share := float64(max(len(above), len(below))) / float64(len(c.rows))
	return discrepancy{nats: gap * share, se: se * share, df: len(c.rows) - 2, warning: fmt.Sprintf(
		"ensembles that started from above give %.3g ± %.2g more than those from below: they have not forgotten their start, and the error allows for it; "+
			"take more draws, or a longer Burn", gap, se)}
}

// integral is the thermodynamic integral of a chain from these draws.
func (c *chainSamples) integral(row []float64, draws span) float64 {
	sum := 0.0
	for k, w := range c.weights {
		sum += float64(w * mean(c.values(row, slopes, k)[draws.from:draws.to]))
	}
	return sum
}

// meanError is the mean of independent numbers with its standard error.
func meanError(x []float64) (m, se float64) {
	m, squares := deviations(x)
	n := float64(len(x))
	return m, math.Sqrt(squares / (n * max(n-1, 1)))
}

// deviations is the mean and the sum of squared differences from it.
func deviations(x []float64) (m, squares float64) {
	m = mean(x)
	for _, v := range x {
		squares += float64((v - m) * (v - m))
	}
	return m, squares
}

// centred shifts the groups of x to a common mean.
func centred(x []float64, group []int) []float64 {
	sum, count := make([]float64, len(x)+1), make([]float64, len(x)+1)
	for i, g := range group {
		sum[g] += x[i]
		count[g]++
	}
	all := mean(x)
	out := make([]float64, len(x))
	for i, g := range group {
		out[i] = x[i] - sum[g]/count[g] + all
	}
	return out
}

const maxRhat = 1.2

// rhatWarning is the warning of a large R-hat of the derivative (Gelman and Rubin 1992), the largest over temperatures and
// halves of the chains, or "". Chains with ten effective draws in each half stay below the bound.
func (c *chainSamples) rhatWarning() string {
	worst, at := 0.0, 0.0
	for k, beta := range c.ladder {
		for _, half := range []span{c.firstHalf(), c.secondHalf()} {
			var x [][]float64
			for _, row := range c.rows {
				x = append(x, c.values(row, slopes, k)[half.from:half.to])
			}
			if r := diag.RhatBasic(x); r > worst {
				worst, at = r, beta
			}
		}
	}
	if len(c.rows) < 2 || !(worst > maxRhat) {
		return ""
	}
	return fmt.Sprintf("chains disagree, most at β = %.4g, where R-hat of d log f/dβ is %.2f: each has visited a part of the space, or too little of it; "+
		"take more draws", at, worst)
}
