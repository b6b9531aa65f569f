package plan_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// chained are models whose continuous nodes, x…, move with discrete ones summed out. The nodes x have no bounds, so that no Jacobian comes in.
func chained() []conformance {
	return []conformance{
		{"hidden Markov chain", `model { for (k in 1:2) { x[k] ~ dnorm(k, 2) } x3 ~ dnorm(0, 1); for (k in 1:2) { P[k,1] <- ilogit(x3 + k); P[k,2] <- 1 - P[k,1] } z[1] ~ dcat(p[]); for (t in 2:4) { z[t] ~ dcat(P[z[t-1],]) } for (t in 1:4) { y[t] ~ dnorm(x[z[t]], exp(x3)) } }`,
			`p <- c(0.4,0.6); y <- c(0.3,1.5,-0.2,2)`, "nuts", "nuts"},
		{"capture histories", `model { x1 ~ dnorm(0, 1); x2 ~ dnorm(0, 1); for (i in 1:4) { z[i,1] <- 1; for (t in 2:4) { logit(phi[i,t]) <- x1; z[i,t] ~ dbern(phi[i,t] * z[i,t-1]); y[i,t] ~ dbern(ilogit(x2) * z[i,t]) } } }`,
			`y <- structure(c(1,1,1,1, 0,1,0,0, 0,0,1,0, 0,0,0,0), .Dim=c(4,4))`, "nuts", "nuts"},
		{"a parent of both and a continuous child", `model { x ~ dnorm(0, 1); z[1] ~ dbern(ilogit(x)); for (t in 2:3) { z[t] ~ dbern(ilogit(x * (1 + z[t-1]))) } for (t in 1:3) { xu[t] ~ dnorm(x + z[t], 2); y[t] ~ dpois(exp(xu[t] / 2)) } w ~ dnorm(x * x, 1) }`,
			`y <- c(1,0,3); w <- 0.5`, "nuts", "nuts"},
		{"a child of two nodes, and their coefficients", `model { for (k in 1:3) { x[k] ~ dnorm(0, 1) } a ~ dbern(0.4); b ~ dcat(p[]); m <- x[1] * a + x[2] * b * a; y ~ dt(m, exp(x[3]), 4) }`,
			`p <- c(0.5,0.3,0.2); y <- 1.3`, "nuts", "nuts"},
		{"truncated and lognormal children", `model { x ~ dnorm(0, 1); for (k in 1:2) { z[k] ~ dbern(0.3) } q <- z[1] + z[2]; y[1] ~ dnorm(x * q, 1) T(-1, 3 + x * x); y[2] ~ dlnorm(x - z[1], 2); y[3] ~ dgamma(1 + q, exp(x)) }`,
			`y <- c(0.5,0.7,1.1)`, "nuts", "nuts"},
		{"nodes that share all they are", `model { x1 ~ dnorm(0, 1); x2 ~ dnorm(0, 1); for (i in 1:30) { z[i] ~ dbern(ilogit(x1)); for (j in 1:3) { y[i,j] ~ dbern(z[i] * ilogit(x2)) } } }`,
			`y <- structure(c(` + strings.Repeat("0,0,1,", 30)[:179] + `), .Dim=c(30,3))`, "nuts", "nuts"},
		{"densities too far apart for products", `model { x ~ dnorm(0, 1); z[1] ~ dbern(0.5); for (t in 2:4) { z[t] ~ dbern(1.0E-90 + 0.4*z[t-1]) } for (t in 1:4) { y[t] ~ dnorm(60*z[t] + x, 1) } }`,
			`y <- c(30,31,29,60)`, "nuts", "nuts"},
		{"a prior that a node picks", `model { for (k in 1:2) { g[k] ~ dbern(0.5); x[k] ~ dnorm(0, 0.1 + 9 * g[k]) } s <- g[1] * g[2]; w ~ dnorm(s, 1); y ~ dnorm(x[1] - x[2], 1) }`,
			`y <- 2; w <- 0.2`, "nuts", "nuts"},
		{"individuals with latents of their own", `model { x1 ~ dnorm(0, 1); x2 ~ dnorm(0, 1); for (i in 1:4) { z[i] ~ dbern(ilogit(x1)); xe[i] ~ dnorm(x2, 2); y[i] ~ dbin(z[i] * ilogit(xe[i]), 3) } }`,
			`y <- c(0,0,1,3)`, "nuts", "nuts"},
	}
}

// The density of the continuous nodes is the enumerated sum over the discrete ones, up to rounding and one constant, and the derivatives are those of the
// density: central differences with a step of 1e-5 and their error of about 1e-10 relative to the third derivative and to rounding, 1e-11/1e-5.
func TestSummedDensityIsTheEnumeratedSum(t *testing.T) {
	for k, tc := range chained() {
		t.Run(tc.name, func(t *testing.T) {
			c := compileText(t, tc.model, tc.data)
			m := c.Model
			p, err := plan.New(m, tc.overrides())
			if err != nil {
				t.Fatal(err)
			}
			for _, it := range p.Items {
				if it.Kernel != "nuts" {
					t.Fatalf("%s is not summed out", kernelsOf(c, p))
				}
			}
			s := jointModel(t, m).Draw(rand.New(rand.NewPCG(1, uint64(k))))
			copyData(m, s)
			target, u := p.Sweep().Unbounded(s)
			constant := math.NaN()
			r := rand.New(rand.NewPCG(2, uint64(k)))
			grad, more := make([]float64, len(u)), make([]float64, len(u))
			for range 20 {
				for j := range u {
					u[j] = r.NormFloat64()
				}
				lp := target.Gradient(u, grad)
				if again := target.LogDensity(u); math.Abs(again-lp) > 1e-11*(1+math.Abs(lp)) {
					t.Fatalf("%v with derivatives, %v without", lp, again)
				}
				want := enumerated(m, s)
				if constant != constant {
					constant = lp - want
				}
				if off := lp - want - constant; math.Abs(off) > 1e-10 {
					t.Errorf("the density at %v is off by %v", u, off)
				}
				for j := range u {
					const h = 1e-5
					x := u[j]
					u[j] = x + h
					up := target.Gradient(u, more)
					u[j] = x - h
					down := target.Gradient(u, more)
					u[j] = x
					if d := (up - down) / (2 * h); math.Abs(d-grad[j]) > 1e-5*(1+math.Abs(d)) {
						t.Errorf("the derivative by number %d at %v is %v, by differences %v", j, u, grad[j], d)
					}
				}
			}
		})
	}
}

// copyData gives a state the data of the model.
func copyData(m *model.Model, s *model.State) {
	for c, k := range m.Kinds {
		if k == model.Observed {
			s.V[c] = m.Init[c]
		}
	}
	s.RunAllLive()
}

// enumerated is the log of the sum of the density over all values of the discrete nodes, at the continuous ones as they are.
func enumerated(m *model.Model, s *model.State) float64 {
	at := m.NewState()
	copy(at.V, s.V)
	var cells []int32
	var lo []float64
	var size []int
	states := 1
	for _, row := range m.Unobserved() {
		t, i := m.TemplateOf(row)
		if t.Stoch.Scalar == nil || !t.Stoch.Scalar.Discrete {
			continue
		}
		l, h := m.FixedBounds(t, i)
		cells, lo, size = append(cells, t.Cells(i)[0]), append(lo, l), append(size, int(h-l)+1)
		states *= size[len(size)-1]
	}
	if states > 1<<16 { // alike and apart: each by itself
		return enumeratedApart(m, at, cells)
	}
	var logs []float64
	for e := range states {
		for k, c := range cells {
			at.V[c] = lo[k] + float64(e%size[k])
			e /= size[k]
		}
		at.RunAllLive()
		logs = append(logs, at.LogProb(m.DensityRows()))
	}
	return logSum(logs)
}

// enumeratedApart is enumerated for binary nodes that depend on no other.
func enumeratedApart(m *model.Model, at *model.State, cells []int32) float64 {
	for _, c := range cells {
		at.V[c] = 1
	}
	at.RunAllLive()
	total := at.LogProb(m.DensityRows())
	for _, c := range cells {
		all := m.Blanket([]int32{c})
		row := []model.Seg{m.Seg(m.DefRow(c))}
		var logs []float64
		for x := range 2 {
			at.V[c] = float64(x)
			at.Run(all.Det)
			logs = append(logs, at.LogProb(row)+at.LogProb(all.Stoch))
		}
		total += logSum(logs) - logs[1]
		at.V[c] = 1
		at.Run(all.Det)
	}
	return total
}

func logSum(logs []float64) float64 {
	top, sum := math.Inf(-1), 0.0
	for _, l := range logs {
		top = max(top, l)
	}
	for _, l := range logs {
		sum += math.Exp(l - top)
	}
	return top + math.Log(sum)
}

// A kernel that sums discrete nodes out keeps the joint distribution, as all others.
func TestSummedOutKeepsTheJointDistribution(t *testing.T) {
	n := 3000 * *soak
	if testing.Short() {
		n = 1000
	}
	for k, tc := range append(chained(), counted()...) {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			conform(t, tc, n, uint64(k))
		})
	}
}

// Capture histories that are much alike are summed out by default, and the posterior is right: means by the midpoint rule on 1200² points of
// P(1000)⁶⁰ P(1100)²⁰ P(1010)¹⁵ P(1111)²⁵. What compareMeans says of false alarms holds here.
func TestChainsThatAreAlikeAreSummedOut(t *testing.T) {
	tc := exactCase{"capture histories",
		`model { phi ~ dunif(0, 1); p ~ dunif(0, 1); for (i in 1:120) { z[i,1] <- 1; for (t in 2:4) { z[i,t] ~ dbern(phi * z[i,t-1]); y[i,t] ~ dbern(p * z[i,t]) } } }`,
		`y <- structure(c(` + strings.Repeat("1,", 120) + repeat("0", 60, "1", 20, "0", 15, "1", 25) + `,` + repeat("0", 60, "0", 20, "1", 15, "1", 25) + `,` +
			repeat("0", 95, "1", 25) + `), .Dim=c(120,4))`, "",
		[]exactMean{{"phi", 0.61955414}, {"p", 0.75278560}}}
	c := compileText(t, tc.model, tc.data)
	p, err := plan.New(c.Model, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Items) != 1 || p.Items[0].Kernel != "nuts" {
		t.Fatal(kernelsOf(c, p))
	}
	draws := 5000
	if testing.Short() {
		draws = 1500
	}
	compareMeans(t, tc, mcmc.Settings{Seed: 1, Chains: 4, Warmup: 500, Draws: draws})
	ask := func(over string) string {
		p, err := plan.New(c.Model, ask(over))
		if err != nil {
			t.Fatal(err)
		}
		kinds := map[string]int{}
		for _, it := range p.Items {
			kinds[it.Kernel] += len(it.Rows)
		}
		return fmt.Sprint(kinds)
	}
	for over, want := range map[string]string{
		"phi=slice": "map[conjugate-beta:1 ffbs:360 slice:1]", "z=enumerate": "map[conjugate-beta:2 enumerate:360]",
		"phi=nuts": "map[conjugate-beta:1 nuts:361]", "phi=nuts z=ffbs": "map[conjugate-beta:1 ffbs:360 nuts:1]",
	} {
		if got := ask(over); got != want {
			t.Errorf("with %s: %s; want %s", over, got, want)
		}
	}
}

// So are states that nothing links, whose data are much alike, though a block could move the coefficients. Means by the midpoint rule on 3000² points of
// N(a; 0, 1) N(b; 0, 1) P₀⁹⁰ (1 − P₀)²¹⁰ P₁¹⁸⁰ (1 − P₁)¹²⁰ with P = 0.1 + 0.7 ilogit(a + bg). What compareMeans says of false alarms holds here.
func TestStatesThatAreAlikeAreSummedOut(t *testing.T) {
	tc := exactCase{"misclassified",
		`model { for (i in 1:600) { w[i] ~ dbern(0.1 + 0.7 * z[i]); z[i] ~ dbern(q[i]); logit(q[i]) <- a + b * g[i] } a ~ dnorm(0, 1); b ~ dnorm(0, 1) }`,
		`w <- c(` + repeat("1", 90, "0", 210, "1", 180, "0", 120) + `); g <- c(` + repeat("0", 300, "1", 300) + `)`, "",
		[]exactMean{{"a", -0.84131410}, {"b", 1.71044068}}}
	c := compileText(t, tc.model, tc.data)
	p, err := plan.New(c.Model, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Items) != 1 || p.Items[0].Kernel != "nuts" || len(p.Items[0].Rows) != 602 {
		t.Fatal(kernelsOf(c, p))
	}
	compareMeans(t, tc, mcmc.Settings{Seed: 1, Chains: 4, Warmup: 300, Draws: 1500})
}

// Discrete nodes with normal latents of their own are summed out though nothing of them is alike, or whose latents are shared by two, not those whose latents have a fixed distribution or
// fixed bounds.
func TestNodesWithLatentsAreSummedOut(t *testing.T) {
	const text = `model { psi ~ dunif(0, 1); mu ~ dnorm(0, 1); a ~ dnorm(0, 1); for (i in 1:n) { z[i] ~ dbern(psi); LATENT; logit(p[i]) <- a + e[i]; y[i] ~ dbin(z[i] * p[i], 5) } MORE }`
	data := `n <- 40; y <- c(` + repeat("0", 20, "1", 8, "2", 7, "5", 5) + `)`
	for _, tc := range []struct {
		latent, more string
		summed       bool
	}{
		{"e[i] ~ dnorm(mu, 2)", "", true},
		{"e[i] ~ dnorm(0, 2)", "", false},
		{"e[i] ~ dnorm(mu, 2) T(-9,9)", "", false},
		{"e[i] ~ dunif(-2, 2)", "", false},
		{"e[i] ~ dnorm(mu * z[i], 2)", "", false},
		{"e[i] ~ dnorm(mu, 2)", "for (i in 2:n) { w[i] ~ dnorm(e[i] * z[i-1], 1) }", true},
		{"e[i] <- u[(i + 1) / 2 - 0.5 * equals(trunc(i / 2) * 2, i)]", "for (k in 1:n) { u[k] ~ dnorm(mu, 2) }", true},
	} {
		d := data
		if strings.Contains(tc.more, "w[i]") {
			d += `; w <- c(NA,` + repeat("0", 39) + `)`
		}
		p, err := plan.New(compileText(t, strings.NewReplacer("LATENT", tc.latent, "MORE", tc.more).Replace(text), d).Model, nil)
		if err != nil {
			t.Fatal(err)
		}
		summed := false
		for _, it := range p.Items {
			summed = summed || it.Kernel == "nuts" && len(it.Rows) > 40
		}
		if summed != tc.summed {
			t.Errorf("%s %s: summed out is %v: %+v", tc.latent, tc.more, summed, p.Items)
		}
	}
}

// Many discrete nodes are summed out that a density depends on in more than a detail: not those that pick a precision, or a mean that is one number for each value, nor few.
func TestNodesThatPickAreSummedOut(t *testing.T) {
	const text = `model { MORE; psi ~ dunif(0, 1); for (k in 1:2) { a[k] ~ dnorm(0, 1); b[k] ~ dnorm(0, 1); t[k] ~ dgamma(2, 1) } r ~ dgamma(2, 1); for (i in 1:n) { z[i] ~ dbern(psi); y[i] ~ CHILD } }`
	for _, tc := range []struct {
		child  string
		n      int
		more   string
		summed bool
	}{
		{"dpois(z[i] * exp(a[1] + b[1] * x[i]))", 40, "", true},
		{"dpois(z[i] * exp(a[1] + b[1] * x[i]))", 15, "", false},
		{"dpois(z[i] * exp(a[1] + b[1] * x[i]))", 40, "for (j in 1:n) { u[j] ~ dpois(exp(a[1] + j)); v[j] ~ dpois(exp(b[1] + j)) }", false},
		{"dpois(z[i] * exp(a[1] + b[1] * x[i]))", 40, "for (j in 1:n) { e[j] ~ dnorm(0, r); k[j] ~ dbern(ilogit(e[j])); w[j] ~ dpois(k[j] * exp(b[1] + j)) }", false},
		{"dnegbin(r / (r + z[i] * exp(a[1] + b[1] * x[i])), r)", 40, "", true},
		{"dnorm(a[z[i] + 1] + b[z[i] + 1] * x[i], t[1])", 40, "", true},
		{"dnorm(a[z[i] + 1], t[1])", 40, "", false},
		{"dnorm(a[1] + b[1] * x[i], t[z[i] + 1])", 40, "", false},
	} {
		x, y := repeat("0.1", 1), repeat("0", 1)
		for i := 1; i < tc.n; i++ {
			x, y = fmt.Sprintf("%s,%g", x, float64(i*i%97)/50), fmt.Sprintf("%s,%d", y, i)
		}
		p, err := plan.New(compileText(t, strings.NewReplacer("CHILD", tc.child, "MORE", tc.more).Replace(text), fmt.Sprintf("n <- %d; x <- c(%s); y <- c(%[3]s); u <- c(%[3]s); v <- c(%[3]s); w <- c(%[3]s)", tc.n, x, y)).Model, nil)
		if err != nil {
			t.Fatal(err)
		}
		summed := false
		for _, it := range p.Items {
			summed = summed || it.Kernel == "nuts" && len(it.Rows) > tc.n
		}
		if summed != tc.summed {
			t.Errorf("%s, %d of them: summed out is %v: %+v", tc.child, tc.n, summed, p.Items)
		}
	}
}

// repeat writes texts so many times each, with commas between.
func repeat(textsAndCounts ...any) string {
	var all []string
	for k := 0; k < len(textsAndCounts); k += 2 {
		for range textsAndCounts[k+1].(int) {
			all = append(all, textsAndCounts[k].(string))
		}
	}
	return strings.Join(all, ",")
}
