package diag

import (
	"compress/gzip"
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"testing"
)

// exampleLogLik is R's loo::example_loglik_array: observations × chains × draws.
func exampleLogLik(t testing.TB) [][][]float64 {
	f, err := os.Open(shared(t, "diagnostics/loo_example_loglik.csv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(z).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	logLik := make([][][]float64, len(rows[0])-2)
	for i := range logLik {
		logLik[i] = make([][]float64, 2)
		for _, row := range rows[1:] {
			c, err := strconv.Atoi(row[0])
			if err != nil {
				t.Fatal(err)
			}
			l, err := strconv.ParseFloat(row[i+2], 64)
			if err != nil {
				t.Fatal(err)
			}
			logLik[i][c-1] = append(logLik[i][c-1], l)
		}
	}
	return logLik
}

// TestLOOOfR compares with R's loo 2.5.1.
func TestLOOOfR(t *testing.T) {
	var want struct {
		REff []number `json:"r_eff"`
		LOO  struct {
			Estimates struct {
				ELPD   number `json:"elpd_loo"`
				ELPDSE number `json:"elpd_loo_se"`
				P      number `json:"p_loo"`
				PSE    number `json:"p_loo_se"`
				IC     number `json:"looic"`
			}
			ELPD []number `json:"elpd_i"`
			MCSE []number `json:"mcse_i"`
			P    []number `json:"p_i"`
			K    []number `json:"pareto_k"`
			NEff []number `json:"n_eff"`
		}
		REff1 struct {
			ELPD  number   `json:"elpd_loo"`
			K     []number `json:"pareto_k"`
			ELPDi []number `json:"elpd_i"`
		} `json:"loo_reff1"`
		WAIC struct {
			ELPD  number `json:"elpd_waic"`
			SE    number
			P     number   `json:"p_waic"`
			ELPDi []number `json:"elpd_i"`
			Pi    []number `json:"p_i"`
		}
		TailLen []int    `json:"psis_tail_len"`
		Weights []number `json:"psis_log_weights_obs1"`
	}
	readJSON(t, "diagnostics/loo_expected.json", &want)
	logLik := exampleLogLik(t)
	if len(logLik) != 32 || len(want.REff) != 32 || len(want.Weights) != 1000 {
		t.Fatalf("%d observations, %d expected, %d weights", len(logLik), len(want.REff), len(want.Weights))
	}

	loo, err := LeaveOneOut(logLik)
	if err != nil {
		t.Fatal(err)
	}
	check(t, "elpd", loo.ELPD, float64(want.LOO.Estimates.ELPD), tol)
	check(t, "elpd se", loo.SE, float64(want.LOO.Estimates.ELPDSE), tol)
	check(t, "p", loo.P, float64(want.LOO.Estimates.P), tol)
	check(t, "p se", loo.PSE, float64(want.LOO.Estimates.PSE), tol)
	check(t, "looic", loo.IC(), float64(want.LOO.Estimates.IC), tol)
	for i, p := range loo.Points {
		at := " of observation " + strconv.Itoa(i+1)
		check(t, "r_eff"+at, p.REff, float64(want.REff[i]), tol)
		check(t, "elpd"+at, p.ELPD, float64(want.LOO.ELPD[i]), tol)
		check(t, "mcse"+at, p.MCSE, float64(want.LOO.MCSE[i]), tol)
		check(t, "p"+at, p.P, float64(want.LOO.P[i]), tol)
		check(t, "k"+at, p.K, float64(want.LOO.K[i]), tol)
		check(t, "n_eff"+at, p.NEff, float64(want.LOO.NEff[i]), tol)
		if got := int(math.Ceil(tailLength(1000, p.REff))); got != want.TailLen[i] {
			t.Errorf("tail length%s = %d, want %d", at, got, want.TailLen[i])
		}
	}

	one, err := LeaveOneOutIndependent(logLik)
	if err != nil {
		t.Fatal(err)
	}
	check(t, "elpd at r_eff 1", one.ELPD, float64(want.REff1.ELPD), tol)
	for i, p := range one.Points {
		check(t, "elpd at r_eff 1", p.ELPD, float64(want.REff1.ELPDi[i]), tol)
		check(t, "k at r_eff 1", p.K, float64(want.REff1.K[i]), tol)
	}

	waic, err := ComputeWAIC(logLik)
	if err != nil {
		t.Fatal(err)
	}
	check(t, "waic elpd", waic.ELPD, float64(want.WAIC.ELPD), tol)
	check(t, "waic se", waic.SE, float64(want.WAIC.SE), tol)
	check(t, "waic p", waic.P, float64(want.WAIC.P), tol)
	for i, p := range waic.Points {
		check(t, "waic elpd_i", p.ELPD, float64(want.WAIC.ELPDi[i]), tol)
		check(t, "waic p_i", p.P, float64(want.WAIC.Pi[i]), tol)
	}

	var ratios []float64
	for _, draws := range logLik[0] {
		for _, l := range draws {
			ratios = append(ratios, -l)
		}
	}
	weights, _ := PSIS(ratios, float64(want.REff[0]))
	for i, w := range want.Weights {
		check(t, "log weight", weights[i], float64(w), tol)
	}
}
