package diag

import (
	"encoding/csv"
	"math"
	"os"
	"sort"
	"strconv"
	"strings"
	"testing"
)

// tol is the agreement asked for with R's posterior. The vectors are printed
// to 15 digits.
const tol = 1e-8

type vectorCase struct {
	Chains   [][]number     `json:"chains"`
	Expected vectorExpected `json:"expected"`
}

type vectorExpected struct {
	Mean           number            `json:"mean"`
	SD             number            `json:"sd"`
	Median         number            `json:"median"`
	MAD            number            `json:"mad"`
	Q5             number            `json:"q05"`
	Q95            number            `json:"q95"`
	Rhat           number            `json:"rhat"`
	RhatBulk       number            `json:"rhat_bulk"`
	RhatFolded     number            `json:"rhat_folded"`
	RhatSplit      number            `json:"rhat_basic_split"`
	RhatBasic      number            `json:"rhat_basic_nosplit"`
	ESSBulk        number            `json:"ess_bulk"`
	ESSTail        number            `json:"ess_tail"`
	ESSMean        number            `json:"ess_mean"`
	ESSSD          number            `json:"ess_sd"`
	ESSSplit       number            `json:"ess_basic_split"`
	ESSBasic       number            `json:"ess_basic_nosplit"`
	ESSQuantile    map[string]number `json:"ess_quantile"`
	MCSEMean       number            `json:"mcse_mean"`
	MCSESD         number            `json:"mcse_sd"`
	MCSEQuantile   map[string]number `json:"mcse_quantile"`
	ParetoKBoth    number            `json:"pareto_khat_both"`
	ParetoKRight   number            `json:"pareto_khat_right"`
	ParetoKLeft    number            `json:"pareto_khat_left"`
	RhatNestedHalf *number           `json:"rhat_nested_2"`
}

// TestVectorsOfPosterior compares every function with R's posterior 1.7.1 on
// synthetic chains (with NaN, Inf, constant, tied, stuck and shifted ones) and
// on the package's example draws.
func TestVectorsOfPosterior(t *testing.T) {
	for _, file := range []string{"synthetic_vectors.json", "example_draws_eight_schools.json", "example_draws_multi_normal.json"} {
		var f struct {
			Cases map[string]vectorCase `json:"cases"`
		}
		readJSON(t, "diagnostics/"+file, &f)
		if len(f.Cases) < 5 {
			t.Fatalf("%s: %d cases", file, len(f.Cases))
		}
		work := new(Work) // one for all: what a case leaves behind must not reach the next
		for name, c := range f.Cases {
			t.Run(strings.TrimSuffix(file, ".json")+"/"+name, func(t *testing.T) {
				chains := make([][]float64, len(c.Chains))
				for i, x := range c.Chains {
					chains[i] = floats(x)
				}
				within := tol
				if name == "large_offset_4x100" {
					// 10⁸ + x with sd 1 is printed to 5e-7: what differs by less
					// than four such roundings says nothing of the code.
					within = 2e-6
				}
				compareVector(t, chains, c.Expected, work, within)
			})
		}
	}
}

// TestVectorsOfBlocker compares with posterior 1.7.1 on the CmdStan run that
// ArviZ tests with.
func TestVectorsOfBlocker(t *testing.T) {
	var f struct {
		Expected map[string]vectorExpected `json:"expected"`
	}
	readJSON(t, "diagnostics/blocker_expected_posterior171.json", &f)
	draws := readBlocker(t)
	if len(f.Expected) < 50 {
		t.Fatalf("%d parameters", len(f.Expected))
	}
	work := new(Work)
	for name, want := range f.Expected {
		t.Run(name, func(t *testing.T) {
			chains, ok := draws[name]
			if !ok {
				t.Fatalf("no draws of %s", name)
			}
			if name == "stepsize__" {
				// Each chain is constant. R divides by the rounding error of
				// a variance and gives 9e12; the ratio is infinite.
				want.Rhat, want.RhatBulk, want.RhatFolded = number(math.Inf(1)), number(math.Inf(1)), number(math.Inf(1))
				want.RhatSplit, want.RhatBasic = want.Rhat, want.Rhat
			}
			compareVector(t, chains, want, work, tol)
		})
	}
}

func compareVector(t *testing.T, chains [][]float64, want vectorExpected, work *Work, tol float64) {
	t.Helper()
	want = sameFold(chains, want)
	s := Summarize(chains, work)
	// A mean and sd of draws that are not finite follow IEEE arithmetic;
	// the vectors say NA.
	if !math.IsNaN(float64(want.Mean)) {
		check(t, "mean", s.Mean, float64(want.Mean), tol)
		check(t, "sd", s.SD, float64(want.SD), tol)
	}
	split := splitChains(chains)
	for _, c := range []struct {
		what      string
		got, want number
	}{
		{"Summary.Median", number(s.Median), want.Median},
		{"Summary.MAD", number(s.MAD), want.MAD},
		{"Summary.Q5", number(s.Q5), want.Q5},
		{"Summary.Q95", number(s.Q95), want.Q95},
		{"Summary.Rhat", number(s.Rhat), want.Rhat},
		{"Summary.RhatBulk", number(s.RhatBulk), want.RhatBulk},
		{"Summary.RhatFolded", number(s.RhatFolded), want.RhatFolded},
		{"Summary.ESSBulk", number(s.ESSBulk), want.ESSBulk},
		{"Summary.ESSTail", number(s.ESSTail), want.ESSTail},
		{"Summary.ESSMean", number(s.ESSMean), want.ESSMean},
		{"Summary.ESSSD", number(s.ESSSD), want.ESSSD},
		{"Summary.ESSMedian", number(s.ESSMedian), want.ESSQuantile["p0.5"]},
		{"Summary.MCSEMean", number(s.MCSEMean), want.MCSEMean},
		{"Summary.MCSESD", number(s.MCSESD), want.MCSESD},
		{"Summary.MCSEQ5", number(s.MCSEQ5), want.MCSEQuantile["p0.05"]},
		{"Summary.ParetoK", number(s.ParetoK), want.ParetoKBoth},
		{"Summary.MCSEMedian", number(s.MCSEMedian), want.MCSEQuantile["p0.5"]},
		{"Summary.MCSEQ95", number(s.MCSEQ95), want.MCSEQuantile["p0.95"]},
		{"Median", number(Median(chains)), want.Median},
		{"MAD", number(MAD(chains)), want.MAD},
		{"Rhat", number(Rhat(chains)), want.Rhat},
		{"RhatBulk", number(RhatBulk(chains)), want.RhatBulk},
		{"RhatFolded", number(RhatFolded(chains)), want.RhatFolded},
		{"RhatSplit", number(RhatSplit(chains)), want.RhatSplit},
		{"RhatBasic", number(RhatBasic(chains)), want.RhatBasic},
		{"ESSBulk", number(ESSBulk(chains)), want.ESSBulk},
		{"ESSTail", number(ESSTail(chains)), want.ESSTail},
		{"ESSMean", number(ESSMean(chains)), want.ESSMean},
		{"ESSSD", number(ESSSD(chains)), want.ESSSD},
		{"ESSBasic", number(ESSBasic(chains)), want.ESSBasic},
		{"ESSBasic of halves", number(ESSBasic(split)), want.ESSSplit},
		{"MCSEMean", number(MCSEMean(chains)), want.MCSEMean},
		{"MCSESD", number(MCSESD(chains)), want.MCSESD},
		{"ParetoK both", number(ParetoK(chains, BothTails)), want.ParetoKBoth},
		{"ParetoK right", number(ParetoK(chains, RightTail)), want.ParetoKRight},
		{"ParetoK left", number(ParetoK(chains, LeftTail)), want.ParetoKLeft},
	} {
		check(t, c.what, float64(c.got), float64(c.want), tol)
	}
	for key, ess := range want.ESSQuantile {
		p := probability(t, key)
		check(t, "ESSQuantile "+key, ESSQuantile(chains, p), float64(ess), tol)
		check(t, "MCSEQuantile "+key, MCSEQuantile(chains, p), float64(want.MCSEQuantile[key]), tol)
	}
	if want.RhatNestedHalf != nil {
		check(t, "RhatNested", RhatNested(chains, []int{0, 0, 1, 1}), float64(*want.RhatNestedHalf), tol)
	}
}

// TestReferenceOfArviZ compares with the file that ArviZ holds itself to
// (posterior 0.1.2). ess_sd and mcse_sd had other definitions then.
func TestReferenceOfArviZ(t *testing.T) {
	f, err := os.Open(shared(t, "diagnostics/arviz_stan_diagnostics/reference_posterior.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	draws := readBlocker(t)
	functions := map[string]func([][]float64) float64{
		"rhat_rank": Rhat, "rhat_raw": RhatBasic, "ess_bulk": ESSBulk, "ess_tail": ESSTail, "ess_mean": ESSMean,
		"ess_median": ESSMedian, "ess_raw": ESSBasic, "mcse_mean": MCSEMean, "mcse_median": MCSEMedian,
		"ess_quantile01":  func(c [][]float64) float64 { return ESSQuantile(c, 0.01) },
		"ess_quantile10":  func(c [][]float64) float64 { return ESSQuantile(c, 0.1) },
		"ess_quantile30":  func(c [][]float64) float64 { return ESSQuantile(c, 0.3) },
		"mcse_quantile01": func(c [][]float64) float64 { return MCSEQuantile(c, 0.01) },
		"mcse_quantile10": func(c [][]float64) float64 { return MCSEQuantile(c, 0.1) },
		"mcse_quantile30": func(c [][]float64) float64 { return MCSEQuantile(c, 0.3) },
	}
	compared := 0
	for _, row := range rows[1:] {
		chains, ok := draws[row[0]]
		if !ok {
			t.Fatalf("no draws of %s", row[0])
		}
		for j, column := range rows[0] {
			if f := functions[column]; f != nil {
				want, err := strconv.ParseFloat(row[j], 64)
				if err != nil {
					t.Fatal(err)
				}
				check(t, row[0]+" "+column, f(chains), want, tol)
				compared++
			}
		}
	}
	if compared < 15*40 {
		t.Errorf("only %d numbers compared", compared)
	}
}

func readBlocker(t *testing.T) map[string][][]float64 {
	draws := make(map[string][][]float64)
	for c, file := range []string{"blocker.1.csv", "blocker.2.csv"} {
		f, err := os.Open(shared(t, "diagnostics/arviz_stan_diagnostics/"+file))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		r := csv.NewReader(f)
		r.Comment = '#'
		rows, err := r.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for j, name := range rows[0] {
			if c == 0 {
				draws[name] = make([][]float64, 2)
			}
			for _, row := range rows[1:] {
				x, err := strconv.ParseFloat(row[j], 64)
				if err != nil {
					t.Fatal(err)
				}
				draws[name][c] = append(draws[name][c], x)
			}
		}
	}
	return draws
}

func splitChains(chains [][]float64) [][]float64 {
	var halves [][]float64
	for _, c := range chains {
		h := len(c) / 2
		halves = append(halves, c[:h], c[len(c)-h:])
	}
	return halves
}

func probability(t *testing.T, key string) float64 {
	p, err := strconv.ParseFloat(strings.TrimPrefix(key, "p"), 64)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestPrimitivesOfPosterior compares the parts: autocovariance, normal scores,
// the Pareto fit and the length of the tail.
func TestPrimitivesOfPosterior(t *testing.T) {
	var f struct {
		Autocovariance struct{ X, Acov []number }
		ZScale         struct{ X, Z []number } `json:"z_scale"`
		GPDFit         struct {
			X       []number
			K       number
			Sigma   number
			KNoPrio number `json:"k_nowip"`
		} `json:"gpdfit"`
		GPDFitHeavy struct {
			X     []number
			K     number
			Sigma number
		} `json:"gpdfit_heavy"`
		Tail struct {
			Cases []struct {
				Draws int     `json:"ndraws"`
				REff  float64 `json:"r_eff"`
				Len   int     `json:"len"`
			}
		} `json:"ps_tail_length"`
	}
	readJSON(t, "diagnostics/primitives.json", &f)

	acov := Autocovariance(floats(f.Autocovariance.X))
	if len(acov) == 0 || len(acov) != len(f.Autocovariance.Acov) {
		t.Fatalf("%d lags, want %d", len(acov), len(f.Autocovariance.Acov))
	}
	for lag, want := range f.Autocovariance.Acov {
		check(t, "autocovariance at lag "+strconv.Itoa(lag), acov[lag], float64(want), tol)
	}

	x := floats(f.ZScale.X)
	sorted, order := append([]float64(nil), x...), make([]int32, len(x))
	for i := range order {
		order[i] = int32(i)
	}
	sort.SliceStable(order, func(a, b int) bool { return x[order[a]] < x[order[b]] })
	sort.Float64s(sorted)
	z := new(Work).scores(nil, sorted, order)
	for i, want := range f.ZScale.Z {
		check(t, "normal score", z[i], float64(want), tol)
	}

	k, sigma := FitGPD(floats(f.GPDFit.X))
	check(t, "k", k, float64(f.GPDFit.K), tol)
	check(t, "sigma", sigma, float64(f.GPDFit.Sigma), tol)
	k, sigma = FitGPD(floats(f.GPDFitHeavy.X))
	check(t, "heavy k", k, float64(f.GPDFitHeavy.K), tol)
	check(t, "heavy sigma", sigma, float64(f.GPDFitHeavy.Sigma), tol)
	k, _ = new(gpd).raw(floats(f.GPDFit.X))
	check(t, "k without prior", k, float64(f.GPDFit.KNoPrio), tol)

	for _, c := range f.Tail.Cases {
		if got := int(tailLength(c.Draws, c.REff)); got != c.Len {
			t.Errorf("tail length of %d draws at r_eff %g = %d, want %d", c.Draws, c.REff, got, c.Len)
		}
	}
}

// sameFold replaces the folded R-hat that is wanted by ours where both
// differ only in the order of the draws beside the median. Those are equally
// far from it, but R subtracts a rounded median and finds them tied or
// either side nearer, by the last bits of the draws, which the vectors do not
// print. So each of the three R-hats is an answer, and no other.
func sameFold(chains [][]float64, want vectorExpected) vectorExpected {
	w := loaded(chains)
	if w.hasNaN || len(w.x) == 0 {
		return want
	}
	w.sort()
	size := len(w.sorted)
	below, above, median := w.sorted[(size-1)/2], w.sorted[size/2], quantile(w.sorted, 0.5)
	folded := func(nearer float64) float64 {
		distances := make([][]float64, len(chains))
		for c, draws := range chains {
			for _, x := range draws {
				d := math.Abs(x - median)
				if x == below || x == above {
					d = (above - below) / 2
				}
				if x == nearer {
					d = math.Nextafter(d, -1)
				}
				distances[c] = append(distances[c], d)
			}
		}
		return RhatBulk(distances)
	}
	ours, theirs := RhatFolded(chains), float64(want.RhatFolded)
	found := 0
	for _, r := range []float64{folded(math.NaN()), folded(below), folded(above)} {
		if near(r, ours, tol) {
			found |= 1
		}
		if near(r, theirs, tol) {
			found |= 2
		}
	}
	if found == 3 {
		want.RhatFolded = number(ours)
		want.Rhat = number(greater(float64(want.RhatBulk), ours))
	}
	return want
}
