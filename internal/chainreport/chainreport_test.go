package chainreport_test

import (
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/chainreport"
	"github.com/ergodic-mcmc/ergodic/markov"
	"github.com/ergodic-mcmc/ergodic/report"
)

// What does not exist is told with its reason, and infinite hitting times as such.
func TestWrite(t *testing.T) {
	c, err := markov.NewDense([][]float64{{0, 0.5, 0.5}, {0, 1, 0}, {0, 0, 1}}, "a", "b", "c")
	if err != nil {
		t.Fatal(err)
	}
	a, err := markov.Analyse(c, markov.AnalysisSettings{})
	if err != nil {
		t.Fatal(err)
	}
	one := 1.0
	r := &chainreport.Result{Analysis: a, Hitting: []*float64{nil, &one, nil}, Path: []string{"a", "b"}}
	var out strings.Builder
	if err := r.Write(&out, 0.25, "b", report.Screen{}); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"3, 2 of them closed; 1 state is transient, 2 absorbing", "none: the chain is reducible", "ends with b  ends with c", "steps to b\na     infinite\nb     1\n", "\npath\na\nb\n"} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("no %q in\n%s", part, out.String())
		}
	}
}
