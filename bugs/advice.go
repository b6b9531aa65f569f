package bugs

import (
	"fmt"
	"strings"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// What people write who come from other languages, and what BUGS has for it.

// unsupported are distributions of OpenBUGS that are not there, and what to write instead.
var unsupported = map[string]string{
	"spatial.disc": "Write dmnorm.vcov with the covariances in a loop.",
	"pois.conv":    "Write dpois with the sum of the means.",
	"dstable":      "A stable distribution has no density in closed form: dt with few degrees of freedom has heavy tails too.",
	"dtrian":       "Write dtrapez(a, b, b, c).", "dtriang": "Write dtrapez(a, b, b, c).",
	"mvcar": "Write mv.car(adj[], weights[], num[], Omega[,]).", "car_normal": "Write car.normal(adj[], weights[], num[], tau).",
}

// idioms say how to write what other languages call so, in lower case and
// without a leading d or r, dots and underscores; $ stands for the variable.
var idioms = map[string]string{
	"norm":                "dnorm(mean, 1 / sd^2)",
	"n":                   "dnorm(mean, 1 / sd^2)",
	"u":                   "dunif(lower, upper)",
	"ga":                  "dgamma(shape, rate)",
	"be":                  "dbeta(a, b)",
	"ber":                 "dbern(p)",
	"poi":                 "dpois(mean)",
	"normal":              "dnorm(mean, 1 / sd^2)",
	"gaussian":            "dnorm(mean, 1 / sd^2)",
	"gamma":               "dgamma(shape, rate)",
	"beta":                "dbeta(a, b)",
	"unif":                "dunif(lower, upper)",
	"uniform":             "dunif(lower, upper)",
	"pois":                "dpois(mean)",
	"poisson":             "dpois(mean)",
	"binomial":            "dbin(p, n)",
	"binom":               "dbin(p, n)",
	"bern":                "dbern(p)",
	"bernoulli":           "dbern(p)",
	"exponential":         "dexp(rate)",
	"lognormal":           "dlnorm(mean of the logarithm, its precision)",
	"logn":                "dlnorm(mean of the logarithm, its precision)",
	"lognorm":             "dlnorm(mean of the logarithm, its precision)",
	"student":             "dt(location, 1 / scale^2, degrees of freedom)",
	"studentt":            "dt(location, 1 / scale^2, degrees of freedom)",
	"tdist":               "dt(location, 1 / scale^2, degrees of freedom)",
	"cauchy":              "dt(location, 1 / scale^2, 1)",
	"halfcauchy":          "dt(0, 1 / scale^2, 1) T(0,)",
	"hcauchy":             "dt(0, 1 / scale^2, 1) T(0,)",
	"halfnormal":          "dnorm(0, 1 / sd^2) T(0,)",
	"halfnorm":            "dnorm(0, 1 / sd^2) T(0,)",
	"hnorm":               "dnorm(0, 1 / sd^2) T(0,)",
	"halft":               "dt(0, 1 / scale^2, degrees of freedom) T(0,)",
	"halfstudent":         "dt(0, 1 / scale^2, degrees of freedom) T(0,)",
	"halfstudentt":        "dt(0, 1 / scale^2, degrees of freedom) T(0,)",
	"truncnorm":           "dnorm(mean, 1 / sd^2) T(lower, upper)",
	"truncnormal":         "dnorm(mean, 1 / sd^2) T(lower, upper)",
	"tnorm":               "dnorm(mean, 1 / sd^2) T(lower, upper)",
	"truncatednormal":     "dnorm(mean, 1 / sd^2) T(lower, upper)",
	"wishart":             "dwish(R[,], degrees of freedom), of a precision matrix",
	"dirichlet":           "ddirch(alpha[])",
	"dir":                 "ddirch(alpha[])",
	"multinomial":         "dmulti(p[], n)",
	"multinom":            "dmulti(p[], n)",
	"categorical":         "dcat(p[])",
	"categ":               "dcat(p[])",
	"mvnorm":              "dmnorm(mean[], Omega[,]), Omega being the precision matrix",
	"mvn":                 "dmnorm(mean[], Omega[,]), Omega being the precision matrix",
	"mvnormal":            "dmnorm(mean[], Omega[,]), Omega being the precision matrix",
	"multinormal":         "dmnorm(mean[], Omega[,]), Omega being the precision matrix",
	"mnormal":             "dmnorm(mean[], Omega[,]), Omega being the precision matrix",
	"multivariatenormal":  "dmnorm(mean[], Omega[,]), Omega being the precision matrix",
	"mvt":                 "dmt(mean[], Omega[,], degrees of freedom), Omega being the precision matrix",
	"laplace":             "ddexp(location, 1 / scale)",
	"doubleexp":           "ddexp(location, 1 / scale)",
	"doubleexponential":   "ddexp(location, 1 / scale)",
	"logistic":            "dlogis(location, 1 / scale)",
	"pareto":              "dpar(shape, least value)",
	"chisquare":           "dchisqr(degrees of freedom)",
	"chisquared":          "dchisqr(degrees of freedom)",
	"chi2":                "dchisqr(degrees of freedom)",
	"negbinom":            "dnegbin(p, size)",
	"negbinomial":         "dnegbin(p, size)",
	"nbinomial":           "dnegbin(p, size)",
	"nbin":                "dnegbin(p, size)",
	"negativebinomial":    "dnegbin(p, size)",
	"hypergeometric":      "dhyper(n1, n2, m1, 1)",
	"hypergeom":           "dhyper(n1, n2, m1, 1)",
	"geometric":           "dgeom(p) for 1, 2, …, or dnegbin(p, 1) for 0, 1, …",
	"geo":                 "dgeom(p) for 1, 2, …, or dnegbin(p, 1) for 0, 1, …",
	"betabinomial":        "dbetabin(a, b, n)",
	"loglikelihood":       "zero ~ dpois(C - loglik) with zero <- 0 and a constant C that keeps it positive",
	"invgamma":            "dinvgamma(shape, scale)",
	"inversegamma":        "$.inv ~ dgamma(shape, scale), $ <- 1 / $.inv",
	"igamma":              "$.inv ~ dgamma(shape, scale), $ <- 1 / $.inv",
	"invgam":              "$.inv ~ dgamma(shape, scale), $ <- 1 / $.inv",
	"ig":                  "$.inv ~ dgamma(shape, scale), $ <- 1 / $.inv",
	"invchisq":            "$.inv ~ dchisqr(degrees of freedom), $ <- 1 / $.inv",
	"inversechisq":        "$.inv ~ dchisqr(degrees of freedom), $ <- 1 / $.inv",
	"invchisqr":           "$.inv ~ dchisqr(degrees of freedom), $ <- 1 / $.inv",
	"invwish":             "$.inv ~ dwish(R[,], degrees of freedom), $ <- inverse($.inv)",
	"invwishart":          "$.inv ~ dwish(R[,], degrees of freedom), $ <- inverse($.inv)",
	"inversewishart":      "$.inv ~ dwish(R[,], degrees of freedom), $ <- inverse($.inv)",
	"iwish":               "$.inv ~ dwish(R[,], degrees of freedom), $ <- inverse($.inv)",
	"bernoullilogit":      "dbern(ilogit(eta))",
	"binomiallogit":       "dbin(ilogit(eta), n)",
	"poissonlog":          "dpois(exp(eta))",
	"categoricallogit":    "dcat(p[]) with p[k] <- exp(eta[k]): the weights need not sum to 1",
	"orderedlogistic":     "dordered.logit(eta, cut[])",
	"negbinomial2":        "dnegbin(size / (size + mean), size)",
	"negbinomial2log":     "dnegbin(size / (size + exp(eta)), size)",
	"weibull":             "dweib(shape, scale^(-shape))",
	"multinormalcholesky": "dmnorm.vcov(mean[], L[,] %*% t(L[,]))",
	"lkjcorr":             "dlkj_corr(eta, K)",
	"zip":                 "$ ~ dpois(lambda * z), z ~ dbern(psi)",
	"zeroinflatedpoisson": "$ ~ dpois(lambda * z), z ~ dbern(psi)",
	"improper":            "$ ~ dnorm(0, 1.0E-6), or dunif over all that is plausible",
}

// idiom finds what to write instead of a distribution's name; "" where it has
// nothing to say.
func idiom(name, variable string) string {
	plain := strings.NewReplacer(".", "", "_", "").Replace(strings.ToLower(name))
	text := ""
	for _, key := range []string{plain, strings.TrimPrefix(plain, "d"), strings.TrimPrefix(plain, "r")} {
		if text == "" {
			text = idioms[key]
		}
	}
	return strings.ReplaceAll(text, "$", wording.Brief(variable))
}

func (c *compiler) unknownDistribution(r *relation) {
	d := r.ast.Dist
	if hint, ok := unsupported[d.Name]; ok {
		c.fail(d.Pos, hint, "%s is not supported", d.Name)
	}
	hint := idiom(d.Name, r.ast.LHS.Name)
	if d.Name == "ifelse" {
		hint = "It chooses a value, not a distribution: y[i] ~ dpois(ifelse(x[i] > 0, a, b)); or let an index choose the parameters."
	} else if hint != "" {
		hint = "Write " + hint + "."
	} else if lookupFunction(d.Name) != nil {
		hint = d.Name + " is a function: what is computed is written with <-."
	} else {
		hint = suggest(d.Name, distributionNames())
	}
	if hint == "" {
		hint = "JAGS's manual and docs/language.md list the distributions; a density of your own is added by target += its logarithm."
	}
	c.fail(d.Pos, hint, "unknown distribution: %s", d.Name)
}

// knownDistribution tells the names that may stand after ~.
func knownDistribution(name string) bool {
	_, scalar := dist.Lookup(name)
	_, multi := dist.LookupMulti(name)
	return scalar || multi || observables[name] != ""
}

// distributionValue refuses a distribution on the right of <-, where only its
// density has a value.
func (c *compiler) distributionValue(e *Call) {
	n := -1
	if d, ok := dist.Lookup(e.Func); ok {
		n = len(d.Params)
	} else if d, ok := dist.LookupMulti(e.Func); ok {
		n = len(d.Params)
	}
	f := lookupFunction(e.Func)
	if n < 0 || f != nil && len(e.Args) == f.min {
		return
	}
	hint := "Write ~ instead of <- for a node with this distribution."
	if f != nil {
		hint += " The density at x is " + e.Func + "(x, …)."
	}
	c.fail(e.Pos, hint, "%s is a distribution, not a value", e.Func)
}

// unknownFunction reports a call of what is no function.
func (c *compiler) unknownFunction(e *Call) {
	c.checkSolved(e)
	hint := foreignHint(e.Func)
	if hint == "" && strings.HasPrefix(e.Func, "r") && knownDistribution("d"+e.Func[1:]) {
		hint = "A random value is a node with a distribution: write x ~ d" + e.Func[1:] + "(…)."
	}
	if hint == "" {
		hint = suggest(e.Func, functionNames())
	}
	_, isData := c.values[e.Func]
	if isData || c.defines(e.Func) {
		hint = e.Func + " is a variable: a product is written " + e.Func + " * (…), an element " + e.Func + "[…]."
	} else if text := idiom(e.Func, "x"); text != "" && hint == "" {
		hint = "A distribution stands after ~: write " + text + "."
	}
	if hint == "" {
		hint = "JAGS's manual and docs/language.md list the functions; one of your own is written function name(x) <- expression."
	}
	c.fail(e.Pos, hint, "unknown function: %s", e.Func)
}

// defines tells whether a relation of the program has name on its left side.
func (c *compiler) defines(name string) bool {
	var in func(stmts []Stmt) bool
	in = func(stmts []Stmt) bool {
		for _, st := range stmts {
			switch st := st.(type) {
			case *For:
				if st.Var == name || in(st.Body) {
					return true
				}
			case *If:
				if in(st.Then) || in(st.Else) {
					return true
				}
			case *Relation:
				if st.LHS.Name == name {
					return true
				}
			}
		}
		return false
	}
	return in(c.prog.Model.Stmts)
}

// constants of other languages that BUGS has no name for.
var constants = map[string]string{
	"inf": "BUGS has no infinity: leave the side open, as in T(0,), or write a large number.",
	"pi":  "Write 3.141592653589793, or define it: pi <- 3.141592653589793.",
	"na":  "Missing values stand in the data, not in the model.", "nan": "Missing values stand in the data, as NA, not in the model.",
	"null": "BUGS has no such value.", "true": "Write 1.", "false": "Write 0.",
}

// constantHint is what to write instead of a constant's name, or "".
func constantHint(name string) string {
	name = strings.ToLower(name)
	if name == "infinity" {
		name = "inf"
	}
	return constants[name]
}

// markUsed marks the arrays that dimensions, loops and relations that have instances mention.
func (c *compiler) markUsed(dims [][]*node) {
	var mark func(nodes ...*node)
	mark = func(nodes ...*node) {
		for _, n := range nodes {
			if n == nil {
				continue
			}
			if n.arr != nil {
				n.arr.used = true
			}
			mark(n.args...)
		}
	}
	for _, d := range dims {
		mark(d...)
	}
	for _, r := range c.rels {
		for _, l := range r.loops {
			mark(l.rng)
		}
		if r.n > 0 {
			mark(r.lhs, r.expr, r.lo, r.hi)
			mark(r.args...)
		}
	}
}

// unusedData remarks on data that the model does not use, and on data that are
// not observed for that.
func (c *compiler) unusedData(names []string, used map[string]bool) (notes []string) {
	var without []string
	for _, a := range c.order {
		if a.data == nil {
			without = append(without, a.name)
		}
	}
	for _, n := range names {
		a := c.arrays[n]
		if a != nil && a.used || used[n] || c.lookedAt[n] {
			continue
		}
		note := "the data give " + wording.Brief(n) + ", which the model does not use"
		if a != nil && len(a.rels) > 0 {
			note += fmt.Sprintf(": no loop reaches its relation in line %d", a.rels[0].ast.Pos.Line)
		} else if near := wording.Nearest(n, without); near != "" && a == nil {
			note += ": did you mean " + wording.Brief(near) + "?"
		}
		notes = append(notes, note)
	}
	return notes
}
