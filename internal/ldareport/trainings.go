package ldareport

import (
	"fmt"
	"io"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/report"
)

// Trainings is several runs on one collection.
type Trainings struct {
	Runs []Named       `json:"runs"`
	Rhat report.Number `json:"r_hat"` // of the likelihoods of all chains, second half of the evaluations
}

// Named is a run in its folder.
type Named struct {
	Name   string `json:"dir"`
	Corpus string `json:"-"` // digest of the collection
	*Training
}

// Compare fills Rhat. Runs of different collections, or with different numbers of topics, sweeps or evaluations, have
// likelihoods that are not to be compared: an error.
func (r *Trainings) Compare() error {
	var chains []Chain
	a := r.Runs[0]
	for _, b := range r.Runs {
		switch {
		case b.Corpus != a.Corpus:
			return fmt.Errorf("%s and %s are of different collections", a.Name, b.Name)
		case b.Topics != a.Topics:
			return fmt.Errorf("%s has %d topics, %s has %d: their likelihoods are not to be compared; lda evaluate is for that", a.Name, a.Topics, b.Name, b.Topics)
		case b.Sweeps != a.Sweeps || len(b.Trace) != len(a.Trace):
			return fmt.Errorf("%s has %d sweeps and %d evaluations, %s %d and %d; extend the shorter one", a.Name, a.Sweeps, len(a.Trace), b.Name, b.Sweeps, len(b.Trace))
		}
		own := b.Chains
		if len(own) == 0 {
			own = []Chain{{b.LogLikelihoodPerToken, b.Trace}}
		}
		chains = append(chains, own...)
	}
	r.Rhat = rhat(chains)
	return nil
}

// Write writes a line for each run.
func (r *Trainings) Write(to io.Writer, on report.Screen) error {
	rows := [][]string{{"run", "sampler", "topics", "sweeps", "log likelihood", "alpha", "beta"}}
	for _, x := range r.Runs {
		rows = append(rows, []string{x.Name, x.Sampler, strconv.Itoa(x.Topics), strconv.Itoa(x.Sweeps),
			strconv.FormatFloat(float64(x.LogLikelihoodPerToken), 'f', 4, 64), sum(x.Alpha), strconv.FormatFloat(x.Beta, 'g', 3, 64)})
	}
	if err := (report.Table{Rows: rows, Text: []int{0, 1}}).Write(to, on); err != nil {
		return err
	}
	_, err := fmt.Fprintf(to, "\nR-hat of the log likelihood %s.\n", rhatText(r.Rhat))
	return err
}
