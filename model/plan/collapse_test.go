package plan_test

import (
	"testing"

	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// A child that a collapsed node would draw on its way gets the sampler that the user names.
func TestNamedSamplerOfACollapsedChild(t *testing.T) {
	c := compileText(t, `model { a ~ dunif(.1,10); l1 ~ dgamma(a,1); l2 ~ dgamma(a,1); y ~ dpois(l1); z ~ dpois(l2) }`, `y <- 0; z <- 1`)
	for _, named := range []bool{false, true} {
		var over []*plan.Override
		if named {
			over = []*plan.Override{{Pattern: "l1", Kernel: "slice", Match: func(s string) bool { return s == "l1" }}}
		}
		p, err := plan.New(c.Model, over)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]plan.Item{}
		for _, it := range p.Items {
			tm, i := c.Model.TemplateOf(it.Rows[0])
			got[c.Model.CellName(tm.Cells(i)[0])] = it
		}
		if got["a"].Kernel != "collapsed" || !got["l2"].Absorbed() {
			t.Errorf("named %v: a has %s, l2 absorbed %v", named, got["a"].Kernel, got["l2"].Absorbed())
		}
		if got["l1"].Absorbed() == named {
			t.Errorf("named %v: l1 absorbed %v", named, !named)
		}
	}
}
