package markov

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
)

// Counts are the transitions i → j in observed sequences of states below n. Sequences are independent: nothing is
// counted between them.
func Counts(n int, sequences ...[]int) ([][]float64, error) {
	if err := checkStates(n); err != nil {
		return nil, err
	}
	counts := square(n)
	for q, seq := range sequences {
		for t, i := range seq {
			if i < 0 || i >= n {
				return nil, fmt.Errorf("markov: sequence %d has state %d at position %d; states are numbered 0 to %d", q+1, i, t+1, n-1)
			}
			if t > 0 {
				counts[seq[t-1]][i]++
			}
		}
	}
	return counts, nil
}

func square(n int) [][]float64 {
	cells := make([]float64, n*n)
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = cells[i*n : (i+1)*n]
	}
	return rows
}

// Posterior is the posterior distribution of a transition matrix given observed transitions: its rows are independent, row i is
// Dirichlet(α_i1, …, α_in).
type Posterior struct {
	Alpha [][]float64
	names []string
}

// Estimate is the posterior for a Dirichlet prior with the same weight for every transition: 1 is uniform over all
// rows, ½ is Jeffreys's prior. NewPosterior takes other priors.
func Estimate(counts [][]float64, prior float64, names ...string) (*Posterior, error) {
	if !(prior >= 0) || math.IsInf(prior, 1) {
		return nil, fmt.Errorf("markov: the prior weight %v must be finite and not negative", prior)
	}
	alpha := square(len(counts))
	for i := range alpha {
		for j := range alpha[i] {
			alpha[i][j] = prior
		}
	}
	return NewPosterior(counts, alpha, names...)
}

// NewPosterior is the posterior for prior weights of each transition; where a weight and a count are zero the transition
// is known to be impossible. An error names the row without positive weight, or the entry that is no weight.
func NewPosterior(counts, prior [][]float64, names ...string) (*Posterior, error) {
	n := len(counts)
	if err := checkStates(n); err != nil {
		return nil, err
	}
	if len(prior) != n {
		return nil, fmt.Errorf("markov: prior weights for %d states, counts for %d", len(prior), n)
	}
	if _, err := newLabels(names, n); err != nil {
		return nil, err
	}
	p := &Posterior{Alpha: square(n), names: names}
	for i := range n {
		if len(counts[i]) != n || len(prior[i]) != n {
			return nil, fmt.Errorf("markov: row %d has %d counts and %d prior weights; a chain of %d states needs %d", i+1, len(counts[i]), len(prior[i]), n, n)
		}
		sum := 0.0
		for j := range n {
			v := counts[i][j] + prior[i][j]
			if !(counts[i][j] >= 0) || !(prior[i][j] >= 0) || math.IsInf(v, 1) {
				return nil, fmt.Errorf("markov: row %d, column %d has count %v and prior weight %v; both must be finite and not negative", i+1, j+1, counts[i][j], prior[i][j])
			}
			p.Alpha[i][j] = v
			sum += v
		}
		if math.IsInf(sum, 1) {
			return nil, fmt.Errorf("markov: the counts and prior weights of row %d are too large: their sum overflows", i+1)
		}
		if sum == 0 {
			return nil, fmt.Errorf("markov: nothing is known of row %d: no transition was seen and its prior weights are zero", i+1)
		}
	}
	return p, nil
}

// Mean is the posterior mean of the transition matrix, α_ij/α_i·.
func (p *Posterior) Mean() *Dense {
	d, err := NewDenseNormalised(p.Alpha, p.names...)
	if err != nil {
		panic(err) // the weights were checked
	}
	return d
}

// SD is the posterior standard deviation of each entry, √(m(1−m)/(α_i·+1)) with m its mean.
func (p *Posterior) SD() [][]float64 {
	n := len(p.Alpha)
	sd := square(n)
	for i, row := range p.Alpha {
		total := 0.0
		for _, a := range row {
			total += a
		}
		for j, a := range row {
			sd[i][j] = math.Sqrt(a / total * ((total - a) / total) / (total + 1))
		}
	}
	return sd
}

// Draw draws a transition matrix from the posterior.
func (p *Posterior) Draw(r *rand.Rand) *Dense {
	n := len(p.Alpha)
	d := &Dense{labels: p.names, n: n, p: make([]float64, n*n)}
	for i, alpha := range p.Alpha {
		dist.Dirichlet(d.row(i), r, alpha)
	}
	return d
}

// DrawStationary draws a transition matrix and gives its stationary distribution, a draw from the posterior of the
// stationary distribution. A matrix with several is an error, which can only happen where weights are zero.
func (p *Posterior) DrawStationary(r *rand.Rand) ([]float64, error) {
	s, err := Solver{Dense: math.MaxInt}.Solve(p.Draw(r))
	if err != nil {
		return nil, err
	}
	return s.Pi, nil
}
