package bugs

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/model"
)

// compileText compiles a program with data in R's format.
func compileText(t *testing.T, program, data string) (*Compiled, error) {
	t.Helper()
	p, err := Parse("m.bug", program)
	if err != nil {
		t.Fatal(err)
	}
	d, err := ReadData("d.R", []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	return Compile(p, d, rand.New(rand.NewPCG(1, 2)))
}

// refused checks that a program is refused with words that have all of said.
func refused(t *testing.T, program, data string, said ...string) {
	t.Helper()
	c, err := compileText(t, program, data)
	if err == nil {
		t.Errorf("%s: no error; nodes %v", program, c.Model.Arrays)
		return
	}
	placed(t, err)
	for _, s := range said {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("%s: %q is not in\n%v", program, s, err)
		}
	}
}

// <- from data alone beside ~ makes observations, whichever stands first. The
// log density is that of a standard normal at each observation.
func TestTransformedData(t *testing.T) {
	normal := func(x ...float64) (sum float64) {
		for _, v := range x {
			sum -= v*v/2 + math.Log(2*math.Pi)/2
		}
		return sum
	}
	log2, log3 := math.Log(2), math.Log(3)
	const y, mu, R = "y <- c(1, 2, 3)\n", "mu <- c(0, 0, 0)\n", "R <- structure(c(1,0,0,0,1,0,0,0,1), .Dim = c(3,3))\n"
	for _, c := range []struct {
		program, data string
		observed      int // stochastic rows
		want          float64
	}{
		{"for (i in 1:3) { z[i] <- log(y[i])\nz[i] ~ dnorm(0, 1) }", y, 3, normal(0, log2, log3)},
		{"for (i in 1:3) { z[i] ~ dnorm(0, 1)\nz[i] <- log(y[i]) }", y, 3, normal(0, log2, log3)},
		{"for (i in 1:3) { z[i] <- log(y[i]) }\nfor (i in 1:3) { z[i] ~ dnorm(0, 1) }", y, 3, normal(0, log2, log3)},
		{"for (i in 1:3) { z[i] ~ dnorm(0, 1) }\nfor (i in 1:3) { log(w[i]) <- y[i] }\nfor (i in 1:3) { z[i] <- log(w[i]) }", y, 3, normal(1, 2, 3)},
		{"for (i in 1:2) { z[i] <- log(y[i]) }\nfor (i in 1:3) { z[i] ~ dnorm(0, 1) }", y, 2, normal(0, log2)}, // z[3] is sampled
		{"for (i in 1:3) { z[i] ~ dnorm(0, 1) }\nz[2] <- y[2]", "y <- c(1, 2, 3)\nz <- c(5, NA, NA)", 2, normal(5, 2)},
		{"x[1:3] <- y[1:3]\nx[1:3] ~ dmnorm(mu[], R[,])", y + mu + R, 1, normal(1, 2, 3)},
		{"x[1:3] ~ dmnorm(mu[], R[,])\nfor (i in 1:3) { x[i] <- y[4 - i] }", y + mu + R, 1, normal(1, 2, 3)},
		{"x[1:3] ~ dmnorm(mu[], R[,])\nx[1:3] <- sort(y[])", y + mu + R, 1, normal(1, 2, 3)},
		{"for (i in 1:3) { m[i] <- z[i] * 2\nz[i] <- y[i]\nz[i] ~ dnorm(0, 1)\nm[i] ~ dnorm(0, 1) }", y, 6, normal(1, 2, 3, 2, 4, 6)},
		{"zero <- 0\nzero ~ dpois(3)", "", 1, -3},
		{"zero ~ dpois(3)\nzero <- 0", "", 1, -3},
		{"zero <- 0\nzero ~ dpois(3)", "zero <- 0", 1, -3},
		{"for (i in 1:2) { one[i] <- 1\none[i] ~ dbern(p[i]) }", "p <- c(0.5, 0.25)", 2, math.Log(0.125)},
	} {
		got, err := compileText(t, "model {"+c.program+"}", c.data)
		if err != nil {
			t.Errorf("%s: %v", c.program, err)
			continue
		}
		rows := got.Model.ObservedRows()
		if n := model.Count(rows); n != c.observed {
			t.Errorf("%s: %d rows are observed, not %d", c.program, n, c.observed)
		}
		if lp := got.Model.NewState().LogProb(rows); math.Abs(lp-c.want) > 1e-12 {
			t.Errorf("%s: log density %v, not %v", c.program, lp, c.want)
		}
	}
}

// Other second definitions are refused, in both orders, and so are cycles
// through observed nodes.
func TestRefusedDefinitions(t *testing.T) {
	const two = "attempt to redefine node "
	for _, c := range []struct{ first, second, node string }{
		{"b[1] <- 0", "for (k in 1:3) { b[k] ~ dnorm(m, 1) }", "b[1]"},
		{"for (j in 1:2) { b[j,1] <- 0 }", "for (j in 1:2) { for (k in 1:3) { b[j,k] ~ dnorm(m, 1) } }", "b[1,1]"},
		{"c0 <- 0 b[1] <- c0", "for (k in 1:3) { b[k] ~ dnorm(m, 1) }", "b[1]"},
		{"x <- m + 1", "x ~ dnorm(m, 1)", "x"},
		{"x ~ dinterval(m, 1)", "x ~ dnorm(m, 1)", "x"},
		{"x <- m", "x ~ dinterval(m, 1)", "x"},
		{"x <- 1", "x <- 1", "x"},
		{"x[1:2] <- y[1:2]", "x[2:3] <- y[2:3]", "x[2]"},
	} {
		refused(t, "model { m ~ dnorm(0, 1)\n"+c.first+"\n"+c.second+" }", "y <- c(1, 2, 3)", "m.bug:3:", two+c.node, "line 2")
		refused(t, "model { m ~ dnorm(0, 1)\n"+c.second+"\n"+c.first+" }", "y <- c(1, 2, 3)", "m.bug:3:", two+c.node, "line 2")
	}
	refused(t, "model { for (i in 1:3) { z[i] <- log(y[i])\n z[i] ~ dnorm(0, 1) } }", "y <- c(1, NA, 3)", "y[2] is NA in the data")
	refused(t, "model { x[1:2] <- y[1:2]\n x[1:3] ~ ddirch(y[]) }", "y <- c(1, 2, 3)\nR <- structure(c(1,0,0,0,1,0,0,0,1), .Dim = c(3,3))", "partly observed")
	for _, program := range []string{
		"for (i in 1:3) { y[i] ~ dnorm(a + y[i], 1) }",
		"for (i in 1:3) { y[i] ~ dnorm(m[i], 1)\nm[i] <- 2 * y[i] + a }",
		"for (i in 1:3) { m[i] <- 2 * y[i]\ny[i] ~ dnorm(m[i], 1) }",
		"for (i in 1:2) { y[i] ~ dnorm(y[i + 1], 1) }\ny[3] ~ dnorm(y[k], 1)\nk <- 1",
		"for (i in 1:3) { y[i] ~ dnorm(b, 1) }\nb ~ dnorm(mean(y[]), 1)",
		"for (i in 1:3) { y[i] ~ dnorm(0, 1) T(, y[i] + 1) }",
		"for (i in 1:3) { z[i] <- y[i]\nz[i] ~ dnorm(z[i], 1) }",
		"for (i in 1:3) { y[i] ~ dnorm(y[k], 1) }\nk ~ dcat(p[])\n",
		"y[1:3] ~ dmnorm(y[1:3], R[,])",
	} {
		refused(t, "model { a ~ dnorm(0, 1)\n"+program+" }", "y <- c(1, 2, 3)\np <- c(1, 0, 0)\nR <- structure(c(1,0,0,0,1,0,0,0,1), .Dim = c(3,3))", "possible directed cycle involving ")
	}
	for _, program := range []string{
		"for (i in 2:3) { y[i] ~ dnorm(y[i - 1], 1) }",
		"for (i in 2:3) { y[i] ~ dnorm(y[p[i]], 1)\np[i] <- i - 1 }",
		"for (i in 2:3) { y[i] ~ dnorm(mean(y[1:(i - 1)]), 1) }",
		"for (i in 1:3) { y[i] ~ dnorm(length(y[]) + dim(y), 1) }",
		"y[1] ~ dnorm(y[2], 1)\ny[2] ~ dnorm(y[3], 1)\ny[3] ~ dnorm(0, 1)",
		"for (i in 1:3) { y[i] ~ dnorm(a, 1)\nr[i] <- y[i] - mean(y[]) }",
	} {
		if _, err := compileText(t, "model { a ~ dnorm(0, 1)\n"+program+" }", "y <- c(1, 2, 3)"); err != nil {
			t.Errorf("%s: %v", program, err)
		}
	}
}

// A dinterval without data is computed before what reads it, wherever it
// stands.
func TestUnobservedInterval(t *testing.T) {
	c, err := compileText(t, "model { m <- 2 * z\nz ~ dinterval(t, 1)\nt ~ dnorm(0, 1)\ny ~ dnorm(m, 1) }", "y <- 2")
	if err != nil {
		t.Fatal(err)
	}
	s := c.Model.NewState()
	at := func(name string) *float64 {
		a, _ := c.Model.Array(name)
		return &s.V[a.Base]
	}
	for _, x := range []float64{0.5, 1.5, -1, 3} {
		*at("t") = x
		s.RunAllLive()
		if z := map[bool]float64{true: 1}[x > 1]; *at("z") != z || *at("m") != 2*z {
			t.Errorf("t = %v: z = %v, m = %v", x, *at("z"), *at("m"))
		}
	}
}

// Values of JAGS 4.3.1: round is ⌊x + ½⌋, dround takes halves to even numbers,
// equals has a tolerance of 16·2⁻⁵² and == none.
func TestRoundAndEquals(t *testing.T) {
	const ulp = "2.220446049250313e-16"
	for expr, want := range map[string]float64{
		"round(X-2.5)": -2, "round(X-3.5)": -3, "round(X-0.5)": 0, "round(X+0.5)": 1, "round(X+2.5)": 3, "round(X-2.6)": -3, "round(X+2.4)": 2,
		"dround(X+2.5, 0)": 2, "dround(X+0.125, 2)": 0.12, "dround(X+3.5, 0)": 4,
		"equals(X+0.25, 0.25 + 15 * " + ulp + ")": 1, "equals(X+0.25 - 15 * " + ulp + ", 0.25)": 1,
		"equals(X+0.25, 0.25 + 16 * " + ulp + ")": 0, "equals(X+0.1 + 0.2, 0.3)": 1, "equals(X+1, 2)": 0, "(X+0.1 + 0.2) == 0.3": 0,
	} {
		for _, program := range []string{strings.ReplaceAll(expr, "X", "0"), strings.ReplaceAll(expr, "X", "0 * m")} { // when compiled, and while sampling
			c, err := compileText(t, "model { m ~ dnorm(0, 1)\nx <- "+program+" }", "")
			if err != nil {
				t.Fatal(err)
			}
			s := c.Model.NewState()
			s.Simulate(rand.New(rand.NewPCG(1, 2)))
			a, _ := c.Model.Array("x")
			if got := s.V[a.Base]; got != want {
				t.Errorf("%s is %v, not %v", program, got, want)
			}
		}
	}
}

// rep says which number of times is wrong, where it was and for which counter.
func TestRepTimes(t *testing.T) {
	for program, said := range map[string]string{
		"m <- sum(rep(y, -2))":   "m.bug:1:25: rep(y,-2) cannot repeat -2 times",
		"m <- 0 z <- rep(y, -2)": "rep(y,-2) cannot repeat -2 times",
		"m <- 0 for (i in 1:3) { s[i] <- sum(rep(y, 1 - i)) + 1 }": "cannot repeat -1 times: the number of times is 0 or more (at i = 2)",
		"m <- sum(rep(y, k)) k ~ dpois(3)":                         "rep wants a fixed number of times, not k",
	} {
		refused(t, "model { "+program+" y ~ dnorm(m, 1) }", "y <- 1", said)
	}
}

// Rows that differ in elements of a relation alone that gives all of them one value are equal: one is computed while sampling, whatever the others'
// names are. Elements with other values, or with data of their own, are not taken together.
func TestEqualRows(t *testing.T) {
	for program, want := range map[string]int{
		"z[i] <- 0":     1,
		"z[i] <- k + 1": 1,
		"z[i] <- i":     3,
		"z[i] <- x[i]":  3,
	} {
		c, err := compileText(t, "model { a ~ dnorm(0, 1)\nfor (i in 1:3) { "+program+"\nm[i] <- a * a + z[i]\ny[i] ~ dnorm(m[i], 1) } }",
			"y <- c(1, 2, 3)\nx <- c(5, 5, 5)\nk <- 2")
		if err != nil {
			t.Fatal(err)
		}
		live := 0
		for row := range int32(c.Model.Rows()) {
			if c.Model.Live(row) {
				live++
			}
		}
		if live != want {
			t.Errorf("%s: %d rows are computed, want %d", program, live, want)
		}
		s := c.Model.NewState()
		s.Simulate(rand.New(rand.NewPCG(1, 2)))
		m, _ := c.Model.Array("m")
		z, _ := c.Model.Array("z")
		a, _ := c.Model.Array("a")
		for i := range int32(3) {
			if got, want := s.V[m.Base+i], s.V[a.Base]*s.V[a.Base]+s.V[z.Base+i]; math.Abs(got-want) > 1e-12*want {
				t.Errorf("%s: m[%d] is %v, want %v", program, i+1, got, want)
			}
		}
	}
}

func TestVectorsInPartThatCannotBe(t *testing.T) {
	refused(t, "model { T ~ spatial.unipred(0, 1, 1, S[])\nfor (i in 1:2) { S[i] ~ dnorm(0, 1) } }", "", "Name a vector that has spatial.exp outside all loops")
	refused(t, "model { x[1:3] ~ ddirch(a[]) }", "x <- c(0.7, 0.6, NA); a <- c(1, 1, 1)", "add up to 1.2999999999999998, above 1")
	refused(t, "model { x[1:3] ~ dmulti(a[], 4) }", "x <- c(3, 2, NA); a <- c(1, 1, 1)", "add up to 5, above the number of trials 4")
	refused(t, "model { x[1:3] ~ dmulti(a[], n)\nn ~ dpois(4) }", "x <- c(3, NA, NA); a <- c(1, 1, 1)", "its number of trials n is not data")
	refused(t, "model { O[1:2,1:2] ~ dwish(R[,], 3) }", "O <- structure(c(1, NA, NA, NA), .Dim = c(2, 2)); R <- structure(c(1, 0, 0, 1), .Dim = c(2, 2))", "O[1:2,1:2] is partly observed", "set O[2,1] <- O[1,2]")
	refused(t, "model { x[1:3] ~ ddirch(a[]) }", "x <- c(0.7, NA, NA); a <- c(1, 1)", "x[1:3] has 3 elements but ddirch gives 2")
}
