package plan_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// Continuous vectors are not left to proposals from their priors, which hardly any data accept: nuts has them, beside blocks too; not where they lead to a step.
func TestNoVectorIsLeftToItsPrior(t *testing.T) {
	const data = `R <- structure(c(2, 0, 0, 2), .Dim = c(2, 2)); m <- c(0, 1); y <- c(1, 2, 0.5, 3); x <- c(-1, 0, 1, 2); one <- c(1, 0, 1, 1)`
	for name, tc := range map[string]struct{ model, node, kernel string }{
		"coefficients":    {"model { b[1:2] ~ dmt(m[], R[,], 4); for (i in 1:4) { y[i] ~ dnorm(b[1] + b[2] * x[i], 1) } }", "b[1]", "nuts"},
		"beside a block":  {"model { b[1:2] ~ dmt(m[], R[,], 4); u ~ dnorm(0, 1); v ~ dnorm(0, 1); for (i in 1:4) { y[i] ~ dnorm(b[1] + b[2] * x[i] + u - x[i] * v, 1) } }", "b[1]", "nuts"},
		"a Wishart above": {"model { W[1:2,1:2] ~ dwish(R[,], 3); b[1:2] ~ dmt(m[], W[,], 4); for (i in 1:4) { y[i] ~ dnorm(b[1] + b[2] * x[i], 1) } }", "W[1,1]", "nuts"},
		"by itself":       {"model { W[1:2,1:2] ~ dwish(R[,], 3); for (i in 1:4) { y[i] ~ dnorm(W[1,2], 1) } }", "W[1,1]", "nuts"},
		"a step":          {"model { b[1:2] ~ dmt(m[], R[,], 4); for (i in 1:4) { one[i] ~ dbern(0.2 + 0.6 * step(b[1] - x[i])) } }", "b[1]", "prior"},
		"conjugate":       {"model { W[1:2,1:2] ~ dwish(R[,], 3); b[1:2] ~ dmnorm(m[], W[,]); for (i in 1:4) { y[i] ~ dnorm(b[1] + b[2] * x[i], 1) } }", "W[1,1]", "conjugate-wishart"},
	} {
		c := compileText(t, tc.model, data)
		p, err := plan.New(c.Model, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		kernel := ""
		for _, it := range p.Items {
			for _, r := range it.Rows {
				if o, i := c.Model.TemplateOf(r); c.Model.CellName(o.Cells(i)[0]) == tc.node {
					kernel = it.Kernel
				}
			}
		}
		if kernel != tc.kernel {
			t.Errorf("%s: %s is moved by %s, not by %s", name, tc.node, kernel, tc.kernel)
		}
	}
}

// Nodes that multiply go to nuts together, whatever exact kernels each of them has, where there are more of them than all-with-block serves; so do the precisions beside them.
func TestProductsGoToNUTS(t *testing.T) {
	const rows = `for (i in 1:n) { for (j in 1:k) { y[i,j] ~ dnorm(%s, tau) } } tau ~ dgamma(1, 1); `
	const data = `n <- 6; k <- %; y <- structure(c(1,0,1,1,1,0,0,1,1,1,0,1,1,1,0,0,1,1,1,0,1,1,1,0,0,1,1,1,0,1), .Dim=c(6,5))` // more columns than three loadings need
	for _, tc := range []struct {
		name, mean, priors, k string
		nuts                  []string // nil: no such kernel
	}{
		{"factors and loadings", "m[j] + l[j] * f[i]", `for (i in 1:n) { f[i] ~ dnorm(0, 1) } for (j in 1:k) { m[j] ~ dnorm(0, 0.1); l[j] ~ dnorm(0, 1) }`, "5", []string{"f", "l", "m", "tau"}},
		{"two factors with loadings on both", "inprod(l[j,], f[i,])", `for (i in 1:n) { for (d in 1:2) { f[i,d] ~ dnorm(0, 1) } } for (j in 1:k) { for (d in 1:2) { l[j,d] ~ dnorm(0, 1) } }`, "5", []string{"f", "l", "tau"}},
		{"three loadings", "m[j] + l[j] * f[i]", `for (i in 1:n) { f[i] ~ dnorm(0, 1) } for (j in 1:k) { m[j] ~ dnorm(0, 0.1); l[j] ~ dnorm(0, 1) }`, "3", nil},
		{"growth", "a[i] * (1 - exp(-b[i] * j))", `for (i in 1:n) { a[i] ~ dnorm(ma, ta); b[i] ~ dlnorm(0, tb) } ma ~ dnorm(0, 0.1); ta ~ dgamma(2, 1); tb ~ dgamma(2, 1)`, "5", []string{"a", "b", "ma", "ta", "tau", "tb"}},
		{"sums", "m[j] + f[i]", `for (i in 1:n) { f[i] ~ dnorm(0, t) } for (j in 1:k) { m[j] ~ dnorm(0, 0.1) } t ~ dgamma(1, 1)`, "5", nil},
	} {
		c := compileText(t, "model { "+strings.Replace(rows, "%s", tc.mean, 1)+tc.priors+" }", strings.Replace(data, "%", tc.k, 1))
		p, err := plan.New(c.Model, nil)
		if err != nil {
			t.Fatal(tc.name, err)
		}
		var got []string
		for _, it := range p.Items {
			for _, r := range it.Rows {
				o, i := c.Model.TemplateOf(r)
				if name, _, _ := strings.Cut(c.Model.CellName(o.Cells(i)[0]), "["); it.Kernel == "nuts" && !slices.Contains(got, name) {
					got = append(got, name)
				}
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, tc.nuts) {
			t.Errorf("%s: nuts moves %v, not %v", tc.name, got, tc.nuts)
		}
	}
}

// Sampled discrete nodes beside a group keep it from nuts where they are many for its size.
func TestDiscreteBesideNUTS(t *testing.T) {
	const text = `model { for (i in 1:n) { z[i] ~ dbern(0.5); a[i] ~ dbeta(2, 3) }
		m ~ dunif(0.2, 0.8)
		for (j in 1:k) { q[j] ~ dbeta(3 * m, 3 - 3 * m) }
		for (i in 1:n) { for (j in 1:k) { y[i,j] ~ dbin(q[j] * (0.2 + 0.8 * a[i] * z[i]), 4) } } }`
	for _, c := range []struct {
		data string
		nuts bool
	}{
		{`n <- 3; k <- 12; y <- structure(c(1,0,1,1,1,0,0,1,1,1,0,1,1,1,0,0,1,1,1,0,1,1,1,0,0,1,1,1,0,1,1,1,0,0,1,1), .Dim=c(3,12))`, true}, // 3 beside 16
		{`n <- 6; k <- 2; y <- structure(c(1,0,1,1,1,0,0,1,1,1,0,1), .Dim=c(6,2))`, false},                                                  // 6 beside 9
	} {
		p, err := plan.New(compileText(t, text, c.data).Model, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.ContainsFunc(p.Items, func(it plan.Item) bool { return it.Kernel == "nuts" }); got != c.nuts {
			t.Errorf("nuts: %v, want %v", got, c.nuts)
		}
	}
}

// Vectors of effects go to nuts with the two coefficients of a variance that it has, and with a block beside them; they stay where all else is exact.
func TestVectorsOfEffectsGoTogether(t *testing.T) {
	const vectors = `model { for (i in 1:24) { y[i] ~ dnorm(a[g[i],1] + a[g[i],2] * x[i] + b[1] * x[i] * x[i] + b[2] * z[i], tau[i]); log(tau[i]) <- VARIANCE }
		for (j in 1:3) { a[j,1:2] ~ dmnorm(m[], T[,]) }
		m[1:2] ~ dmnorm(zero[], R[,]); T[1:2,1:2] ~ dwish(R[,], 3)
		for (k in 1:2) { b[k] ~ dnorm(0, 0.1) }
		c ~ dnorm(0, 0.1); d ~ dnorm(0, 0.1) }`
	const data = `y <- c(1,2,0,3,1,2,0,3,1,4,0,3,1,2,0,3,2,2,0,3,1,2,0,3); x <- c(-1,0,1,2,-1,0,1,2,-1,0,1,2,-1,0,1,2,-1,0,1,2,-1,0,1,2)
		z <- c(1,0,0,1,1,1,0,1,0,0,1,1,0,1,1,0,1,0,0,1,0,1,0,0); g <- c(1,2,3,1,2,3,1,2,3,1,2,3,1,2,3,1,2,3,1,2,3,1,2,3); R <- structure(c(2, 0, 0, 2), .Dim = c(2, 2)); zero <- c(0, 0)`
	for variance, want := range map[string][]string{"c + d * x[i]": {"nuts"}, "0.3": {"block-normal", "conjugate-mnormal", "conjugate-mnormal", "conjugate-mnormal", "conjugate-mnormal", "conjugate-wishart"}} {
		p, err := plan.New(compileText(t, strings.Replace(vectors, "VARIANCE", variance, 1), data).Model, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, it := range p.Items {
			got = append(got, it.Kernel)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("log precision %s: %v, want %v", variance, got, want)
		}
	}
}

// The areas of a map go to nuts, where they have coordinates of their own, with a random walk beside them that is too short for any, and with an area that an exact kernel could move by itself.
func TestShortWalksGoWithMaps(t *testing.T) {
	const areas, years = 30, 6 // a ring, and an area with one neighbour
	var adj, num []string
	for i := range areas {
		near := []int{(i + areas - 1) % areas, (i + 1) % areas}
		if i == 0 {
			near = append(near, areas)
		}
		for _, j := range near {
			adj = append(adj, strconv.Itoa(j+1))
		}
		num = append(num, strconv.Itoa(len(near)))
	}
	adj, num = append(adj, "1"), append(num, "1")
	data := "n <- 31; T <- 6; y <- structure(c(" + strings.Repeat("1,0,2,", 31*years/3-1) + "1,0,2), .Dim=c(31,6)); adj <- c(" + strings.Join(adj, ",") + "); num <- c(" + strings.Join(num, ",") + ")"
	const model = `model { u[1:n] ~ car.normal(adj[], w[], num[], tu); for (k in 1:sum(num[])) { w[k] <- 1 } tu ~ dgamma(1, 0.1); b ~ dnorm(0, 0.01)
		d[1] <- 0; for (t in 2:T) { d[t] ~ dnorm(d[t-1], td) } td ~ dgamma(1, 0.1); for (i in 1:n) { for (t in 1:T) { LIKELIHOOD } } te ~ dgamma(1, 0.1) }`
	for name, y := range map[string]string{"counts": "y[i,t] ~ dpois(exp(b + u[i] + d[t]))", "normal": "y[i,t] ~ dnorm(b + u[i] + d[t], te)"} {
		c := compileText(t, strings.Replace(model, "LIKELIHOOD", y, 1), data)
		p, err := plan.New(c.Model, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		for _, it := range p.Items {
			o, i := c.Model.TemplateOf(it.Rows[0])
			if cell := c.Model.CellName(o.Cells(i)[0]); it.Kernel != "nuts" && it.Kernel != "joint-with-field" && it.Kernel != "with-innovations" && cell != "te" {
				t.Errorf("%s: %s is moved by %s", name, cell, it.Kernel)
			}
		}
	}
}

// Missing and censored values that nuts is to have take the exact block with them that their mean depends on; without data of their relation, as effects, they do not.
func TestLatentValuesTakeTheirBlock(t *testing.T) {
	const data = `x <- c(-1, 0, 1, 2, 3); y <- c(1, NA, 2, NA, 3); m <- c(0, 1, 0, 1, 0); c <- c(1, 0, 1, 0, 1); k <- c(2, 3, 2, 4, 2)`
	for _, tc := range []struct{ name, model, kernel string }{
		{"not missing at random", `for (i in 1:5) { y[i] ~ dnorm(a + b * x[i], tau); m[i] ~ dbern(ilogit(g + h * y[i])) } g ~ dlogis(0, 1); h ~ dnorm(0, 1)`, "nuts"},
		{"censored lognormal", `for (i in 1:5) { y[i] ~ dlnorm(a + b * x[i], tau); c[i] ~ dinterval(y[i], 0.5) }`, "nuts"},
		{"missing alone", `for (i in 1:5) { y[i] ~ dnorm(a + b * x[i], tau) }`, "block-normal"},
		{"effects", `for (i in 1:5) { e[i] ~ dnorm(a + b * x[i], tau); k[i] ~ dpois(e[i] * e[i]) }`, "block-glm"},
	} {
		c := compileText(t, "model { "+tc.model+" a ~ dnorm(0, 0.1); b ~ dnorm(0, 0.1); tau ~ dgamma(2, 2) }", data)
		p, err := plan.New(c.Model, nil)
		if err != nil {
			t.Fatal(tc.name, err)
		}
		for _, it := range p.Items {
			for _, r := range it.Rows {
				if o, i := c.Model.TemplateOf(r); c.Model.CellName(o.Cells(i)[0]) == "b" && it.Kernel != tc.kernel && !strings.Contains(it.Kernel, "joint") && !strings.Contains(it.Kernel, "all-with") {
					t.Errorf("%s: b is moved by %s, not by %s", tc.name, it.Kernel, tc.kernel)
				}
			}
		}
	}
}

// Coefficients of several outcomes, and of two that covariates make nearly the same, go to nuts: one by one they hold each other. A centred line stays with its exact kernels.
func TestCoefficientsOfVectorsGoTogether(t *testing.T) {
	const rows = `for (i in 1:n) { y[i,1:2] ~ dmnorm(mu[i,], O[,]); %s } O[1:2,1:2] ~ dwish(R[,], 2); `
	const data = `n <- 6; x <- c(%); R <- structure(c(1,0,0,1), .Dim=c(2,2)); y <- structure(c(1,2,1,2,3,1,0,2,1,3,1,2), .Dim=c(6,2))`
	for _, tc := range []struct{ name, means, priors, x, kernel string }{
		{"autoregression", "mu[i,1] <- a[1,1] * x[i] + a[1,2] * (1 - x[i]); mu[i,2] <- a[2,1] * x[i] + a[2,2] * (1 - x[i])", "for (j in 1:2) { for (k in 1:2) { a[j,k] ~ dnorm(0, 1) } }", "-1,0,1,-1,0,1", "nuts"},
		{"a line far from zero", "mu[i,1] <- a[1] + a[2] * x[i]; mu[i,2] <- a[1] + 2 * a[2] * x[i]", "for (k in 1:2) { a[k] ~ dnorm(0, 0.01) }", "10,11,12,11,10,11", "nuts"},
		{"a centred line", "mu[i,1] <- a[1] + a[2] * x[i]; mu[i,2] <- a[1] + 2 * a[2] * x[i]", "for (k in 1:2) { a[k] ~ dnorm(0, 0.01) }", "-1,0,1,-1,0,1", "conjugate-normal"},
	} {
		c := compileText(t, "model { "+strings.Replace(rows, "%s", tc.means, 1)+tc.priors+" }", strings.Replace(data, "%", tc.x, 1))
		p, err := plan.New(c.Model, nil)
		if err != nil {
			t.Fatal(tc.name, err)
		}
		if !slices.ContainsFunc(p.Items, func(it plan.Item) bool { return it.Kernel == tc.kernel }) || tc.kernel == "nuts" && len(p.Items[0].Rows) < 3 {
			t.Errorf("%s: %+v", tc.name, p.Items)
		}
	}
}

// Histories of individuals with covariates of their own are summed out for nuts, as those that are alike are; one series is left to ffbs.
func TestHistoriesWithCovariatesAreSummedOut(t *testing.T) {
	const model = `for (i in 1:n) { z[i,1] ~ dbern(0.5); for (t in 2:4) { z[i,t] ~ dbern(z[i,t-1] * ilogit(a + b * x[i])) } for (t in 1:4) { y[i,t] ~ dbern(z[i,t] * p) } } a ~ dnorm(0, 1); b ~ dnorm(0, 1); p ~ dbeta(1, 1)`
	for n, kernel := range map[string]string{"10": "nuts", "1": "ffbs"} {
		data := "n <- 1; x <- c(0.3); y <- structure(c(1,0,1,0), .Dim=c(1,4))"
		if n == "10" {
			data = "n <- 10; x <- c(-1,0.2,1,2,0.7,0,0.1,-2,0.5,1.5); y <- structure(c(1,1,0,1,1,1,0,1,0,1, 0,1,0,1,1,0,0,1,1,1, 1,1,0,0,1,0,1,0,1,1, 0,0,0,0,1,1,0,1,0,1), .Dim=c(10,4))"
		}
		p, err := plan.New(compileText(t, "model { "+model+" }", data).Model, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(p.Items, func(it plan.Item) bool { return it.Kernel == kernel }) {
			t.Errorf("%s: no %s in %+v", n, kernel, p.Items)
		}
	}
}
