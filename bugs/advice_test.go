package bugs

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/dist"
)

// What people write who come from elsewhere, and what they are told.
func TestAdvice(t *testing.T) {
	const data = "y <- 1\nx <- c(1, 2, 3)\nX <- structure(c(1, 2, 3, 4, 5, 6), .Dim = c(3, 2))"
	for program, said := range map[string]string{
		"m <- dnorm(0, 1)":           "m.bug:1:14: dnorm is a distribution, not a value|Write ~ instead of <-|dnorm(x, …)",
		"m <- 2 * dt(0, 1, 4)":       "dt is a distribution, not a value|Write ~",
		"m <- ddirch(x[])":           "ddirch is a distribution, not a value|Write ~",
		"m <- dnrm(0, 1)":            "unknown function: dnrm|Did you mean dnorm?",
		"m <- rgamma(1, 1, 1)":       "unknown function: rgamma|write x ~ dgamma(…)",
		"m <- dot_product(u, x)":     "unknown function: dot_product|Write inprod(a[], b[])",
		"m <- normal_lpdf(0, 1)":     "logdensity.norm(x, mu, tau)",
		"m <- frobnicate(0, 1)":      "unknown function: frobnicate|function name(x) <- expression",
		"m <- sum(x[-1])":            "subscript -1 = -1 of x[-1] is outside 1:3|sum(x[]) - x[i]",
		"m <- x[4]":                  "x has 3 elements in d.R",
		"m <- X[1,3]":                "X is 3×2, rows by columns, in d.R|exchanged",
		"m <- normal(0, 1)":          "unknown function: normal|A distribution stands after ~|dnorm(mean, 1 / sd^2)",
		"m <- y(2)":                  "unknown function: y|y is a variable: a product is written y * (…)",
		"m ~ normal(0, 1)":           "unknown distribution: normal|dnorm(mean, 1 / sd^2)",
		"m ~ inv_gamma(1, 1)":        "Write dinvgamma(shape, scale)",
		"m ~ dhalfcauchy(1)":         "dt(0, 1 / scale^2, 1) T(0,)",
		"m ~ dcauchy(0, 1)":          "dt(location, 1 / scale^2, 1)",
		"m ~ dpoisson(3)":            "dpois(mean)",
		"m ~ dmvnorm(u[], V[,])":     "unknown distribution: dmvnorm|dmnorm(mean[], Omega[,])",
		"m ~ dnrom(0, 1)":            "Did you mean dnorm?",
		"m ~ dnorm(0, 1) T(0, Inf)":  "unknown variable Inf|leave the side open, as in T(0,)",
		"m ~ dnorm(0, 1) T(-Inf, 0)": "unknown variable Inf|leave the side open",
		"m ~ dnorm(pi, 1)":           "unknown variable pi|3.14159",
		"m <- sum(x[1:4])":           "the range 1:4 of x[1:4] reaches 4, outside 1:3",
		"m <- sum(x[0:2])":           "the range 0:2 of x[0:2] reaches 0, outside 1:3",
		"m <- X[2]":                  "X has 2 dimensions but X[2] is used with 1 subscript|Its shape is 3×2|X[1,]",
	} {
		refused(t, "model { "+program+"\ny ~ dnorm(m, 1) }", data, strings.Split(said, "|")...)
	}
	word := regexp.MustCompile(`\bd[a-z]+\(`)
	for name, text := range idioms { // advise nothing that there is not
		for _, d := range word.FindAllString(text, -1) {
			if !knownDistribution(strings.TrimSuffix(d, "(")) {
				t.Errorf("%s: %s", name, text)
			}
		}
		if _, ok := dist.Lookup("d" + name); ok && name != "invgamma" && name != "norm" && name != "gamma" && name != "beta" && name != "unif" && name != "pois" && name != "bern" && name != "binom" && name != "nbinom" && name != "negbin" && name != "weibull" {
			t.Errorf("d%s is there", name)
		}
	}
	called := regexp.MustCompile(`\b[a-z][A-Za-z]*\(`)
	for name, text := range foreign {
		if lookupFunction(name) != nil && name != "gamma" && name != "beta" {
			t.Errorf("%s is there", name)
		}
		for _, f := range called.FindAllString(text, -1) {
			if f = strings.TrimSuffix(f, "("); lookupFunction(f) == nil && f != "logit" {
				t.Errorf("%s: %s: there is no %s", name, text, f)
			}
		}
	}
}

// Data under another name observe nothing, which is said.
func TestDataUnderAnotherName(t *testing.T) {
	c, err := compileText(t, "model { for (i in 1:3) { y[i] ~ dnorm(m, 1) }\nm ~ dnorm(0, 1) }", "Y <- c(1, 2, 3)")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"the data give Y, which the model does not use: did you mean y?", "nothing is observed: the draws are those of the prior"}
	if !slices.Equal(c.Warnings, want) {
		t.Errorf("%q", c.Warnings)
	}
	c, err = compileText(t, "model { y ~ dnorm(m, 1)\nm ~ dnorm(0, 1) }", "y <- 1\nzebra <- 2")
	if want := []string{"the data give zebra, which the model does not use"}; err != nil || !slices.Equal(c.Warnings, want) {
		t.Errorf("%v, %q", err, c.Warnings)
	}
}

// Data of a relation that no turn of a loop reaches are not used; what the loop's range takes is.
func TestDataOfAnEmptyLoop(t *testing.T) {
	c, err := compileText(t, "model { N <- -k\nfor (i in 1:N) { y[i] ~ dnorm(m * x[i], 1) }\nm ~ dnorm(0, 1) }", "y <- c(1, 2, 3)\nx <- c(1, 2, 3)\nk <- 2")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"the data give y, which the model does not use: no loop reaches its relation in line 2", "the data give x, which the model does not use",
		"nothing is observed: the draws are those of the prior"}
	if !slices.Equal(c.Warnings, want) {
		t.Errorf("%q", c.Warnings)
	}
	c, err = compileText(t, "var z[n];\nmodel { for (i in 1:n) { z[i] ~ dnorm(length(w), 1) } }", "n <- 2\nw <- c(1, 2)")
	if want := []string{"nothing is observed: the draws are those of the prior"}; err != nil || !slices.Equal(c.Warnings, want) {
		t.Errorf("%v, %q", err, c.Warnings)
	}
}

// A message shows 80 characters of what it complains of.
func TestMessagesAreShort(t *testing.T) {
	long := strings.Repeat("a", 5000)
	for _, program := range []string{
		long + " ~ dnorm(0, 1)\n" + long + " ~ dnorm(0, 1)",
		"m <- " + long, "m ~ d" + long + "(1)", "m <- " + long + "(1)", "m <- x[" + strings.Repeat("1+", 500) + "9]",
		"m ~ dnorm(" + strings.Repeat("1+", 500) + "x, 1)", "m[1] <- " + strings.Repeat("x[1]+", 500) + "X[1:2,1]", "m ~ dinvchisq(1) " + long + " <- 1",
	} {
		_, err := compileText(t, "model { "+program+" }", "x <- c(1, 2, 3)\nX <- structure(c(1, 2, 3, 4, 5, 6), .Dim = c(3, 2))")
		if err == nil || len(err.Error()) > 1000 {
			t.Errorf("%.100s: %v", program, err)
		}
	}
}
