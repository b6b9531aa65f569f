package jagsscript

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/dic"
)

// With n = 10 normal data of precision 1 whose mean is 0, and a flat prior, μ is N(0, v), v = 1/10, and draws are independent. For the fifth, which is 0, and μ, μ′ of two chains:
// pD = E (μ − μ′)²/2 = v; popt is 2 · 1/9, as μ without it is N(0, 1/9); the deviance is log 2π + v and WAIC's part Var μ²/2 = v²/2. Each bound is 5.5 standard errors
// (false alarms 4e-8): those of χ² for pD, √2 v, with draws √(2v² + v/10); of popt 2 · 0.178, by the second moment of its weights; of the deviance √2 v; of a
// variance of χ² √14 v²/2. T(,) far out changes nothing but that divergences are estimated.
func TestNodes(t *testing.T) {
	const v, n = 0.1, 8000.0
	for _, bounds := range []string{"", " T(-1000, 1000)"} {
		s, _ := session(t)
		if err := os.WriteFile(s.path("m.bug"), []byte("model { for (i in 1:10) { y[i] ~ dnorm(mu, 1)"+bounds+" }; mu ~ dnorm(0, 1.0E-8) }"), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(s.path("d.R"), []byte("y <- c(-4,-3,-2,-1,0,0,1,2,3,4)"), 0o666); err != nil {
			t.Fatal(err)
		}
		err := s.script("model in m.bug; data in d.R; compile, nchains(2); initialize; load dic; update 1000\nmonitor pD, type(mean); monitor popt, type(mean); monitor deviance, type(mean)\n" +
			"monitor WAIC, type(mean); monitor pD; monitor deviance, thin(10)\nupdate " + fmt.Sprint(n) + "\ncoda *")
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(read(t, s, "CODAtable0.txt"), "\n")
		draw := 0.0
		if bounds != "" {
			draw = v / dic.Replicates
		}
		for k, want := range []struct{ value, error float64 }{
			{v, math.Sqrt(2*v*v+draw) / math.Sqrt(n)}, {2.0 / 9, 2 * math.Sqrt(0.0318+draw) / math.Sqrt(n)},
			{math.Log(2*math.Pi) + v, math.Sqrt2 * v / math.Sqrt(2*n)}, {v * v / 2, v * v / 2 * math.Sqrt(14/(2*n))},
		} {
			name, number, _ := strings.Cut(lines[10*k+4], " ")
			x, err := strconv.ParseFloat(number, 64)
			if name != "y[5]" || err != nil || !(math.Abs(x-want.value) < 5.5*want.error) {
				t.Errorf("%d%s: %s, not y[5] %v ± %v", k, bounds, lines[10*k+4], want.value, want.error)
			}
		}
		if got := read(t, s, "CODAindex0.txt"); got != "pD 1 8000\n" {
			t.Errorf("index of pD: %s", got)
		}
		if got := read(t, s, "CODAindex.txt"); got != "deviance 1 800\n" {
			t.Errorf("index: %s", got)
		}
	}
}
