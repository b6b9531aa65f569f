package kerneltest

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Settings say how hard a check looks. The zero value works.
type Settings struct {
	Seed       uint64
	Replicates int     // independent runs of the kernel; 0: 20 000
	Steps      int     // steps in each; 0: 1
	Alpha      float64 // probability of failing a right kernel, over all comparisons; 0: 1e-6
}

// complete fills in the defaults, and refuses settings with which no kernel could fail.
func (s Settings) complete() (Settings, error) {
	if s.Replicates == 0 {
		s.Replicates = 20_000
	}
	if s.Steps == 0 {
		s.Steps = 1
	}
	if s.Alpha == 0 {
		s.Alpha = 1e-6
	}
	switch {
	case s.Replicates < 0:
		return s, fmt.Errorf("kerneltest: Settings.Replicates is %d; it must be positive", s.Replicates)
	case s.Steps < 0:
		return s, fmt.Errorf("kerneltest: Settings.Steps is %d; it must be positive", s.Steps)
	case !(s.Alpha > 0 && s.Alpha < 1):
		return s, fmt.Errorf("kerneltest: Settings.Alpha is %v; it must be between 0 and 1", s.Alpha)
	}
	return s, nil
}

var errNothing = errors.New("kerneltest: nothing was compared; a check needs states or statistics")

// binomialP is the two-sided p-value of k successes in n trials of probability p: twice
// the smaller exact tail.
func binomialP(k, n int, p float64) float64 {
	if p <= 0 || p >= 1 {
		if expected := p * float64(n); float64(k) == expected {
			return 1
		}
		return 0
	}
	lower, upper := 1.0, 1.0
	if k < n { // P(X ≤ k) = I_{1-p}(n-k, k+1)
		lower = mathext.RegIncBeta(float64(n-k), float64(k+1), 1-p)
	}
	if k > 0 { // P(X ≥ k) = I_p(k, n-k+1)
		upper = mathext.RegIncBeta(float64(k), float64(n-k+1), p)
	}
	return min(1, 2*min(lower, upper))
}

// smirnovP is P(D ≥ k/n) for two samples of size n from one continuous law, D the largest
// difference of their empirical distribution functions (Gnedenko and Korolyuk, 1951):
// 2 Σ_{j≥1} (−1)^{j+1} C(2n, n−jk) / C(2n, n). With ties it is an upper bound.
func smirnovP(k, n int) float64 {
	if k <= 0 {
		return 1
	}
	p, sign := 0.0, 2.0
	for j := k; j <= n; j += k {
		p += sign * math.Exp(logFact(n)+logFact(n)-logFact(n-j)-logFact(n+j))
		sign = -sign
	}
	return min(max(p, 0), 1)
}

func logFact(n int) float64 {
	l, _ := math.Lgamma(float64(n) + 1)
	return l
}
