package plan_test

import (
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// ask reads overrides such as "b=slice c[1]=prior"; an array's name stands for its elements.
func ask(text string) (over []*plan.Override) {
	for _, field := range strings.Fields(text) {
		pattern, kernel, _ := strings.Cut(field, "=")
		over = append(over, &plan.Override{Pattern: pattern, Kernel: kernel, Match: func(name string) bool {
			base, _, _ := strings.Cut(name, "[")
			return pattern == "*" || name == pattern || base == pattern
		}})
	}
	return over
}

// kernelsOf writes the items of a plan: each kernel with the nodes that it moves.
func kernelsOf(c *bugs.Compiled, p *plan.Plan) string {
	var items []string
	for _, it := range p.Items {
		text := it.Kernel + ":"
		for _, r := range it.Rows {
			t, i := c.Model.TemplateOf(r)
			text += " " + c.Model.CellName(t.Cells(i)[0])
		}
		items = append(items, text)
	}
	return strings.Join(items, ", ")
}

// An override is followed, whatever other kernels would do with the node, or is an error that names it.
func TestOverrides(t *testing.T) {
	const (
		counts = `model { a ~ dunif(.1,10); l1 ~ dgamma(a,1); l2 ~ dgamma(a,1); y ~ dpois(l1); z ~ dpois(l2) }`
		line   = `model { t ~ dgamma(1,1); a ~ dnorm(0,1); b ~ dnorm(0,1); for (i in 1:3) { y[i] ~ dnorm(a + b * i, t) } }`
		logit  = `model { a ~ dnorm(0,1); b ~ dnorm(0,1); for (i in 1:3) { logit(p[i]) <- a + b * i; y[i] ~ dbern(p[i]) } }`
		apart  = `model { a ~ dnorm(0,1); b ~ dnorm(0,1) T(0,); y ~ dnorm(a, 1); z ~ dnorm(b, 1) }`
		zeros  = `y <- c(0,0,0)`
		pair   = `y <- 0; z <- 1`
	)
	for _, tc := range []struct{ name, model, data, over, want, err string }{
		{"children drawn on the way", counts, pair, "", "collapsed: a l1 l2", ""},
		{"one of them asked for", counts, pair, "l1=slice", "slice: l1, collapsed: a l2", ""},
		{"all of them", counts, pair, "l1=slice l2=conjugate-gamma", "conjugate-gamma: l2, slice: l1, adaptive: a", ""},
		{"their parent", counts, pair, "a=slice", "conjugate-gamma: l2, conjugate-gamma: l1, slice: a", ""},
		{"their parent as it is", counts, pair, "a=collapsed", "collapsed: a l1 l2", ""},
		{"nothing left to integrate out", counts, pair, "a=collapsed l1=slice l2=slice", "", "plan.Override a=collapsed: a ~ dunif does not allow it"},
		{"a block and a joint move", line, zeros, "", "block-normal: b a, conjugate-gamma: t, joint-with-block: t", ""},
		{"a member on its own", line, zeros, "b=slice", "slice: b, conjugate-normal: a, conjugate-gamma: t", ""},
		{"no joint move of a named node", line, zeros, "t=slice", "block-normal: b a, slice: t", ""},
		{"a block as it is", line, zeros, "b=block-normal", "block-normal: b a, conjugate-gamma: t, joint-with-block: t", ""},
		{"a block whose children are not normal", logit, zeros, "b=block-glm a=block-glm", "block-glm: b a", ""},
		{"a block of another kind", logit, zeros, "b=block-normal", "", "plan.Override b=block-normal: b ~ dnorm does not allow it; it is in a block-glm"},
		{"a block of one", apart, pair, "a=block-normal", "", "a ~ dnorm does not allow it; such a kernel takes two or more normal nodes"},
		{"a block of a truncated node", apart, pair, "b=block-glm", "", "b ~ dnorm does not allow it; such a kernel takes two or more normal nodes without T(,)"},
		{"a block of no normal node", line, zeros, "t=block-normal", "", "t ~ dgamma does not allow it; such a kernel takes"},
		{"a block without the other member", line, zeros, "a=slice b=block-normal", "", "b ~ dnorm does not allow it"},
		{"a joint move", line, zeros, "t=joint-with-block", "", "there is no sampler joint-with-block to ask for; there are block-normal, block-glm, block-volatility, ffbs, conjugate-normal,"},
		{"draws from a density without end", `model { a ~ dflat(); y ~ dnorm(a, 1) }`, "y <- 0", "a=prior", "", "plan.Override a=prior: a ~ dflat does not allow it"},
		{"another family", line, zeros, "t=conjugate-beta", "", "plan.Override t=conjugate-beta: t ~ dgamma does not allow it"},
		{"data", line, zeros, "y=slice", "", "plan.Override y=slice names no unobserved node that data reach"},
		{"two for a node", counts, pair, "l1=slice l1=prior", "", "plan.Override l1=prior: l1=slice names l1 too"},
		{"one left to the plan", counts, pair, "l1=slice l2=slice l1=auto", "slice: l2, collapsed: a l1", ""},
		{"all but one", counts, pair, "*=slice l2=auto", "conjugate-gamma: l2, slice: l1, slice: a", ""},
		{"one left to the plan by itself", counts, pair, "l1=auto", "collapsed: a l1 l2", ""},
		{"none to leave", counts, pair, "b=auto", "", "plan.Override b=auto names no unobserved node that data reach"},
		{"all but cuts", `model { a ~ dt(0, 1, 4); u ~ dpois(exp(a)); c ~ dcut(a); b ~ dnorm(cut(c), 1); y ~ dpois(exp(b)) }`, "u <- 1; y <- 2", "*=slice", "cut: cut'1.68[1], cut: c, slice: b, slice: a", ""},
		{"a cut", `model { a ~ dnorm(0, 1); u ~ dnorm(a, 1); c ~ dcut(a); y ~ dnorm(c, 1) }`, "u <- 1; y <- 2", "c=slice", "", "plan.Override c=slice: c is a cut, which takes the value that it is given"},
		{"nuts on the sides of a cut", `model { a ~ dt(0, 1, 4); u ~ dpois(exp(a)); b ~ dnorm(cut(a), t); t ~ dexp(1); y ~ dpois(exp(b)) }`, "u <- 1; y <- 2", "*=nuts", "cut: cut'1.55[1], nuts: a, nuts: b t", ""},
		{"refused among others", `model { a ~ dnorm(0,1); q[1:2] ~ ddirch(v[]); y ~ dnorm(a * q[1], 1) }`, "y <- 0; v <- c(1,1)", "*=slice", "", "plan.Override *=slice: q[1] ~ ddirch does not allow it; plan.Override 'q=auto' beside it leaves q to the plan"},
		{"one twice", counts, pair, "l1=slice l1=slice", "slice: l1, collapsed: a l2", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := compileText(t, tc.model, tc.data)
			p, err := plan.New(c.Model, ask(tc.over))
			if tc.err != "" {
				if err == nil || !strings.Contains(err.Error(), tc.err) {
					t.Errorf("%v; want %s", err, tc.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := kernelsOf(c, p); got != tc.want {
				t.Errorf("%s; want %s", got, tc.want)
			}
		})
	}
}
