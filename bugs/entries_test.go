package bugs_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// entries are the names of the language, by where they come from. A name is covered by the first case whose program has it; what is no name
// has a case of its own in statements.
var entries = []struct{ of, names string }{
	{"distributions of JAGS", "dbern dbeta dbin dbinom dcat dchisqr dchisq ddexp ddirch ddirich dexp df dgamma dgen.gamma dggamma dhyper dinterval dlnorm dlogis dmnorm dmnorm.vcov dmt dmulti dmultinom " +
		"dnchisqr dnchisq dnegbin dnbinom dnorm dnt dpar dpois drw1 dround dsample dsum sum dt dunif dweib dweibull dwish dordered.logit dordered.probit dscaled.gamma dscaled.wishart dnormmix dbetabin " +
		"dbetabinom dpick dmstate dgampois dcut"},
	{"distributions of OpenBUGS and NIMBLE", "dflat dhalfflat dloglik dgeom dgeom0 dgev dgpar dtrapez car.normal car.proper car.l1 mv.car spatial.exp spatial.pred spatial.unipred dstable dpolygamma dcar_normal dcar_proper dCRP " +
		"dexp_nimble dinvgamma dinvwish dt_nonstandard dmvt dlkj_corr dlkj_corr_cholesky dconstraint"},
	{"functions of JAGS", "log exp logit ilogit probit phi cloglog icloglog abs arccos acos arccosh acosh arcsin asin arcsinh asinh arctan atan arctanh atanh cos cosh sin sinh tan tanh equals ifelse logfact loggam pow " +
		"round sqrt step trunc inprod interp.lin logdet max mean min prod sd c inverse order rank rep sort t mexp length dim"},
	{"densities, distribution functions and quantiles", "dbern pbern qbern dbeta pbeta qbeta dbin pbin qbin dchisqr pchisqr qchisqr ddexp pdexp qdexp dexp pexp qexp df pf qf dgamma pgamma qgamma dgen.gamma pgen.gamma qgen.gamma " +
		"dhyper phyper qhyper dlogis plogis qlogis dlnorm plnorm qlnorm dnegbin pnegbin qnegbin dnchisqr pnchisqr qnchisqr dnorm pnorm qnorm dnt pnt qnt dpar ppar qpar dpois ppois qpois dt pt qt dweib pweib qweib " +
		"logdensity.bern logdensity.beta logdensity.bin logdensity.cat logdensity.chisqr logdensity.dexp logdensity.dirch logdensity.exp logdensity.f logdensity.gamma logdensity.gen.gamma logdensity.hyper logdensity.lnorm " +
		"logdensity.logis logdensity.mnorm logdensity.mnorm.vcov logdensity.mt logdensity.multi logdensity.nchisqr logdensity.negbin logdensity.norm logdensity.nt logdensity.par logdensity.pois logdensity.t logdensity.unif " +
		"logdensity.weib logdensity.wish logdensity.betabin"},
	{"functions of OpenBUGS and NIMBLE", "cut ranked rank inprod2 density cumulative post.p.value replicate.post deviance min.bound max.bound carMinBound carMaxBound expit iprobit lgamma lfactorial nimStep ode integral solution"},
	{"what JAGS has not", "cumsum var log1p expm1 mod which nchar det eigen svd inv.logit besselI besselJ besselK besselY"},
	{"operators", "+ - * / ^ ** == != < <= > >= && || ! %*% :"},
	{"names of parameters", "sd var scale mean rate shape size prob cov df"},
	{"statements", "target += if else for model data var function T I C <- = ~"},
}

// cases are the programs of the suite by name.
func cases() (names []string, texts map[string]string) {
	texts = map[string]string{}
	add := func(name, text string) {
		if texts[name] == "" {
			names = append(names, name)
		}
		texts[name] += text + "\n"
	}
	for _, c := range distributions {
		add(c.name, c.program)
	}
	for _, expr := range slices.Sorted(maps.Keys(values)) {
		add("value of "+expr, expr)
	}
	for _, c := range sampled {
		add(c.name, c.program)
	}
	for _, c := range statements {
		add(c.name, c.program)
	}
	for _, d := range densities {
		add("functions of d"+d.name, strings.Join(densityCalls(d.name, d.x, d.params, d.has), "; "))
	}
	for _, c := range alike {
		add(c.name, c.program)
	}
	return names, texts
}

// isUsed finds a name as a word, or an operator, in a program.
func isUsed(name string) func(text string) bool {
	pattern := regexp.QuoteMeta(name)
	if regexp.MustCompile(`^[a-zA-Z]`).MatchString(name) {
		pattern = `(?:^|[^A-Za-z0-9._])` + pattern + `(?:$|[^A-Za-z0-9._])`
	}
	return regexp.MustCompile(pattern).MatchString
}

// Every entry of the language has a case; testdata/language.txt says which.
func TestLanguageIsWhole(t *testing.T) {
	names, texts := cases()
	var list strings.Builder
	for _, group := range entries {
		fmt.Fprintf(&list, "%s:\n", group.of)
		for entry := range strings.FieldsSeq(group.names) {
			used := isUsed(entry)
			k := slices.IndexFunc(names, func(n string) bool { return n == entry || used(texts[n]) && (n != "aliases" || texts[entry] == "") })
			for _, own := range []string{"loop over a range", "=", "semicolons", "precedence", "logical values", "value of 2 - 3 - 4", "value of 7 / 2 * 3", "value of M %*% v", "value of 1:2 + 1", entry} { // the last that has it
				if at := slices.Index(names, own); at >= 0 && (own == entry || used(texts[own]) && group.of != "names of parameters") {
					k = at
				}
			}
			if k < 0 {
				t.Errorf("%s of %s has no case", entry, group.of)
				continue
			}
			fmt.Fprintf(&list, "\t%s: %s\n", entry, names[k])
		}
	}
	list.WriteString("constructs:\n")
	for _, c := range statements {
		fmt.Fprintf(&list, "\t%s\n", c.name)
	}
	const path = "testdata/language.txt"
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile(path, []byte(list.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if is, err := os.ReadFile(path); err != nil || string(is) != list.String() {
		t.Errorf("%s is not what the cases give: -update writes it anew (%v)", path, err)
	}
}

// What the description of JAGS's language names is among the entries.
func TestEntriesAreThoseOfJAGS(t *testing.T) {
	folder := os.Getenv("ERGODIC_SHARED")
	if folder == "" {
		folder = "../../shared"
	}
	text, err := os.ReadFile(filepath.Join(folder, "bugs", "LANGUAGE.md"))
	if err != nil {
		t.Skip(err)
	}
	known := map[string]bool{}
	for _, group := range entries {
		for entry := range strings.FieldsSeq(group.names) {
			known[entry] = true
		}
	}
	_, rest, _ := strings.Cut(string(text), "## 4. Distributions")
	distributionsText, rest, _ := strings.Cut(rest, "## 5. Functions")
	functionsText, _, _ := strings.Cut(rest, "## 6.")
	name := regexp.MustCompile(`\b[a-z][A-Za-z0-9]*(?:[._][a-z]+)*`)
	for line := range strings.Lines(distributionsText) {
		cell := strings.Split(line+"||", "|")[1]
		if strings.HasPrefix(line, "OpenBUGS/NIMBLE ones") {
			cell = strings.TrimPrefix(line, "OpenBUGS/NIMBLE ones JAGS lacks")
		}
		for _, n := range name.FindAllString(cell, -1) {
			if strings.HasPrefix(n, "d") && !known[n] {
				t.Errorf("%s is no entry", n)
			}
		}
	}
	apart := " p.d v half away from symmetric only else parent values variadic on vectors ok general msm unary functions gamma derivatives function x and names base infix link inverse scalar reductions vector matrix kind d foo general functions not in "
	for _, n := range name.FindAllString(functionsText, -1) {
		if !known[n] && !strings.Contains(apart, " "+n+" ") {
			t.Errorf("%s is no entry", n)
		}
	}
}
