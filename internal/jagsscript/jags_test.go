package jagsscript

import (
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/dic"
)

var soak = flag.Int("soak", 0, "thousands of iterations in the comparison of scripts with the program jags")

const pumps = `model {
  for (i in 1:N) { theta[i] ~ dgamma(alpha, beta); lambda[i] <- theta[i] * t[i]; x[i] ~ dpois(lambda[i]) }
  for (i in 1:3) { z[i] ~ dnorm(mu, tau); k[i] ~ dbin(p, 12); u[i] ~ dgamma(alpha, 1) }
  alpha ~ dexp(1)
  beta ~ dgamma(2, 1.0)
  mu ~ dnorm(0, 0.01)
  tau ~ dgamma(3, 2)
  p ~ dbeta(1, 1)
}`

// The tables of observed nodes are those of JAGS: means over 8 seeds, in 10 standard errors by Student's t with 7 degrees of freedom at the least: a false alarm
// of 2e-5 each where one of the variances dominates, 1e-7 where they are equal. The penalties of one seed vary by far more than programs that differ would.
func TestNodesAsJAGS(t *testing.T) {
	if *soak == 0 {
		t.Skip("compares with the program jags: -soak 20")
	}
	if _, err := exec.LookPath("jags"); err != nil {
		t.Skip("jags is not installed")
	}
	const seeds = 8
	ours, theirs := map[string]*dic.Moments{}, map[string]*dic.Moments{}
	for seed := 1; seed <= seeds; seed++ {
		s, _ := session(t)
		s.Seed = uint64(seed)
		files := map[string]string{"m.bug": pumps, "d.R": "N <- 4\nt <- c(94.3,15.7,62.9,1)\nx <- c(5,1,5,4)\nz <- c(0.5,-1,2)\nk <- c(3,6,5)\nu <- c(0.5,1,2.5)\n"}
		for c := 1; c <= 2; c++ {
			files[fmt.Sprintf("i%d.R", c)] = fmt.Sprintf(".RNG.name <- \"base::Mersenne-Twister\"\n.RNG.seed <- %d\n", 10*seed+c)
		}
		script := "load dic\nmodel in m.bug\ndata in d.R\ncompile, nchains(2)\nparameters in i1.R, chain(1)\nparameters in i2.R, chain(2)\ninitialize\nupdate 2000\n" +
			"monitor pD, type(mean)\nmonitor popt, type(mean)\nmonitor deviance, type(mean)\nmonitor WAIC, type(mean)\n" + fmt.Sprintf("update %d\ncoda *, stem(jags)\n", 1000**soak)
		files["jags.cmd"] = script
		for name, text := range files {
			if err := os.WriteFile(s.path(name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		jags := exec.Command("jags", "jags.cmd")
		jags.Dir = s.dir
		if out, err := jags.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if err := s.script(strings.ReplaceAll(script, "stem(jags)", "stem(own)")); err != nil {
			t.Fatal(err)
		}
		addTable(t, read(t, s, "owntable0.txt"), ours)
		addTable(t, read(t, s, "jagstable0.txt"), theirs)
	}
	if len(ours) != 4*13 || len(theirs) != len(ours) {
		t.Fatalf("%d numbers, in jags %d", len(ours), len(theirs))
	}
	for name, a := range ours {
		b := theirs[name]
		if b == nil {
			t.Fatalf("jags has no %s", name)
		}
		se := math.Sqrt((a.Variance() + b.Variance()) / seeds)
		t.Logf("%s %.5g, in jags %.5g, %.2g standard errors apart", name, a.Mean(), b.Mean(), (a.Mean()-b.Mean())/se)
		if !(math.Abs(a.Mean()-b.Mean()) < 10*se) {
			t.Errorf("%s is %v, in jags %v, with an error of %v", name, a.Mean(), b.Mean(), se)
		}
	}
}

// addTable adds the numbers of tables that follow each other, whose nodes each program has in an order of its own.
func addTable(t *testing.T, text string, to map[string]*dic.Moments) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for k, line := range lines {
		name, number, _ := strings.Cut(line, " ")
		x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil {
			t.Fatal(err)
		}
		name = [...]string{"pD", "popt", "deviance", "WAIC"}[4*k/len(lines)] + " of " + name
		if to[name] == nil {
			to[name] = new(dic.Moments)
		}
		to[name].Add(x)
	}
}
