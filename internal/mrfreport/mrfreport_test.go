package mrfreport

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/mrf"
	"github.com/ergodic-mcmc/ergodic/report"
)

// estimated is a result of chains with a marginal that has converged, one that has not, and an observed variable.
func estimated(t *testing.T) *Result {
	t.Helper()
	m := &mrf.Model{Cards: []int{2, 6, 2}, Names: []string{"a", "b, c", "d"}, Values: [][]string{{"no", "yes"}, {"u", "v", "w", "x", "y", "z"}, {"off", "on"}}}
	c, err := m.Given(mrf.Evidence{{Variable: 2, Value: 1}})
	if err != nil {
		t.Fatal(err)
	}
	r := New("m.bif", c)
	estimate := func(p ...float64) (all []mrf.Estimate) {
		for _, x := range p {
			all = append(all, mrf.Estimate{P: x, MCSE: 0.001, Rhat: 1.01, ESS: 900})
		}
		return all
	}
	s := &mrf.Sample{Marginals: []mrf.Marginal{{Values: estimate(0.75, 0.25), Converged: true}, {Values: estimate(0, 0.5, 1e-5, 0.3, 0.1, 0.09999)}}}
	s.Marginals[1].Values[3] = mrf.Estimate{P: 0.3, MCSE: 0.2, Rhat: math.NaN(), ESS: 3}
	r.SetSample(c, s)
	r.SetLogZ(2*math.Ln10, 0.1*math.Ln10, false)
	r.SetMAP(c.State([]int{1, 1}), -math.Ln10, false)
	r.Method, r.Chains, r.Steps = "tempered", 4, 400
	r.SetUpdates(1.5e6)
	return r
}

func TestWhatHasNotConvergedIsFlagged(t *testing.T) {
	r := estimated(t)
	var b strings.Builder
	if err := Write(&b, []*Result{r}, "", report.Screen{}); err != nil {
		t.Fatal(err)
	}
	want := `m.bif: 3 variables, 1 observed, 0 factors.
tempered: 4 chains of 100 steps, 1.5e+06 updates of variables a second.
log10 Z 2.000 ± 0.1 (standard error), NOT CONVERGED
Most probable state found: log10 of its factors' product -1.000000
variable  marginal                                     mcse  R-hat  ESS  converged  map
a         no 0.7500  yes 0.2500                      0.0010  1.010  900        yes  yes
b, c      (v 0.5000  x 0.3000  y 0.1000  z 0.1000  …)  0.2000      –    3         NO    v
d         on (observed)                                   –      –    –          –   on
1 of 3 marginals have NOT CONVERGED: those in brackets, and no conclusion may rest on them.
`
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	if squeeze(b.String()) != squeeze(want) {
		t.Errorf("%s", b.String())
	}
	list := AllWarnings([]*Result{r})
	if len(list) != 1 || list[0].Code != "marginal" || list[0].Parameter != "b, c" || !strings.HasSuffix(list[0].Message, ": too few steps to tell its error") {
		t.Errorf("%+v", list)
	}
	b.Reset()
	if err := WriteCSV(&b, []*Result{r}); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"1,a,yes,0.25,false,0.001,1.01,900,true\n", "1,\"b, c\",x,0.3,false,0.2,,3,false\n", "1,d,on,1,true,0,1,,true\n"} {
		if !strings.Contains(b.String(), line) {
			t.Errorf("%q is not in\n%s", line, b.String())
		}
	}
}

// summary.json gives back what was written.
func TestResultsAreReadAgain(t *testing.T) {
	r := estimated(t)
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var again Result
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	second, err := json.Marshal(&again)
	if err != nil || string(second) != string(text) || !reflect.DeepEqual(again.MAP, r.MAP) {
		t.Errorf("%s\n%s\n%v", text, second, err)
	}
	if !strings.Contains(string(text), `"rhat":[1.01,null,1]`) {
		t.Errorf("%s", text)
	}
}

// A variable with one value was not observed, and log 1 has no sign.
func TestOneValueIsNotObserved(t *testing.T) {
	m := &mrf.Model{Cards: []int{1, 2}}
	c, err := m.Given(mrf.Evidence{{Variable: 1, Value: 0}})
	if err != nil {
		t.Fatal(err)
	}
	r, width, entries := New("m.uai", c), 0, int64(0)
	r.Width, r.Entries = &width, &entries
	r.SetLogZ(-1e-16, 0, true)
	r.SetMarginals(c.Marginals(nil))
	var b strings.Builder
	if err := Write(&b, []*Result{r}, "", report.Screen{}); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); r.Observed != 1 || !strings.Contains(text, "log10 Z 0.000000 (exact)") || !strings.Contains(text, "1         0 (observed)") || !strings.Contains(text, "0         0 1.0000") {
		t.Errorf("%s", text)
	}
}

// Of many marginals that have not converged the first have a warning each, and one counts them.
func TestWarningsOfManyMarginals(t *testing.T) {
	for n, want := range map[int]int{100: 100, 101: 101, 90_000: 101} {
		r := &Result{Model: "m", Converged: make([]bool, n), Rhat: make([]report.Number, n), MCSE: make([]report.Number, n)}
		all := AllWarnings([]*Result{r})
		if len(all) != want || n > 100 && !strings.Contains(all[100].Message, fmt.Sprintf("%d marginals have not converged", n)) {
			t.Errorf("%d marginals: %d warnings, the last %q", n, len(all), all[len(all)-1].Message)
		}
	}
}
