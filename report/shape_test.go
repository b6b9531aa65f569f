package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/draws"
)

// Energies of chain 2 are a walk of 0.3² steps to a variance near 1 (an autoregression with the coefficient 0.954): the fraction of missing information is 2(1 − 0.954) = 0.09. One in
// five transitions of chain 3 reaches the depth of 10, which is one in 20 of all: that is too few to say.
func TestTrajectoriesAreWarnedOf(t *testing.T) {
	run := func(deep int) string {
		walk := 0.0
		l := draws.Layout{Chains: 4, Posterior: []draws.Variable{{Name: "x"}}, Stats: []string{draws.Diverging, draws.TreeDepth, "energy"}}
		r := record(t, l, 1000, func(c, i int, x []float64, s *draws.Stat) {
			s.Others = []float64{x[0]}
			if c == 1 {
				walk = 0.954*walk + 0.3*x[0]
				s.Others = []float64{walk}
			}
			s.TreeDepth = 3
			if c == 2 && i%deep == 0 {
				s.TreeDepth = 10
			}
		})
		j, err := Summarize(r, 1)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		for _, w := range j.Warnings {
			if !FromDraws(w.Code) || !strings.HasSuffix(w.Message, advice(w.Code)) {
				t.Errorf("%+v", w)
			}
			text.WriteString(w.Code + ": " + w.Message + "\n")
		}
		return text.String()
	}
	if got := run(5); !strings.HasPrefix(got, "energy: the energy Bayesian fraction of missing information (E-BFMI) of chain 2 is 0.0") || strings.Count(got, "\n") != 1 {
		t.Error(got)
	}
	if got := run(2); !strings.Contains(got, "tree_depth: 500 of 4000 transitions after warm-up reached the tree depth 10. ") {
		t.Error(got)
	}
}

// Joint draws are those of the elements that are named, in that order, of all chains and thinned alike.
func TestJoint(t *testing.T) {
	l := draws.Layout{Chains: 3, Posterior: []draws.Variable{{Name: "mu"}, {Name: "b", Dims: []int{3}}}}
	r := record(t, l, 100, func(c, i int, x []float64, _ *draws.Stat) {
		for e := range x {
			x[e] = float64(1000*c + 10*i + e)
		}
	})
	for _, threads := range []int{1, 4} {
		got, err := Joint(r, []string{"b[3]", "mu"}, 100, threads)
		if err != nil {
			t.Fatal(err)
		}
		for k, e := range []int{3, 0} {
			var want []float64
			for c := range 3 {
				for i := 0; i < 100; i += 3 {
					want = append(want, float64(1000*c+10*i+e))
				}
			}
			if !slices.Equal(got[k], want) {
				t.Errorf("element %d, %d threads: %v", e, threads, got[k])
			}
		}
	}
	if _, err := Joint(r, []string{"b[4]"}, 100, 1); err == nil {
		t.Error("an element that is not there has draws")
	}
}

func TestShapesInWords(t *testing.T) {
	p := Parameter{Name: "b", Mean: 134.2, SD: 60, Median: 0.0123}
	for want, w := range map[string]Warning{
		"ridge: data tell a + b (sd 0.1) and not the nodes by themselves (sd 71 of a). ": Ridge(Combination{[]string{"a", "b"}, []float64{1, 1.001}, 0.1, []float64{71, 70}}),
		"ridge: data tell a - 10*b[2] + 2.5*c + ... (2 nodes more) (sd 0.1) and not": Ridge(Combination{[]string{"a", "b[2]", "c", "d", "e"},
			[]float64{1, -10, 2.5, 1, 1}, 0.1, []float64{7, 7, 7, 7, 7}}),
		"unbounded: data do not bound b above: their likelihood never sinks as it rises, however far (its draws have the mean 134 and the sd 60). ": Unbounded(p, true),
		"unbounded: data do not bound b below: their likelihood never sinks as it falls":                                                            Unbounded(p, false),
		"cut_off: draws of b pile up at the bound 0 of its prior: their median is 0.0123. ":                                                         CutOff(p, 0),
		"tied_counts: 819 discrete nodes of G, N, S depend on one another and are moved one at a time. ":                                            Tied([]string{"G", "N", "S"}, 819, p),
		"label_switching: chains differ in b, and the model may not tell the components of a mixture in b, z apart but by their labels. ":           Switching([]string{"b", "z"}, p),
	} {
		if got := w.Code + ": " + w.Message; !strings.HasPrefix(got, want) || !strings.HasSuffix(got, advice(w.Code)) || advice(w.Code) == "" || FromDraws(w.Code) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
