package rbmreport_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/rbmreport"
	"github.com/ergodic-mcmc/ergodic/rbm"
	"github.com/ergodic-mcmc/ergodic/report"
)

// Two machines by a joint run, of which one is summed exactly, and one method that was left out.
func compared() *rbmreport.Comparison {
	nan := math.NaN()
	estimate := func(file string, method rbm.Estimator, logZ, se float64) *rbmreport.Estimate {
		return rbmreport.NewEstimate(file, &rbm.Estimate{Method: method, LogZ: logZ, SE: se, CI95: [2]float64{logZ - 2*se, logZ + 2*se}, EffectiveRuns: nan, Converged: true}, 1, 2)
	}
	task := func(method rbm.Estimator, machines ...int) rbm.Task {
		return rbm.Task{Method: method, Machines: machines}
	}
	all := []*rbmreport.Estimate{estimate("d/a.mat", rbm.Exact, 10, 0), estimate("d/a.mat", rbm.Exact, 10, 0), estimate("b.npz", rbm.SAMC, 12, 0.25),
		estimate("d/a.mat", rbm.AIS, 9, 0.1), estimate("b.npz", rbm.AIS, nan, nan)}
	all[4].Fit = rbmreport.LeftOut
	return rbmreport.NewComparison(rbmreport.Inputs{
		Files: []string{"d/a.mat", "b.npz"}, Cases: 3, LogWeights: []float64{4, 5},
		Tasks:     []rbm.Task{task(rbm.Exact, 0), task(rbm.SAMC, 0, 1), task(rbm.SAMC, 0, 1), task(rbm.AIS, 0), task(rbm.AIS, 1)},
		Published: map[rbmreport.Key]float64{{Model: "a", Method: "ais"}: 8.5},
	}, all)
}

func TestComparison(t *testing.T) {
	c := compared()
	var table strings.Builder
	if err := c.Write(&table, report.Screen{}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(table.String()), "\n")
	if len(lines) != 5 { // the exact sum of the joint run is what the other machine is relative to
		t.Fatalf("%s", table.String())
	}
	for k, parts := range [][]string{{"log likelihood", "published", "in time"}, {"a", "exact", "best", "-6.0000"}, {"a", "ais", "-10.0", "8.5000", "-1.50"}, {"b", "samc", "best", "-7.000"}, {"b", "ais", "–", "left out"}} {
		for _, part := range parts {
			if !strings.Contains(lines[k], part) {
				t.Errorf("no %q in %q", part, lines[k])
			}
		}
	}
	b, err := json.Marshal(c)
	if err != nil || !strings.Contains(string(b), `"log_z":null`) {
		t.Errorf("%v: %s", err, b)
	}
}

func TestWriteReport(t *testing.T) {
	dir := t.TempDir()
	if err := compared().WriteReport(func(name string) (string, error) { return filepath.Join(dir, name), nil }, "svg"); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(dir, "report.md"))
	for _, part := range []string{"| a | ais |", "![estimates of log Z against CPU time](b.svg)", "- ais: the published 8.5000 is -1.50 nats from exact. Weights are unbiased"} {
		if err != nil || !strings.Contains(string(b), part) {
			t.Errorf("%v: no %q in\n%s", err, part, b)
		}
	}
}
