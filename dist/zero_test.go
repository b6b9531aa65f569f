package dist

import (
	"fmt"
	"math"
	"testing"
)

// The density at 0 is the limit from above, which the slope of the log density in log x tells: 0 for a finite limit.
func TestLogProbAtZero(t *testing.T) {
	shapes := []float64{0.5, 1, 4.0 / 3, 2, 3}
	limits := map[string]int{} // finite ones
	var check func(t *testing.T, d *Scalar, p []float64, i int)
	check = func(t *testing.T, d *Scalar, p []float64, i int) {
		if i < len(p) {
			for _, s := range shapes {
				p[i] = s
				check(t, d, p, i+1)
			}
			return
		}
		const near, nearer = 1e-200, 1e-250
		l := d.LogProb(nearer, p)
		slope := (d.LogProb(near, p) - l) / math.Log(near/nearer)
		want := l
		switch {
		case slope > 1e-6:
			want = math.Inf(-1)
		case slope < -1e-6:
			want = math.Inf(1)
		default:
			limits[d.Name]++
		}
		if got := d.LogProb(0, p); got != want && !(math.Abs(got-want) < 1e-12) {
			t.Errorf("%s%v: LogProb(0) = %v, want %v", d.Name, p, got, want)
		}
	}
	for _, d := range Scalars() {
		p := make([]float64, len(d.Params))
		for i := range p {
			p[i] = 1
		}
		if lo, _ := d.Support(p); d.Discrete || lo != 0 {
			continue
		}
		t.Run(fmt.Sprint(d.Name), func(t *testing.T) { check(t, d, p, 0) })
		if limits[d.Name] == 0 && d.Name != "dlnorm" && d.Name != "dinvgamma" { // densities that vanish at 0 with all derivatives
			t.Errorf("%s: no parameters with a finite density at 0 tried", d.Name)
		}
	}
}
