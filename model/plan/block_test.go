package plan_test

import (
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// Missing values of a covariate leave its slope and the intercept to one block; a covariate
// that is nowhere observed, as in a factor model, takes the intercept from the slope.
func TestBlockKeepsCoefficientsTogether(t *testing.T) {
	src := `model { a ~ dnorm(0, 1); b ~ dnorm(0, 1); m ~ dnorm(0, 1); for (i in 1:6) { x[i] ~ dnorm(m, 1); y[i] ~ dnorm(a + b * x[i], 2) } }`
	for _, tc := range []struct {
		data string
		want []string
	}{
		{`x <- c(1,NA,NA,NA,3,2); y <- c(0,1,0,1,0,1)`, []string{"a", "b"}},
		{`y <- c(0,1,0,1,0,1)`, []string{"a", "m", "x[1]", "x[2]", "x[3]", "x[4]", "x[5]", "x[6]"}},
	} {
		c := compileText(t, src, tc.data)
		p, err := plan.New(c.Model, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, it := range p.Items {
			if it.Kernel != "block-normal" {
				continue
			}
			for _, r := range it.Rows {
				tm, i := c.Model.TemplateOf(r)
				got = append(got, c.Model.CellName(tm.Cells(i)[0]))
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, tc.want) {
			t.Errorf("with %s the block has %v, want %v", tc.data, got, tc.want)
		}
	}
}
