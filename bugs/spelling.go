package bugs

import (
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// spelling is a distribution with parameters of its own, and what it is in those of
// BUGS: an expression in the names of its parameters.
type spelling struct {
	name   string
	params []string
	means  string
}

// spellings are those of NIMBLE (User Manual 1.2, section 5.2.4), of JAGS's modules and
// of OpenBUGS that other distributions express. The first of a distribution with the
// right number of parameters is that without names. Parameters have the names of package
// dist too.
var spellings = []spelling{
	{"dnorm", []string{"mean", "tau"}, "dnorm(mean, tau)"},
	{"dnorm", []string{"mean", "sd"}, "dnorm(mean, 1/sd^2)"},
	{"dnorm", []string{"mean", "var"}, "dnorm(mean, 1/variance)"},
	{"dlnorm", []string{"meanlog", "taulog"}, "dlnorm(meanlog, taulog)"},
	{"dlnorm", []string{"meanlog", "sdlog"}, "dlnorm(meanlog, 1/sdlog^2)"},
	{"dlnorm", []string{"meanlog", "varlog"}, "dlnorm(meanlog, 1/varlog)"},
	{"dlogis", []string{"location", "rate"}, "dlogis(location, rate)"},
	{"dlogis", []string{"location", "scale"}, "dlogis(location, 1/scale)"},
	{"ddexp", []string{"location", "rate"}, "ddexp(location, rate)"},
	{"ddexp", []string{"location", "scale"}, "ddexp(location, 1/scale)"},
	{"ddexp", []string{"location", "var"}, "ddexp(location, sqrt(2/variance))"},
	{"dt", []string{"mu", "tau", "df"}, "dt(mu, tau, df)"},
	{"dt", []string{"mu", "sigma", "df"}, "dt(mu, 1/sigma^2, df)"},
	{"dt", []string{"mu", "sigma2", "df"}, "dt(mu, 1/sigma2, df)"},
	{"dt_nonstandard", []string{"df", "mu", "sigma"}, "dt(mu, 1/sigma^2, df)"},
	{"dgamma", []string{"shape", "rate"}, "dgamma(shape, rate)"},
	{"dgamma", []string{"shape", "scale"}, "dgamma(shape, 1/scale)"},
	{"dgamma", []string{"mean", "sd"}, "dgamma((mean/sd)^2, mean/sd^2)"},
	{"dinvgamma", []string{"shape", "rate"}, "dinvgamma(shape, 1/rate)"},
	{"dexp", []string{"rate"}, "dexp(rate)"},
	{"dexp", []string{"scale"}, "dexp(1/scale)"},
	{"dexp_nimble", []string{"rate"}, "dexp(rate)"},
	{"dexp_nimble", []string{"scale"}, "dexp(1/scale)"},
	{"dweib", []string{"shape", "lambda"}, "dweib(shape, lambda)"},
	{"dweib", []string{"shape", "scale"}, "dweib(shape, scale^(-shape))"},
	{"dweib", []string{"shape", "rate"}, "dweib(shape, rate^shape)"},
	{"dbeta", []string{"shape1", "shape2"}, "dbeta(shape1, shape2)"},
	{"dbeta", []string{"mean", "sd"}, "dbeta(mean*(mean*(1-mean)/sd^2 - 1), (1-mean)*(mean*(1-mean)/sd^2 - 1))"},
	{"dunif", []string{"min", "max"}, "dunif(min, max)"},
	{"dunif", []string{"mean", "sd"}, "dunif(mean - sqrt(3)*sd, mean + sqrt(3)*sd)"},
	{"dchisqr", []string{"df"}, "dchisqr(df)"},
	{"dbern", []string{"prob"}, "dbern(prob)"},
	{"dbin", []string{"prob", "size"}, "dbin(prob, size)"},
	{"dnegbin", []string{"prob", "size"}, "dnegbin(prob, size)"},
	{"dcat", []string{"prob"}, "dcat(prob)"},
	{"dmulti", []string{"prob", "size"}, "dmulti(prob, size)"},
	{"dmnorm", []string{"mean", "prec"}, "dmnorm(mean, prec)"},
	{"dmnorm", []string{"mean", "cov"}, "dmnorm.vcov(mean, cov)"},
	{"dmvt", []string{"mu", "prec", "df"}, "dmt(mu, prec, df)"},
	{"dmvt", []string{"mu", "scale", "df"}, "dmt(mu, inverse(scale), df)"},
	{"dwish", []string{"R", "df"}, "dwish(R, df)"},
	{"dwish", []string{"S", "df"}, "dwish(inverse(S), df)"},
	{"dgampois", []string{"mu", "size"}, "dnegbin(size/(size + mu), size)"}, // JAGS 5
	{"dgeom0", []string{"p"}, "dnegbin(p, 1)"},
	{"dconstraint", []string{"cond"}, "dbern(cond)"},
	{"dhalfflat", nil, "dflat() T(0,)"},
	{"dordered.logit", []string{"mu", "cut"}, "dcat(c(ilogit(cut - mu), 1) - c(0, ilogit(cut - mu)))"},
	{"dordered.probit", []string{"mu", "cut"}, "dcat(c(phi(cut - mu), 1) - c(0, phi(cut - mu)))"},
}

// canonicalName is the name of a distribution in the tables, without its aliases.
func canonicalName(name string) string {
	if d, ok := dist.Lookup(name); ok {
		return d.Name
	}
	if d, ok := dist.LookupMulti(name); ok {
		return d.Name
	}
	return name
}

// ownParams are the parameters of a distribution of package dist.
func ownParams(name string) []string {
	if d, ok := dist.Lookup(name); ok {
		return d.Params
	}
	if d, ok := dist.LookupMulti(name); ok {
		return d.Params
	}
	return nil
}

// spelt tells whether a name is that of a distribution that others express.
func spelt(name string) bool {
	return slices.ContainsFunc(spellings, func(s spelling) bool { return s.name == name })
}

// respell writes a distribution in the parameters of BUGS, without names.
func (c *compiler) respell(d *DistCall) *DistCall {
	name := canonicalName(d.Name)
	if name == "dflat" {
		return d
	}
	if own := ownParams(name); own != nil && (d.Names == nil || matches(own, d)) {
		if d.Names == nil {
			return d
		}
		out := *d
		out.Args, out.Names = matched(own, d), nil
		return &out
	}
	if d.Names == nil && !spelt(name) {
		return d
	}
	var known []string
	for _, s := range spellings {
		if s.name != name {
			continue
		}
		if !matches(s.params, d) {
			known = append(known, name+"("+strings.Join(s.params, ", ")+")")
			continue
		}
		return c.instead(d, s)
	}
	if own := ownParams(name); own != nil {
		known = append([]string{name + "(" + strings.Join(own, ", ") + ")"}, known...)
	}
	if known == nil {
		return d // unknown, which is reported where its name is looked up
	}
	if d.Names == nil {
		c.fail(d.Pos, "Correct the parameters: commas stand between them, and decimals have a point.", "%s takes %s, not %d", d.Name, known[0], len(d.Args))
	}
	c.fail(d.Pos, "It is one of "+wording.Few(slices.Compact(known), 8)+".", "%s has no such parameters", d.String())
	return nil
}

// matches tells whether a call's arguments fill parameters: each name is one of
// them, and those without names are as many as are left.
func matches(params []string, d *DistCall) bool {
	if len(params) != len(d.Args) {
		return false
	}
	seen := map[string]bool{}
	for _, n := range d.Names {
		if n != "" && (seen[n] || !slices.Contains(params, n)) {
			return false
		}
		seen[n] = true
	}
	return true
}

// matched is the arguments in the order of the parameters.
func matched(params []string, d *DistCall) []Expr {
	out := make([]Expr, len(params))
	for i, n := range d.Names {
		if n != "" {
			out[slices.Index(params, n)] = d.Args[i]
		}
	}
	next := 0
	for i, e := range d.Args {
		if d.Names != nil && d.Names[i] != "" {
			continue
		}
		for out[next] != nil {
			next++
		}
		out[next] = e
	}
	return out
}

// instead is what a spelling means, at the place of a call.
func (c *compiler) instead(d *DistCall, s spelling) *DistCall {
	p, err := Parse("", "model { x ~ "+s.means+" }")
	if err != nil {
		panic(err) // the table is wrong
	}
	out := p.Model.Stmts[0].(*Relation).Dist
	values := map[string]Expr{}
	for i, e := range matched(s.params, d) {
		values[s.params[i]] = e
	}
	values["variance"] = values["var"] // var is a keyword
	for i, e := range out.Args {
		out.Args[i] = substitute(e, values, d.Pos)
	}
	out.Pos = d.Pos
	if t := out.Trunc; t != nil {
		t.Lo, t.Pos = substitute(t.Lo, nil, d.Pos), d.Pos
		if u := d.Trunc; u != nil {
			c.fail(u.Pos, "Write dflat() with both bounds.", "%s is bounded already", d.Name)
		}
	}
	if d.Trunc != nil {
		out.Trunc = d.Trunc
	}
	return out
}

// substitute puts expressions in the place of names, and all else at one place.
func substitute(e Expr, values map[string]Expr, pos Pos) Expr {
	list := func(es []Expr) []Expr {
		out := make([]Expr, len(es))
		for i, e := range es {
			if e != nil {
				out[i] = substitute(e, values, pos)
			}
		}
		return out
	}
	switch e := e.(type) {
	case *Number:
		return &Number{e.Value, e.Text, pos}
	case *VarRef:
		if v, ok := values[e.Name]; ok && !e.HasIndex {
			return v
		}
		return &VarRef{Name: e.Name, Index: list(e.Index), HasIndex: e.HasIndex, Pos: pos}
	case *Call:
		return &Call{Func: e.Func, Args: list(e.Args), Pos: pos}
	case *Binary:
		return &Binary{Op: e.Op, L: substitute(e.L, values, pos), R: substitute(e.R, values, pos), Pos: pos}
	case *Unary:
		return &Unary{Op: e.Op, X: substitute(e.X, values, pos), Pos: pos}
	}
	return e
}
