package dist

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// subset is dsample(pi, k): k of n elements without replacement, x having ones at these and zeros elsewhere, with
// probability Π π_i^(x_i) / e_k(π), e_k being the elementary symmetric polynomial: independent coins given that k fall on their
// face (Chen, Dempster and Liu, 1994, Weighted finite population sampling to maximize entropy).
func subset() *Multi {
	return &Multi{
		Name:   "dsample",
		Params: []string{"pi", "k"},
		Dims:   asLongAsPi,
		Check: func(p [][]float64, _ [][]int) string {
			if m := checkWeights("pi", p[0]); m != "" {
				return m
			}
			if k := p[1][0]; !isCount(k) || k > float64(positives(p[0])) {
				return fmt.Sprintf("k = %v must be a whole number, not negative and at most the %d elements of pi that are positive", k, positives(p[0]))
			}
			return ""
		},
		LogProb: subsetLogProb,
		Grad:    subsetGrad,
		Sample:  subsetSample,
		Mean: func(dst []float64, p [][]float64, _ [][]int) {
			c, ok := newCoins(p, new(Work))
			if !ok {
				fillNaN(dst)
				return
			}
			c.inclusions(dst)
		},
	}
}

func positives(w []float64) (n int) {
	for _, v := range w {
		if v > 0 {
			n++
		}
	}
	return n
}

// coins are independent ones with probabilities q_i = c π_i/(1 + c π_i), c being such that about k of them fall on their
// face: after row i of after stands the probability that r of the coins from i on do.
type coins struct {
	q, after, before []float64
	n, k             int
	logScale         float64
}

func newCoins(p [][]float64, work *Work) (c coins, ok bool) {
	w, k := p[0], p[1][0]
	most := 0.0
	for _, v := range w {
		if !(v >= 0 && v <= math.MaxFloat64) {
			return c, false
		}
		most = max(most, v)
	}
	if !isCount(k) || k > float64(positives(w)) {
		return c, false
	}
	c.n, c.k = len(w), int(k)
	size := (c.n + 2) * (c.k + 1)
	buf := work.floats(c.n + size + c.k + 1)
	c.q, c.after, c.before = buf[:c.n], buf[c.n:c.n+size], buf[c.n+size:]
	lo, hi := -700.0, 700.0 // of log(c·most)
	for range 60 {
		c.logScale = float64(0.5 * (lo + hi))
		if c.spin(w, most) < k {
			lo = c.logScale
		} else {
			hi = c.logScale
		}
	}
	row := c.k + 1
	clear(c.after)
	c.after[c.n*row] = 1
	for i := c.n - 1; i >= 0; i-- {
		for r := range row {
			v := float64((1 - c.q[i]) * c.after[(i+1)*row+r])
			if r > 0 {
				v += float64(c.q[i] * c.after[(i+1)*row+r-1])
			}
			c.after[i*row+r] = v
		}
	}
	c.logScale -= vec.Log(most)
	return c, true
}

// spin finds the q and their sum.
func (c *coins) spin(w []float64, most float64) (sum float64) {
	for i, v := range w {
		c.q[i] = 0
		if v > 0 {
			c.q[i] = vec.Ilogit(c.logScale + vec.Log(v/most))
		}
		sum += c.q[i]
	}
	return sum
}

// inclusions are the probabilities of each element to be in the sample: that of its coin and of
// k − 1 of the others.
func (c *coins) inclusions(dst []float64) {
	row := c.k + 1
	total := c.after[c.k]
	clear(c.before)
	c.before[0] = 1
	for i, q := range c.q {
		s := 0.0
		for r := range c.k {
			s += float64(c.before[r] * c.after[(i+1)*row+c.k-1-r])
		}
		dst[i] = q * s / total
		for r := c.k; r >= 0; r-- {
			v := float64((1 - q) * c.before[r])
			if r > 0 {
				v += float64(q * c.before[r-1])
			}
			c.before[r] = v
		}
	}
}

func subsetLogProb(x []float64, p [][]float64, _ [][]int, work *Work) float64 {
	if work == nil {
		work = new(Work)
	}
	c, ok := newCoins(p, work)
	if !ok {
		return math.NaN()
	}
	l, sum := 0.0, 0.0
	for i, v := range x {
		switch {
		case v == 1 && c.q[i] > 0:
			l += vec.Log(c.q[i])
			sum++
		case v == 0:
			l += vec.Log1p(-c.q[i])
		default:
			return offSupport(v)
		}
	}
	if sum != p[1][0] {
		return math.Inf(-1)
	}
	return l - vec.Log(c.after[c.k])
}

func subsetGrad(dx []float64, dp [][]float64, x []float64, p [][]float64, _ [][]int, work *Work) {
	fillNaN(dx)
	if dp[1] != nil {
		dp[1][0] = 0
	}
	if dp[0] == nil {
		return
	}
	if work == nil {
		work = new(Work)
	}
	c, ok := newCoins(p, work)
	if !ok {
		fillNaN(dp[0])
		return
	}
	c.inclusions(dp[0])
	for i, w := range p[0] {
		dp[0][i] = ratioOrZero(x[i]-dp[0][i], w)
	}
}

func subsetSample(dst []float64, r *rand.Rand, p [][]float64, _ [][]int, work *Work) {
	if work == nil {
		work = new(Work)
	}
	c, ok := newCoins(p, work)
	if !ok {
		fillNaN(dst)
		return
	}
	row, left := c.k+1, c.k
	for i := range dst {
		dst[i] = 0
		if left == 0 {
			continue
		}
		in := float64(c.q[i] * c.after[(i+1)*row+left-1])
		if float64(uniform(r)*c.after[i*row+left]) < in || c.after[(i+1)*row+left] == 0 {
			dst[i] = 1
			left--
		}
	}
}
