package rbm_test

import (
	"context"
	"math"
	"reflect"
	"testing"

	"github.com/ergodic-mcmc/ergodic/path"
	"github.com/ergodic-mcmc/ergodic/rbm"
)

// Exact sums that take long are left out where work is to be quick, and only SAMS and SAMC know several machines at once.
func TestWorkTasks(t *testing.T) {
	w := rbm.Work{Machines: []*rbm.Model{rbm.New(6, 4), rbm.New(40, 30)}, Methods: []rbm.Estimator{rbm.Exact, rbm.AIS, rbm.SAMC}, Joint: true, Quick: true}
	want := []rbm.Task{{rbm.Exact, []int{0}}, {rbm.AIS, []int{0}}, {rbm.AIS, []int{1}}, {rbm.SAMC, []int{0, 1}}, {rbm.SAMC, []int{0, 1}}}
	if got := w.Tasks(); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if !w.Random() {
		t.Error("annealing is random")
	}
	if w.Methods = []rbm.Estimator{rbm.Auto, rbm.Exact}; !w.Random() { // the larger machine is not summed
		t.Error("auto of a large machine is random")
	}
	if w.Machines = w.Machines[:1]; w.Random() {
		t.Error("sums are not random")
	}
}

// A task of RTSPrior is RTS under that name, and one of several machines gives an estimate for each.
func TestTaskLogZ(t *testing.T) {
	machines := []*rbm.Model{rbm.New(4, 3), rbm.New(4, 2)}
	set := rbm.LogZSettings{Settings: path.Settings{Seed: 1, Runs: 2}, Temperatures: 5, Rounds: 50}
	for _, task := range []rbm.Task{{rbm.RTSPrior, []int{1}}, {rbm.SAMS, []int{0, 1}}} {
		all, err := task.LogZ(context.Background(), machines, set)
		if err != nil || len(all) != len(task.Machines) {
			t.Fatalf("%v: %d estimates, %v", task, len(all), err)
		}
		if e := all[len(all)-1]; e.Method != task.Method || math.Abs(e.LogZ-6*math.Ln2) > 1 {
			t.Errorf("%v: %+v", task, e)
		}
	}
}

// Auto may choose exact sums or smc, so it uses what one of them does.
func TestUses(t *testing.T) {
	for _, c := range []struct {
		method  rbm.Estimator
		setting string
		want    bool
	}{
		{rbm.Exact, "Runs", false}, {rbm.MeanTAP, "Runs", true}, {rbm.MeanTAP, "Base", false}, {rbm.Auto, "Particles", true}, {rbm.AIS, "Particles", false},
		{rbm.Auto, "Rounds", false}, {rbm.RTSPrior, "Rounds", true}, {rbm.RTSPrior, "FromPrior", false}, {rbm.RTS, "FromPrior", true}, {rbm.SMC, "TAP", false},
	} {
		if got := c.method.Uses(c.setting); got != c.want {
			t.Errorf("%s uses %s: %v", c.method, c.setting, got)
		}
	}
	if rbm.CD.Uses("Particles") || !rbm.Tempered.Uses("Ladder") || rbm.PCD.Uses("FastRate") || !rbm.CD.Uses("Rate") {
		t.Error("settings of training")
	}
}

// The best is the least error of those that converged, and of all where none did; what has no error, or the wrong temperatures, never is.
func TestBest(t *testing.T) {
	nan := math.NaN()
	all := []*rbm.Estimate{{Method: rbm.RTSPrior, SE: 0.001, Converged: true}, {Method: rbm.MeanTAP, SE: nan, Converged: true},
		{Method: rbm.AIS, LogZ: 10, SE: 0.1}, {Method: rbm.SMC, LogZ: 11, SE: 0.4, Converged: true}, {Method: rbm.TI, LogZ: 13, SE: 0.3, Converged: true}}
	best := rbm.Best(all)
	if best != all[4] {
		t.Fatalf("%+v", best)
	}
	if d, z := all[3].Against(best); d != -2 || math.Abs(z+4) > 1e-12 {
		t.Errorf("%v, %v", d, z)
	}
	if d, z := best.Against(best); d != 0 || !math.IsNaN(z) {
		t.Errorf("%v, %v", d, z)
	}
	if best = rbm.Best(all[:3]); best != all[2] {
		t.Errorf("%+v", best)
	}
	if best = rbm.Best(all[:2]); best != nil {
		t.Errorf("%+v", best)
	}
}
