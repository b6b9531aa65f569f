package bugs

import (
	"errors"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// smallLimits keep each input of the fuzzer cheap.
func smallLimits() limits {
	return limits{cells: 1 << 12, steps: 1 << 12, items: 1 << 10, work: 1 << 14, code: 1 << 14, nest: 1 << 10}
}

// compileSeeds are programs and data that touch all of the language.
func compileSeeds() [][2]string {
	return [][2]string{
		{"model { for (i in 1:n) { y[i] ~ dnorm(a + b * x[i], t) } a ~ dnorm(0, 1)\nb ~ dflat()\nt ~ dgamma(1, 1) }", "n <- 3\ny <- c(1,NA,3)\nx <- c(1,2,3)"},
		{"var z[2,2], n; data { for (i in 1:2) { n[i] <- i + 1 } } model { z[1:2,1:2] ~ dwish(R[,], 3)\ny[] ~ dmnorm(m[], z[,])\nfor (j in 1:2) { m[j] ~ dunif(-1, n[j]) } }", "R <- structure(c(1,0,0,1), .Dim = c(2,2))\ny <- c(0.1, 0.2)"},
		{"model { p[1:3] ~ ddirch(a[])\nfor (i in 1:4) { k[i] ~ dcat(p[])\nmu[i] <- m[k[i]]\ny[i] ~ dpois(mu[i]) }\nfor (j in 1:3) { log(m[j]) <- l[j]\nl[j] ~ dt(0, 1, 4) T(-1, 2) } }", "a <- c(1,1,1)\ny <- c(0,1,2,3)"},
		{"model { x[1] ~ dbern(0.5)\nfor (t in 2:4) { x[t] ~ dbin(ifelse(x[t-1] == 1, 0.9, 0.2), 1) }\ny <- sum(x[]) + step(max(x[1:2]) - 0.5)\nz ~ dinterval(u, c[])\nu ~ dexp(2) }", "z <- 1\nc <- c(0.5, 1)"},
		{"model { A[1:2,1:2] <- inverse(B[,]) %*% t(B[1:2,])\ny ~ dnorm(A[1,2] + inprod(v[], v[]) - logdet(B[,]), 1)\nB[1,1] ~ dgamma(2,1)\nB[2,1] <- 0\nB[1,2] <- 0.5\nB[2,2] <- rep(2, length(v[]))[1]\nv[1:2] <- sort(w[])\nfor (i in 1:2) { w[i] ~ dlnorm(0, 1) } }", "y <- 1"},
		{"model { r ~ dmulti(q[], n)\nq[1:3] <- c(0.2, 0.3, 0.5)\ns[1:3] ~ dmulti(q[], n)\nh ~ dhyper(3, 4, 2, 1)\nb ~ dbeta(1, h + 1) I(0.1,)\nd ~ dnegbin(b, 2) }", "n <- 4\nr <- c(1,1,2)"},
		{"model { n[1] <- 2\nx[n[1]] <- a\nx[1] <- n[1]\nfor (i in 1:n[1]) { y[i] ~ dnorm(x[i], 1) }\na ~ dnorm(0, 1) }", "y <- c(1, 2)"},
		{"model { a ~ dpois(3)\nb ~ dpois(2)\ny ~ sum(a, b)\nfor (i in 1:2) { if (i > 1) { x[i] ~ dnorm(0, sd = a + 1) } else { x[i] ~ T(dexp(scale = 2), 0, 9) } }\nz ~ dround(x[1], 0)\nu ~ dnorm(x[2], 1) C(0,)\nw[1:2] ~ dmnorm(x[], S[,])", "y <- 4\nz <- 1\nw <- c(1,NA)\nS <- structure(c(2,0,0,1), .Dim=c(2,2))"},
		{"model { O[1:2,1:2] ~ dscaled.wishart(s[], 3)\nfor (i in 1:2) { v[(2*i-1):(2*i)] ~ dmnorm(m[], O[,])\nk[i] ~ dordered.logit(v[i], m[])\nq[i] ~ dnormmix(m[], s[], p[]) }\nf ~ dflat()\nzero <- 0\nzero ~ dloglik(-pow(f - v[1], 2))\nst ~ dmstate(1, 2, Q[,]) }", "s <- c(1,2)\nm <- c(-1,1)\np <- c(0.3,0.7)\nk <- c(1,3)\nq <- c(0,NA)\nQ <- structure(c(-1,1,1,-1), .Dim=c(2,2))"},
		{"model { y ~ dnorm(pow(a, 2) ^ -1 / exp(b), abs(a) + 1)\na ~ ddexp(0, 1)\nb ~ dlogis(0, 1)\nc <- dnorm(a, 0, 1) + pnorm(b, 0, 1) + qnorm(0.3, a, 1) + interp.lin(a, x[], v[]) }", "y <- 1\nx <- c(0,1,2)\nv <- c(1,4,9)"},
		{"model { a ~ dnorm(0, 1)\ny <- interp.lin(a, x, x) }", "x <- c()"},
	}
}

// FuzzCompile holds the compiler, the plan and the first steps of a chain to:
// no panic, no hang, and errors with a place in the program.
func FuzzCompile(f *testing.F) {
	for _, s := range compileSeeds() {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, program, values string) {
		if len(program) < 2000 && len(values) < 1000 {
			compileAndStep(t, program, values)
		}
	})
}

// TestCompileMutants does what FuzzCompile does on programs whose tokens have
// been replaced, removed, repeated and swapped, which gets deeper than bytes
// do. The mutants are the same in every run.
func TestCompileMutants(t *testing.T) {
	n := 20000
	if testing.Short() {
		n = 300
	}
	r := rand.New(rand.NewPCG(3, 4))
	token := regexp.MustCompile(`[A-Za-z][A-Za-z.0-9]*|[0-9.]+|<-|%\*%|==|\s+|.`)
	var programs, data [][]string
	var words []string
	for _, s := range compileSeeds() {
		programs, data = append(programs, token.FindAllString(s[0], -1)), append(data, token.FindAllString(s[1], -1))
		words = append(words, programs[len(programs)-1]...)
	}
	words = append(words, "0", "-1", "1e9", "0.5", "NA", "[", "]", ",", ":", "[,]", "[1:2]", "for (q in 1:3) {", "}", "T(0,1)", "cloglog(", "mexp(", "cut(", "dsum(", "C(0, 1)", "I(, 1)", "dround(", "dflat()", "dloglik(", "dordered.logit(", "dscaled.wishart(", "dnormmix(", "dmstate(", "if (q > 1) {", "else {", "sd = ", "scale = ", "T(dnorm(0, 1), 0, )", "dmt(", "dgen.gamma(", "round(")
	for range n {
		k := r.IntN(len(programs))
		program, values := slices.Clone(programs[k]), slices.Clone(data[k])
		for range 1 + r.IntN(4) {
			if r.IntN(6) == 0 {
				values = mutate(values, words, r)
			} else {
				program = mutate(program, words, r)
			}
		}
		text, nums := strings.Join(program, ""), strings.Join(values, "")
		began := time.Now()
		if !t.Run("", func(t *testing.T) { compileAndStep(t, text, nums) }) {
			t.Fatalf("%s\n\n%s", text, nums)
		}
		if d := time.Since(began); d > patience {
			t.Errorf("%v for\n%s\n\n%s", d, text, nums)
		}
	}
}

// patience is far more than a mutant needs, for the tests share processors.
const patience = 5 * time.Second

func mutate(x, words []string, r *rand.Rand) []string {
	if len(x) == 0 {
		return x
	}
	i, j := r.IntN(len(x)), r.IntN(len(x))
	switch r.IntN(12) {
	default: // one name or number for another
		w := words[r.IntN(len(words))]
		for k := range x {
			if k = (i + k) % len(x); wordy(x[k]) && wordy(w) {
				x[k] = w
				break
			}
		}
	case 0:
		x[i] = words[r.IntN(len(words))]
	case 1:
		x[i] = x[j]
	case 2:
		x[i], x[j] = x[j], x[i]
	case 3:
		return slices.Delete(x, i, i+1)
	case 4:
		n := min(1+r.IntN(8), len(x)-j)
		return slices.Insert(x, i, slices.Clone(x[j:j+n])...)
	}
	return x
}

func wordy(s string) bool {
	return s[0] >= '0' && s[0] <= '9' || s[0] >= 'A' && s[0] <= 'z' && s[0] != '[' && s[0] != ']'
}

func compileAndStep(t *testing.T, program, values string) {
	p, err := Parse("m.bug", program)
	if err != nil {
		return
	}
	d, err := ReadData("d", []byte(values))
	if err != nil {
		return
	}
	r := rand.New(rand.NewPCG(1, 2))
	c, err := compileWithin(smallLimits(), p, d, r)
	if err != nil {
		placed(t, err)
		return
	}
	pl, err := plan.New(c.Model, nil)
	if err != nil {
		placed(t, c.Explain(err))
		return
	}
	names, _ := c.DefaultMonitors()
	monitors, err := c.Monitors(names)
	if err != nil {
		t.Fatalf("the default monitors: %v", err)
	}
	j := &plan.Job{Plan: pl, Monitors: monitors, LogLik: true}
	s, err := j.Start(t.Context(), 0, r)
	if err != nil {
		placed(t, c.Explain(err))
		return
	}
	n := 0
	for _, v := range j.Variables() {
		n += v.Size()
	}
	draw := make([]float64, n)
	k := j.Kernel(0)
	for range 3 {
		k.Step(s, r)
		j.Record(s, r, draw)
	}
}

// placed checks that an error is no internal one and has its place.
func placed(t *testing.T, err error) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Pos.Line < 1 || strings.Contains(e.Msg, "bug in Ergodic") {
		t.Fatalf("%v", err)
	}
	if e.Hint == "" {
		t.Fatalf("an error without a way out: %v", err)
	}
}
