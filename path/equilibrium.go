package path

import (
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/diag"
)

// lag is a difference that is zero in equilibrium but for chance: by how far log Z may be off.
type lag struct {
	nats, se float64
	df       int
	warning  string
}

// bias is the part of the difference that chance does not explain.
func (l lag) bias() float64 {
	if l.df < 1 {
		return 0
	}
	return math.Sqrt(max(float64(l.nats*l.nats)-float64(l.se*l.se), 0))
}

// beyondChance is false by chance alone once in 500.
func (l lag) beyondChance() bool {
	if l.df < 1 {
		return false
	}
	return math.Abs(l.nats) > studentQuantile(l.df, 0.999)*l.se
}

// hysteresis is half of what the way down gives more than the way up: the truth lies between.
func (c *chained) hysteresis() lag {
	l := c.secondLessFirst()
	l.warning = fmt.Sprintf("the way down the ladder gives %.3g ± %.2g more than the way up: chains lag behind equilibrium, and the error allows for it; "+
		"take more draws, or more temperatures where densities change fast", l.nats, l.se)
	l.nats, l.se = l.nats/2, l.se/2
	return l
}

// drift is what the second half of the draws gives more than the first. Where the start is forgotten
// within half of the draws or sooner, the bias of all is about that or less.
func (c *chained) drift() lag {
	l := c.secondLessFirst()
	l.warning = fmt.Sprintf("the second half of the draws gives %.3g ± %.2g more than the first: ensembles have not reached equilibrium; "+
		"take more draws, or a longer Burn", l.nats, l.se)
	return l
}

func (c *chained) secondLessFirst() lag {
	gains := make([]float64, len(c.rows))
	for i, row := range c.rows {
		gains[i] = c.integral(row, c.second()) - c.integral(row, c.first())
	}
	m, se := meanError(gains)
	return lag{nats: m, se: se, df: len(gains) - 1}
}

// origins compares runs that started from above with those from below. The truth lies between the two means, so the
// estimate may be off by its distance to the further one.
func (c *chained) origins() lag {
	var means [2][]float64
	for i, row := range c.rows {
		means[c.origin[i]] = append(means[c.origin[i]], c.integral(row, span{0, c.draws}))
	}
	below, above := means[0], means[1]
	if len(below) < 2 || len(above) < 2 {
		return lag{}
	}
	a, sa := meanError(above)
	b, sb := meanError(below)
	gap, se := a-b, math.Hypot(sa, sb)
	share := float64(max(len(above), len(below))) / float64(len(c.rows))
	return lag{nats: gap * share, se: se * share, df: len(c.rows) - 2, warning: fmt.Sprintf(
		"ensembles that started from above give %.3g ± %.2g more than those from below: they have not forgotten their start, and the error allows for it; "+
			"take more draws, or a longer Burn", gap, se)}
}

// integral is the chain's thermodynamic integral by these of its draws.
func (c *chained) integral(row []float64, draws span) float64 {
	sum := 0.0
	for k, w := range c.weights {
		sum += float64(w * mean(c.of(row, slopes, k)[draws.from:draws.to]))
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

// centred moves the groups of x to a common mean.
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

func countGroups(group []int) int {
	seen := make([]bool, len(group)+1)
	n := 0
	for _, g := range group {
		if !seen[g] {
			seen[g] = true
			n++
		}
	}
	return n
}

const farApart = 1.2

// apart says where chains differ by much more than they vary: the largest R-hat of the derivative (Gelman and Rubin 1992) over
// temperatures and halves. Chains with ten effective draws in each half stay below the bound.
func (c *chained) apart() string {
	worst, at := 0.0, 0.0
	for k, beta := range c.ladder {
		for _, half := range []span{c.first(), c.second()} {
			var x [][]float64
			for _, row := range c.rows {
				x = append(x, c.of(row, slopes, k)[half.from:half.to])
			}
			if r := diag.RhatBasic(x); r > worst {
				worst, at = r, beta
			}
		}
	}
	if len(c.rows) < 2 || !(worst > farApart) {
		return ""
	}
	return fmt.Sprintf("chains disagree, most at β = %.4g, where R-hat of d log f/dβ is %.2f: each has seen a part of the space, or too little of it; "+
		"take more draws", at, worst)
}
