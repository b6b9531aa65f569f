package markov

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Evolve gives the distributions start, start·P, …, start·Pᵗ: a row a generation.
func Evolve(c Chain, start []float64, t int) ([][]float64, error) {
	if err := checkDistribution(start, c.Len()); err != nil {
		return nil, err
	}
	if t < 0 {
		return nil, fmt.Errorf("markov: %d generations; the number cannot be negative", t)
	}
	table := make([][]float64, t+1)
	table[0] = append([]float64(nil), start...)
	for k := range t {
		table[k+1] = make([]float64, c.Len())
		c.Step(table[k+1], table[k])
	}
	return table, nil
}

// Distances gives the total variation between start·Pᵏ and pi for k = 0 … t, keeping two distributions only.
func Distances(c Chain, start, pi []float64, t int) ([]float64, error) {
	if err := checkDistribution(start, c.Len()); err != nil {
		return nil, err
	}
	if err := checkDistribution(pi, c.Len()); err != nil {
		return nil, err
	}
	if t < 0 {
		return nil, fmt.Errorf("markov: %d generations; the number cannot be negative", t)
	}
	x, y := append([]float64(nil), start...), make([]float64, len(start))
	d := make([]float64, t+1)
	d[0] = TotalVariation(x, pi)
	for k := range t {
		c.Step(y, x)
		x, y = y, x
		d[k+1] = TotalVariation(x, pi)
	}
	return d, nil
}

// ConvergedAt is the first generation, at most limit, from which on no entry of start·Pᵗ changes by a unit of the given
// decimal in a step. Half the sum of a step's changes never grows, so the search ends where it is below that unit.
func ConvergedAt(c Chain, start []float64, decimals, limit int) (int, error) {
	if err := checkDistribution(start, c.Len()); err != nil {
		return 0, err
	}
	unit := math.Pow(10, -float64(decimals))
	x, y := append([]float64(nil), start...), make([]float64, len(start))
	since := 0
	for t := 0; t <= limit; t++ {
		c.Step(y, x)
		for i, v := range x {
			if math.Abs(v-y[i]) >= unit {
				since = t + 1
				break
			}
		}
		if TotalVariation(x, y) < unit {
			return since, nil
		}
		x, y = y, x
	}
	return 0, fmt.Errorf("markov: the distribution still changes by %g a step after %d generations", unit, limit)
}

// Power is Pᵗ by repeated squaring, in O(n³ log t). A matrix beyond 2 GiB is refused ([*SizeError]).
func Power(c Chain, t int) (*Dense, error) {
	if t < 0 {
		return nil, fmt.Errorf("markov: the power %d of a transition matrix; it cannot be negative", t)
	}
	if err := fits("powers", c.Len(), "Evolve follows one start"); err != nil {
		return nil, err
	}
	d := asDense(c)
	out := &Dense{labels: d.labels, n: d.n, p: make([]float64, d.n*d.n)}
	for i := range d.n {
		out.p[i*d.n+i] = 1
	}
	square := d
	for {
		if t&1 == 1 {
			out = out.times(square)
		}
		if t >>= 1; t == 0 {
			return out, nil
		}
		square = square.times(square)
	}
}

func (d *Dense) matrix() *mat.Dense { return mat.NewDense(d.n, d.n, d.p) }

// times is the product of two chains on the same states, its rows divided by their sums.
func (d *Dense) times(e *Dense) *Dense {
	out := &Dense{labels: d.labels, n: d.n, p: make([]float64, d.n*d.n)}
	out.matrix().Mul(d.matrix(), e.matrix())
	for i := range d.n {
		sum := 0.0
		for _, v := range out.row(i) {
			sum += v
		}
		for j := range out.row(i) {
			out.row(i)[j] /= sum
		}
	}
	return out
}

// farthest is the largest total variation between a row and pi.
func (d *Dense) farthest(pi []float64) float64 {
	worst := 0.0
	for i := range d.n {
		worst = max(worst, TotalVariation(d.row(i), pi))
	}
	return worst
}

// longest is the largest exponent of two of MixingTime.
const longest = 52

// MixingTime is the least t for which Pᵗ is within epsilon of pi in total variation from every start; ¼ is customary
// (Levin, Peres, Wilmer, 2009, section 4.5). The distance never grows with t, so powers of two bracket t and their
// products find it, in O(n³ log t) and n² numbers a power. A chain that does not converge to pi, such as a periodic one,
// is an error, and so is a matrix beyond 2 GiB ([*SizeError]), or 8 GiB of powers.
func MixingTime(c Chain, pi []float64, epsilon float64) (int, error) {
	if err := checkDistribution(pi, c.Len()); err != nil {
		return 0, err
	}
	if !(epsilon > 0 && epsilon < 1) {
		return 0, fmt.Errorf("markov: a mixing time to a total variation of %v; it must be between 0 and 1", epsilon)
	}
	if err := fits("mixing times", c.Len(), "SecondEigenvalue and MixingBounds bound that of a reversible chain"); err != nil {
		return 0, err
	}
	cl := Classify(c)
	if closed := cl.Closed(); len(closed) > 1 || cl.List[closed[0]].Period > 1 {
		return 0, fmt.Errorf("markov: the chain does not forget where it started: its mixing time is infinite")
	}
	if start, _ := Power(c, 0); start.farthest(pi) <= epsilon {
		return 0, nil
	}
	powers := []*Dense{asDense(c)}
	for powers[len(powers)-1].farthest(pi) > epsilon {
		if len(powers) > longest {
			return 0, fmt.Errorf("markov: the mixing time is beyond 2^%d steps", longest)
		}
		if float64(len(powers)+1)*8*float64(c.Len())*float64(c.Len()) > 4*denseLimit {
			return 0, fmt.Errorf("markov: the mixing time is beyond %d steps, and the powers of the matrix of %d states that find it beyond %d GiB; SecondEigenvalue and MixingBounds bound that of a reversible chain", 1<<(len(powers)-1), c.Len(), 4*denseLimit>>30)
		}
		last := powers[len(powers)-1]
		powers = append(powers, last.times(last))
	}
	if len(powers) == 1 {
		return 1, nil
	}
	// P^t is too far from pi, P^(t + 2^k) is not.
	k := len(powers) - 2
	t, at := 1<<k, powers[k]
	for k--; k >= 0; k-- {
		if next := at.times(powers[k]); next.farthest(pi) > epsilon {
			t, at = t+1<<k, next
		}
	}
	return t + 1, nil
}
