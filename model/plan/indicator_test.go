package plan_test

import (
	"testing"

	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// Indicators with their normal nodes keep the joint distribution by themselves, and leave what is computed from both up to date: in a sweep, the nodes' other kernels would do so after them.
func TestIndicatorsKeepTheJointDistribution(t *testing.T) {
	n := 20_000 * *soak
	if testing.Short() {
		n = 4_000
	}
	for k, tc := range cases() {
		c := compileText(t, tc.model, tc.data)
		p, err := plan.New(c.Model, tc.overrides())
		if err != nil {
			t.Fatal(err)
		}
		for at, it := range p.Items {
			if it.Kernel != "indicator-with-normal" {
				continue
			}
			joint := jointModel(t, c.Model)
			w := tuned(p, joint, 1, 400)
			joint.Kernel = w.KernelAt(at)
			if err := kerneltest.Geweke[*model.State](joint, kerneltest.Settings{Seed: uint64(k), Replicates: n, Steps: 3}); err != nil {
				t.Errorf("%s: %v", tc.name, err)
			}
		}
	}
}
