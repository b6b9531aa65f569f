package plan_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// Counts in chains of three by 40 sites hold one another; those that only their rate ties do not, nor do fewer than a hundred.
func TestTiedCounts(t *testing.T) {
	const program = `model { l ~ dgamma(2, 1); for (i in 1:n) { N[i,1] ~ dpois(l); for (t in 2:3) { N[i,t] ~ dpois(0.5 * N[i,t-1] + l) } y[i] ~ dpois(N[i,3] + 0.1); m[i] ~ dpois(l); w[i] ~ dpois(m[i] + 1) }
		for (i in 1:n) { y[n+i] ~ dpois(N[i,1] + N[i,2] + 1) } }`
	for _, c := range []struct {
		n, want int
	}{{40, 120}, {30, 0}} {
		data := "n <- " + strconv.Itoa(c.n) + "; y <- c(" + strings.TrimSuffix(strings.Repeat("1,", 2*c.n), ",") + "); w <- c(" + strings.TrimSuffix(strings.Repeat("1,", c.n), ",") + ")"
		m := compileText(t, program, data).Model
		p, err := plan.New(m, nil)
		if err != nil {
			t.Fatal(err)
		}
		arrays, count := p.Tied()
		if count != c.want || count > 0 && !slices.Equal(arrays, []string{"N"}) {
			t.Errorf("%d sites: %d nodes of %v, want %d of N", c.n, count, arrays, c.want)
		}
	}
}
