package dist

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// trapez is dtrapez(a, b, c, d): a density that rises in a line from a to b, is even to c and falls in a line to d, with
// the height 2/(c − b + d − a); b = c is a triangle.
func trapez() *Scalar {
	return &Scalar{
		Name:          "dtrapez",
		MovingSupport: true,
		Params:        []string{"a", "b", "c", "d"},
		CanTruncate:   true,
		Check:         trapezCheck,
		Support:       func(p []float64) (lo, hi float64) { return p[0], p[3] },
		LogProb:       trapezLogProb,
		Grad:          trapezGrad,
		Sample:        func(r *rand.Rand, p []float64) float64 { return trapezQuantile(uniform(r), p) },
		CDF: func(x float64, p []float64) float64 {
			below, _ := trapezAreas(x, p)
			return below
		},
		LogCDF:   func(x float64, p []float64) float64 { below, _ := trapezAreas(x, p); return vec.Log(below) },
		LogSF:    func(x float64, p []float64) float64 { _, above := trapezAreas(x, p); return vec.Log(above) },
		Quantile: trapezQuantile,
		Mean:     func(p []float64) float64 { return trapezMoment(p, 1) },
		Variance: func(p []float64) float64 { return trapezMoment(p, 2) },
		sampleT: func(r *rand.Rand, p []float64, lo, hi float64) float64 {
			below, _ := trapezAreas(lo, p)
			to, above := trapezAreas(hi, p)
			if below > 0.5 { // the area above keeps its digits
				_, from := trapezAreas(lo, p)
				return trapezAbove(above+float64(uniform(r)*(from-above)), p)
			}
			return trapezQuantile(below+float64(uniform(r)*(to-below)), p)
		},
	}
}

func trapezOK(p []float64) bool { return trapezCheck(p) == "" }

func trapezCheck(p []float64) string {
	for i, name := range [...]string{"a", "b", "c", "d"} {
		if m := checkFinite(name, p[i]); m != "" {
			return m
		}
	}
	if p[0] <= p[1] && p[1] <= p[2] && p[2] <= p[3] && p[0] < p[3] && finite(trapezSpan(p)) {
		return ""
	}
	return fmt.Sprintf("a = %v, b = %v, c = %v and d = %v must rise", p[0], p[1], p[2], p[3])
}

// trapezSpan is 2 over the height.
func trapezSpan(p []float64) float64 { return (p[2] - p[1]) + (p[3] - p[0]) }

func trapezLogProb(x float64, p []float64) float64 {
	ok := p[0] <= p[1] && p[1] <= p[2] && p[2] <= p[3] && p[0] < p[3] && finite(p[0]) && finite(p[3]) && finite(trapezSpan(p))
	if !ok || !(x >= p[0] && x <= p[3]) {
		return outside(x, ok)
	}
	l := math.Ln2 - vec.Log(trapezSpan(p))
	switch {
	case x < p[1]:
		l += vec.Log((x - p[0]) / (p[1] - p[0]))
	case x > p[2]:
		l += vec.Log((p[3] - x) / (p[3] - p[2]))
	}
	return l
}

func trapezGrad(x float64, p, dp []float64) (dx float64) {
	s := 1 / trapezSpan(p)
	dp[0], dp[1], dp[2], dp[3] = s, s, -s, -s
	switch {
	case x < p[1]:
		dx = 1 / (x - p[0])
		w := 1 / (p[1] - p[0])
		dp[0] += w - dx
		dp[1] -= w
	case x > p[2]:
		dx = -1 / (p[3] - x)
		w := 1 / (p[3] - p[2])
		dp[2] += w
		dp[3] -= w + dx
	}
	return dx
}

// trapezAreas are P(X ≤ x) and P(X > x).
func trapezAreas(x float64, p []float64) (below, above float64) {
	if !trapezOK(p) || x != x {
		return math.NaN(), math.NaN()
	}
	h := 2 / trapezSpan(p)
	switch {
	case x <= p[0]:
		return 0, 1
	case x >= p[3]:
		return 1, 0
	case x < p[1]:
		below = float64(0.5 * h * (x - p[0]) * ((x - p[0]) / (p[1] - p[0])))
		return below, 1 - below
	case x > p[2]:
		above = float64(0.5 * h * (p[3] - x) * ((p[3] - x) / (p[3] - p[2])))
		return 1 - above, above
	}
	return h * (float64(0.5*(p[1]-p[0])) + (x - p[1])), h * (float64(0.5*(p[3]-p[2])) + (p[2] - x))
}

func trapezQuantile(q float64, p []float64) float64 {
	if !probability(q) || !trapezOK(p) {
		return math.NaN()
	}
	s := trapezSpan(p)
	left, middle := (p[1]-p[0])/s, 2*(p[2]-p[1])/s
	switch {
	case q < left:
		return min(p[0]+math.Sqrt(float64(q*s)*(p[1]-p[0])), p[1])
	case q <= left+middle:
		return min(p[1]+float64((q-left)*s*0.5), p[2])
	}
	return trapezAbove(1-q, p)
}

// trapezAbove is the x that has a probability above it, which is that of its line or of what is before it.
func trapezAbove(above float64, p []float64) float64 {
	s := trapezSpan(p)
	if above < (p[3]-p[2])/s {
		return max(p[3]-math.Sqrt(float64(above*s)*(p[3]-p[2])), p[2])
	}
	return trapezQuantile(1-above, p)
}

// trapezMoment is the mean, or the variance, from those of the three parts: triangles and a rectangle.
func trapezMoment(p []float64, k int) float64 {
	s := trapezSpan(p)
	share := [3]float64{(p[1] - p[0]) / s, 2 * (p[2] - p[1]) / s, (p[3] - p[2]) / s}
	mean := [3]float64{p[0] + float64(2*(p[1]-p[0])/3), p[1] + float64(0.5*(p[2]-p[1])), p[2] + (p[3]-p[2])/3}
	within := [3]float64{(p[1] - p[0]) * (p[1] - p[0]) / 18, (p[2] - p[1]) * (p[2] - p[1]) / 12, (p[3] - p[2]) * (p[3] - p[2]) / 18}
	m, v := 0.0, 0.0
	for i := range share {
		m += float64(share[i] * mean[i])
	}
	if k == 1 {
		return m
	}
	for i := range share {
		v += float64(share[i] * (within[i] + float64((mean[i]-m)*(mean[i]-m))))
	}
	return v
}
