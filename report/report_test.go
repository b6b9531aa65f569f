package report

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/draws"
)

// record writes draws that f makes of normal noise to a folder.
func record(t *testing.T, l draws.Layout, n int, f func(chain, i int, noise []float64, stat *draws.Stat)) *draws.Reader {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "draws.zarr")
	w, err := draws.Create(dir, l)
	if err != nil {
		t.Fatal(err)
	}
	row := make([]float64, l.Width())
	for c := range l.Chains {
		r := rand.New(rand.NewPCG(7, uint64(c)))
		for i := range n {
			for k := range row {
				row[k] = r.NormFloat64()
			}
			var stat draws.Stat
			f(c, i, row, &stat)
			if err := w.Append(c, false, row, stat); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := draws.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestSummarize(t *testing.T) {
	l := draws.Layout{Chains: 4, Posterior: []draws.Variable{{Name: "S", Dims: []int{2, 2}}, {Name: "mu"}}}
	r := record(t, l, 500, func(c, i int, x []float64, s *draws.Stat) { x[2] += 10 })
	set, err := r.ReadGroup(draws.Posterior)
	if err != nil {
		t.Fatal(err)
	}
	var before []byte
	for _, threads := range []int{1, 3} {
		j, err := Summarize(r, threads)
		if err != nil {
			t.Fatal(err)
		}
		if len(j.Warnings) != 0 {
			t.Errorf("independent draws are warned of: %v", j.Warnings)
		}
		for e, name := range set.Names() {
			want := diag.Summarize(set.Element(e), nil)
			got := j.Parameters[e]
			if got.Name != name || float64(got.Mean) != want.Mean || float64(got.Rhat) != want.Rhat || float64(got.ESSTail) != want.ESSTail {
				t.Errorf("%s: %+v, want %+v", name, got, want)
			}
		}
		mem, err := SummarizeSet(set, nil, threads)
		if err != nil {
			t.Fatal(err)
		}
		a, _ := json.Marshal(j)
		b, _ := json.Marshal(mem)
		if string(a) != string(b) || before != nil && string(before) != string(a) {
			t.Errorf("disk, memory and threads disagree:\n%s\n%s", a, b)
		}
		before = a
	}
}

func TestSummarizeSelected(t *testing.T) {
	l := draws.Layout{Chains: 2, Posterior: []draws.Variable{{Name: "S", Dims: []int{2, 2}}, {Name: "mu"}}}
	r := record(t, l, 500, func(int, int, []float64, *draws.Stat) {})
	all, err := Summarize(r, 0)
	if err != nil {
		t.Fatal(err)
	}
	some, err := SummarizeSelected(r, "mu,S[2,*]", 0)
	if err != nil {
		t.Fatal(err)
	}
	for k, e := range []int{4, 1, 3} {
		if some.Parameters[k] != all.Parameters[e] {
			t.Errorf("row %d is %+v, want %+v", k, some.Parameters[k], all.Parameters[e])
		}
	}
	if _, err := SummarizeSelected(r, "nu", 0); err == nil {
		t.Error("an unknown name is summarised")
	}
}

// Each variable has one fault; the noise is independent, so nothing else may
// be warned of. With 4 × 500 independent draws R-hat is within 1.01 and the
// effective sample size above 400 for these fixed seeds.
func TestWarnings(t *testing.T) {
	names := []string{"fine", "constant", "apart", "slow", "stuck", "frozen", "nan", "inf", "heavy"}
	var vars []draws.Variable
	for _, n := range names {
		vars = append(vars, draws.Variable{Name: n})
	}
	vars = append(vars, draws.Variable{Name: "normal"})
	walk := 0.0
	r := record(t, draws.Layout{Chains: 4, Posterior: vars}, 500, func(c, i int, x []float64, s *draws.Stat) {
		if i == 0 {
			walk = 0
		}
		walk = 0.97*walk + x[3]
		x[1] = 3
		x[2] += float64(c)
		x[3] = walk
		if c == 2 {
			x[4] = 0.25
		}
		x[5] = float64(c)
		if c == 1 && i < 7 {
			x[6] = math.NaN()
		}
		if i == 9 {
			x[7] = math.Inf(-1)
		}
		// A ratio of normals is Cauchy, and its square has shape 2: k-hat, shrunk to 1.93 with a standard error of 0.22,
		// is below 0.7 with probability 1e-8.
		x[8] = math.Pow(x[8]/x[9], 2)
		s.Diverging = c == 3 && i%100 == 0
	})
	j, err := Summarize(r, 2)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]Warning{}
	for _, w := range j.Warnings {
		found[w.Code+" "+w.Parameter] = w
		if !strings.HasSuffix(w.Message, advice(w.Code)) || advice(w.Code) == "" {
			t.Errorf("no advice in %q", w.Message)
		}
	}
	for key, part := range map[string]string{
		"rhat apart":         "R-hat of apart is 1.",
		"ess_bulk slow":      "bulk ESS of slow is ",
		"stuck_chain stuck":  "stuck kept one value in chain 3 while",
		"stuck_chain frozen": "never moved, and chains disagree",
		"nan nan":            "7 of 2000 draws of nan are not numbers",
		"infinite inf":       "4 of 2000 draws of inf are infinite",
		"khat heavy":         "Pareto k-hat of the tails of heavy is ",
		"divergences ":       "5 of 2000 transitions",
	} {
		if w, ok := found[key]; !ok || !strings.Contains(w.Message, part) {
			t.Errorf("%s: %+v", key, w)
		}
	}
	for key := range found {
		if strings.HasSuffix(key, " fine") || strings.HasSuffix(key, " normal") || strings.HasSuffix(key, " constant") {
			t.Errorf("false alarm: %s", key)
		}
	}
	var text strings.Builder
	if err := WriteWarnings(&text, j.Warnings, nil); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(text.String(), advice(CodeStuck)); n != 1 {
		t.Errorf("advice stands %d times in\n%s", n, text.String())
	}
}

// A chain that is still on its way in has a k-hat that means nothing: that it has few effective draws is what is wrong.
func TestKhatOfFewEffectiveDraws(t *testing.T) {
	l := draws.Layout{Chains: 4, Posterior: []draws.Variable{{Name: "x"}}}
	j, err := Summarize(record(t, l, 200, func(c, i int, x []float64, _ *draws.Stat) {
		x[0] += 100 * math.Exp(-float64(i)/8)
	}), 1)
	if err != nil {
		t.Fatal(err)
	}
	if p := j.Parameters[0]; !(p.Khat > KhatMax) || !(p.ESSBulk < 400) {
		t.Fatalf("the test tests nothing: %+v", p)
	}
	for _, w := range j.Warnings {
		if w.Code == CodeKhat {
			t.Error(w.Message)
		}
	}
}

func TestShortRuns(t *testing.T) {
	l := draws.Layout{Chains: 2, Posterior: []draws.Variable{{Name: "x"}}}
	for n, codes := range map[int]string{0: "too_few_draws", 3: "too_few_draws", 60: "ess_bulk ess_tail"} {
		r := record(t, l, n, func(int, int, []float64, *draws.Stat) {})
		j, err := Summarize(r, 1)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, w := range j.Warnings {
			if w.Code != CodeRhat {
				got = append(got, w.Code)
			}
		}
		if strings.Join(got, " ") != codes {
			t.Errorf("%d draws: %q, want %q", n, got, codes)
		}
	}
}

func TestManyWarningsAreCounted(t *testing.T) {
	const n = perCode + 50
	l := draws.Layout{Chains: 2, Posterior: []draws.Variable{{Name: "x", Dims: []int{n}}}}
	r := record(t, l, 100, func(c, i int, x []float64, s *draws.Stat) {
		for k := range x {
			x[k] += float64(c * (k + 5))
		}
	})
	j, err := Summarize(r, 2)
	if err != nil {
		t.Fatal(err)
	}
	if w := j.Warnings[0]; w.Code != CodeRhat || float64(j.Warnings[1].Value) > float64(w.Value) {
		t.Errorf("the worst does not come first: %+v", w)
	}
	if w := j.Warnings[perCode]; w.Code != CodeRhat || w.Value != 50 || w.Parameter != "" {
		t.Errorf("the rest is %+v", w)
	}
	var text strings.Builder
	if err := WriteWarnings(&text, j.Warnings, nil); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), "and 147 parameters more") {
		t.Errorf("%s", text.String())
	}
}

// One of a kind is spoken of in the singular.
func TestSingular(t *testing.T) {
	l := draws.Layout{Chains: 2, Posterior: []draws.Variable{{Name: "x", Dims: []int{4}}}}
	r := record(t, l, 50, func(c, i int, x []float64, s *draws.Stat) {
		if c == 0 && i == 0 {
			x[0], x[1], x[2], x[3] = math.NaN(), math.NaN(), math.NaN(), math.NaN()
		}
	})
	j, err := Summarize(r, 1)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := WriteWarnings(&text, j.Warnings, nil); err != nil {
		t.Fatal(err)
	}
	if err := WriteWarnings(&text, []Warning{{Code: "logz", Message: "one run says nothing"}}, nil); err != nil || !strings.HasSuffix(text.String(), "warning: one run says nothing.\n") {
		t.Errorf("%v in\n%s", err, text.String())
	}
	c := Comparison{Runs: []string{"A"}, LOO: []PredictiveRow{{Run: "A", Unreliable: 1}}}
	if err := c.WriteText(&text, Screen{}); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"1 of 100 draws of x[1] is not a number", "and 1 parameter more", "A: 1 observation has a Pareto k"} {
		if !strings.Contains(text.String(), part) {
			t.Errorf("%q is not in\n%s", part, text.String())
		}
	}
}

func TestWriteTable(t *testing.T) {
	nan := Number(math.NaN())
	var b strings.Builder
	err := WriteTable(&b, []Parameter{
		{"alpha[1]", 12.3456, 1.5, 0.023, 0.016, 9.9, 12.3, 14.9, 4000.4, 3900, 1.00049, 0.1},
		{"k", 3, 0, nan, nan, 3, 3, 3, nan, nan, nan, nan},
	}, Screen{})
	if err != nil {
		t.Fatal(err)
	}
	want := `            mean     sd  mcse_mean  mcse_sd     q5  median     q95  ess_bulk  ess_tail   rhat
alpha[1]  12.346  1.500      0.023    0.016  9.900  12.300  14.900      4000      3900  1.000
k              3      0          -        -      3       3       3         -         -      -
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// By hand: the difference of means is 0.5 and the combined error
// sqrt(0.03² + 0.04²) = 0.05, so z = 10; sds agree.
func TestCompareParameters(t *testing.T) {
	nan := Number(math.NaN())
	a := Parameters{{Name: "mu", Mean: 1, SD: 2, MCSEMean: 0.03, MCSESD: 0.1}, {Name: "c", Mean: 7, MCSEMean: nan, MCSESD: nan}, {Name: "old"}}
	b := Parameters{{Name: "new"}, {Name: "c", Mean: 7, MCSEMean: nan, MCSESD: nan}, {Name: "mu", Mean: 1.5, SD: 2, MCSEMean: 0.04, MCSESD: 0.1}}
	c, err := Compare([]Compared{{Name: "A", Parameters: a}, {Name: "B", Parameters: b}})
	if err != nil {
		t.Fatal(err)
	}
	if z := float64(c.Parameters[0].ZMean[1]); math.Abs(z-10) > 1e-12 {
		t.Errorf("z is %v, want 10", z)
	}
	if c.Parameters[0].ZSD[1] != 0 || c.Parameters[1].ZMean[1] != 0 || c.Beyond4 != 1 || c.Compared != 4 {
		t.Errorf("%+v", c)
	}
	if c.Missing["B"][0] != "old" || c.Missing["A"][0] != "new of B" {
		t.Errorf("missing: %v", c.Missing)
	}
	var text strings.Builder
	if err := c.WriteText(&text, Screen{}); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"z_mean_2", "10.00", "1 of 4 differences is above", "B lacks old"} {
		if !strings.Contains(text.String(), part) {
			t.Errorf("%q is not in\n%s", part, text.String())
		}
	}
	if strings.Contains(text.String(), "NaN") { // B has no old
		t.Errorf("a number that does not exist is not a dash in\n%s", text.String())
	}
	if _, err := Compare([]Compared{{}}); err == nil {
		t.Error("one run is compared")
	}
}

// Two runs whose log likelihoods differ by 0.5 in each of 40 observations:
// the difference of elpd is 20 and its standard error 0, whatever the draws.
// Each run's numbers are diag's own on the whole array. y[4] is missing in the
// data, NaN in every draw, and no observation.
func TestComparePredictions(t *testing.T) {
	l := draws.Layout{Chains: 2, Posterior: []draws.Variable{{Name: "mu"}},
		LogLikelihood: []draws.Variable{{Name: "y", Dims: []int{31}}, {Name: "z", Dims: []int{5, 2}}}}
	var runs []Compared
	for k := range 2 {
		r := record(t, l, 200, func(c, i int, x []float64, s *draws.Stat) {
			for e := 1; e < len(x); e++ {
				x[e] = -1 + 0.2*x[e] - 0.5*float64(k)
			}
			x[4] = math.NaN()
		})
		p, err := Predict(r, 2)
		if err != nil {
			t.Fatal(err)
		}
		set, err := r.ReadGroup(draws.LogLikelihood)
		if err != nil {
			t.Fatal(err)
		}
		var all [][][]float64
		for e, name := range set.Names() {
			if name != "y[4]" {
				all = append(all, set.Element(e))
			}
		}
		loo, err := diag.LeaveOneOut(all)
		if err != nil {
			t.Fatal(err)
		}
		waic, err := diag.ComputeWAIC(all)
		if err != nil {
			t.Fatal(err)
		}
		for what, pair := range map[string][2]float64{
			"loo": {p.LOO.ELPD, loo.ELPD}, "loo se": {p.LOO.SE, loo.SE}, "p_loo": {p.LOO.P, loo.P},
			"waic": {p.WAIC.ELPD, waic.ELPD}, "waic se": {p.WAIC.SE, waic.SE},
		} {
			if math.Abs(pair[0]-pair[1]) > 1e-10*math.Abs(pair[1]) {
				t.Errorf("%s is %v, want %v", what, pair[0], pair[1])
			}
		}
		runs = append([]Compared{{Name: string(rune('A' + k)), Predictive: p}}, runs...)
	}
	c, err := Compare(runs)
	if err != nil {
		t.Fatal(err)
	}
	for _, rows := range [][]PredictiveRow{c.LOO, c.WAIC} {
		if rows[0].Run != "A" || rows[1].Run != "B" || rows[0].Difference != 0 {
			t.Errorf("order: %+v", rows)
		}
		if d := float64(rows[1].Difference); math.Abs(d+20) > 1e-6 || float64(rows[1].DifferenceSE) > 1e-6 {
			t.Errorf("difference %v ± %v, want -20 ± 0", d, rows[1].DifferenceSE)
		}
	}
	other := runs[1]
	p := *other.Predictive
	p.Names = append([]string{"q"}, p.Names[1:]...)
	other.Predictive, other.Name = &p, "C"
	if c, err = Compare([]Compared{runs[0], other}); err != nil || len(c.Notes) != 1 || len(c.LOO) != 1 {
		t.Errorf("other observations: %+v, %v", c, err)
	}
}

func TestParametersKeepTheirOrder(t *testing.T) {
	in := Parameters{{Name: "z", Mean: 1}, {Name: "a[1,2]", Rhat: Number(math.NaN())}}
	b, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(b), `{"z":{"mean":1,`) || !strings.Contains(string(b), `"rhat":null`) {
		t.Errorf("%s", b)
	}
	var out Parameters
	if err := json.Unmarshal(b, &out); err != nil || len(out) != 2 || out[1].Name != "a[1,2]" || !math.IsNaN(float64(out[1].Rhat)) {
		t.Errorf("%+v, %v", out, err)
	}
	for _, bad := range []string{`[1]`, `{"a": 1}`, `{`, `"x"`} {
		if json.Unmarshal([]byte(bad), &out) == nil {
			t.Errorf("%s is read", bad)
		}
	}
}

func TestMissingPartsInWords(t *testing.T) {
	for _, c := range []struct {
		part Part
		want string
	}{
		{Part{Mass: 0.018, Where: []Excursion{{"theta", 39.9, -1.7, 2}}},
			"no chain has been where theta is 39.9 (chains: -1.7 to 2), and that part may hold 1.8 % of the posterior. "},
		{Part{Mass: 0.9999, Where: []Excursion{{"z[1]", 0, 1, 1}, {"z[2]", 0, 1, 1}, {"z[3]", 0, 1, 1}, {"z[4]", 0, 1, 1}}},
			"no chain has been where z[1] is 0 (chains: 1), z[2] is 0 (chains: 1), z[3] is 0 (chains: 1) and 1 element differs more, and that part may hold almost all of the posterior. "},
		{Part{Labels: true, Mass: 0.5, Where: []Excursion{{"mu[1]", 3, -4, -2}}},
			"another order of elements is as probable, and no chain has been there: mu[1] is 3 (chains: -4 to -2). "},
	} {
		w := Missing(c.part)
		if !strings.HasPrefix(w.Message, c.want) || w.Parameter != c.part.Where[0].Name || FromDraws(w.Code) {
			t.Errorf("%+v", w)
		}
	}
}

// Of 2000 draws two at 60 make two thirds of the variance: κ − 1 is about 60⁴ · 0.001/4.6² = 612, and the sd's relative error √(κ/4n) 0.28. Beside
// 200 others in the tail they leave the fitted shape at that of a normal distribution.
func TestFewDrawsMakeTheSD(t *testing.T) {
	l := draws.Layout{Chains: 4, Posterior: []draws.Variable{{Name: "x"}, {Name: "event"}}}
	j, err := Summarize(record(t, l, 500, func(c, i int, x []float64, _ *draws.Stat) {
		x[1] = 0
		if i == 77 && c < 2 {
			x[0], x[1] = 60, 1
		}
	}), 1)
	if err != nil {
		t.Fatal(err)
	}
	if p := j.Parameters[0]; !(p.Khat <= KhatMax) {
		t.Fatalf("the test tests nothing: %+v", p)
	}
	if len(j.Warnings) != 1 || j.Warnings[0].Code != CodeFewFar || j.Warnings[0].Parameter != "x" || !strings.Contains(j.Warnings[0].Message, "uncertain by ") {
		t.Errorf("%+v", j.Warnings)
	}
}
