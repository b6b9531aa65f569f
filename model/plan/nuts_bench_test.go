package plan_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/internal/cputime"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// BenchmarkTrajectories is a step of nuts over all nodes, per gradient, sampler included: on eight schools, on a hierarchy of 85 groups and 919 rows, and on rats.
func BenchmarkTrajectories(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 4))
	var g, x, y []string
	for i := range 919 {
		g, x, y = append(g, fmt.Sprint(1+i*85/919)), append(x, fmt.Sprint(r.IntN(2))), append(y, fmt.Sprintf("%.3f", r.NormFloat64()))
	}
	list := func(v []string) string { return "c(" + strings.Join(v, ",") + ")" }
	radon := fmt.Sprintf("g <- %s; x <- %s; y <- %s", list(g), list(x), list(y))
	for _, m := range [][3]string{
		{"schools", `model { mu ~ dnorm(0, 0.04); tau ~ dt(0, 0.04, 1) T(0,); for (j in 1:8) { z[j] ~ dnorm(0, 1); theta[j] <- mu + tau*z[j]; prec[j] <- pow(sigma[j], -2); y[j] ~ dnorm(theta[j], prec[j]) } }`,
			"y <- c(28,8,-3,7,-1,1,18,12); sigma <- c(15,10,16,11,9,11,10,18)"},
		{"radon", `model { ma ~ dnorm(0, 0.01); b ~ dnorm(0, 0.01); sa ~ dnorm(0, 1) T(0,); sy ~ dnorm(0, 1) T(0,); for (j in 1:85) { z[j] ~ dnorm(0, 1); a[j] <- ma + sa*z[j] }
			for (i in 1:919) { mu[i] <- a[g[i]] + b*x[i]; y[i] ~ dnorm(mu[i], tau) } tau <- pow(sy, -2) }`, radon},
		{"rats", "", ""},
	} {
		b.Run(m[0], func(b *testing.B) { benchmarkTrajectories(b, m[1], m[2]) })
	}
}

func benchmarkTrajectories(b *testing.B, text, data string) {
	if text == "" {
		d := os.Getenv("ERGODIC_SHARED")
		if d == "" {
			d = "../../../shared"
		}
		src, err := os.ReadFile(filepath.Join(d, "bugs/classic/rats/rats.bug"))
		if err != nil {
			b.Skip("the test material in ../shared is missing; ERGODIC_SHARED may name another place")
		}
		all, err := os.ReadFile(filepath.Join(d, "bugs/classic/rats/rats-data.R"))
		if err != nil {
			b.Fatal(err)
		}
		text, data = string(src), string(all)
	}
	prog, err := bugs.Parse("test.bug", text)
	if err != nil {
		b.Fatal(err)
	}
	all, err := bugs.ReadData("data.R", []byte(data))
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	c, err := bugs.Compile(prog, all, r)
	if err != nil {
		b.Fatal(err)
	}
	p, err := plan.New(c.Model, []*plan.Override{{Pattern: "*", Kernel: "nuts", Match: func(string) bool { return true }}})
	if err != nil {
		b.Fatal(err)
	}
	s, err := p.Start(nil, r)
	if err != nil {
		b.Fatal(err)
	}
	w := p.Sweep()
	for i := range 600 {
		w.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: 600})
	}
	w.Freeze()
	b.ReportAllocs()
	gradients, start := 0, cputime.Process()
	for b.Loop() {
		gradients += w.Step(s, r).Evals
	}
	b.ReportMetric(1e9*(cputime.Process()-start)/float64(gradients), "cpu-ns/gradient")
	b.ReportMetric(float64(gradients)/float64(b.N), "gradients/op")
}
