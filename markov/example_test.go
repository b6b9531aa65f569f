package markov_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/ergodic-mcmc/ergodic/markov"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// classes is the chain of social classes between generations.
func classes() *markov.Dense {
	c, err := markov.NewDense([][]float64{{.65, .28, .07}, {.15, .67, .18}, {.12, .36, .52}}, "lower", "middle", "upper")
	if err != nil {
		panic(err)
	}
	return c
}

func ExampleStationaryOf() {
	pi, err := markov.StationaryOf(classes())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f\n", pi)
	// Output: [0.2865 0.4885 0.2250]
}

func ExampleEvolve() {
	table, err := markov.Evolve(classes(), []float64{.21, .68, .11}, 7)
	if err != nil {
		fmt.Println(err)
		return
	}
	for g, x := range table {
		fmt.Printf("%d %.3f\n", g, x)
	}
	// Output:
	// 0 [0.210 0.680 0.110]
	// 1 [0.252 0.554 0.194]
	// 2 [0.270 0.512 0.218]
	// 3 [0.278 0.497 0.225]
	// 4 [0.282 0.492 0.226]
	// 5 [0.284 0.490 0.226]
	// 6 [0.285 0.489 0.225]
	// 7 [0.286 0.489 0.225]
}

func ExampleConvergedAt() {
	for _, start := range [][]float64{{.21, .68, .11}, {.75, .15, .10}} {
		g, err := markov.ConvergedAt(classes(), start, 3, 100)
		fmt.Println(g, err)
	}
	// Output:
	// 5 <nil>
	// 9 <nil>
}

func ExampleRead() {
	c, err := markov.Read(strings.NewReader("# a list of transitions\nsun sun 0.9\nsun rain 0.1\nrain sun 0.5\nrain rain 0.5\n"), markov.ReadSettings{})
	if err != nil {
		fmt.Println(err)
		return
	}
	pi, err := markov.StationaryOf(c)
	fmt.Println(c.Name(0), c.Name(1), err)
	fmt.Printf("%.4f\n", pi)
	_, err = markov.Read(strings.NewReader("0.9,0.1\n0.5,0.6\n"), markov.ReadSettings{Name: "weather.csv"})
	fmt.Println(err)
	// Output:
	// sun rain <nil>
	// [0.8333 0.1667]
	// weather.csv:2: the row of state 2 sums to 1.1, not 1 (tolerance 1e-09); correct it, or let rows be divided by their sums (ReadSettings.Normalise)
}

func ExampleAbsorb() {
	// A gambler with 0 to 3 coins plays for one until none or three are left.
	c, err := markov.NewSparse(4, []markov.Transition{{0, 0, 1}, {1, 0, .5}, {1, 2, .5}, {2, 1, .5}, {2, 3, .5}, {3, 3, 1}})
	if err != nil {
		fmt.Println(err)
		return
	}
	a, err := markov.Absorb(c, markov.Classify(c))
	if err != nil {
		fmt.Println(err)
		return
	}
	for k, i := range a.Transient {
		fmt.Printf("from %d: ruined with %.4f, wins with %.4f, %.4f games\n", i, a.P[k][0], a.P[k][1], a.Steps[k])
	}
	// Output:
	// from 1: ruined with 0.6667, wins with 0.3333, 2.0000 games
	// from 2: ruined with 0.3333, wins with 0.6667, 2.0000 games
}

func ExampleClassify() {
	c, err := markov.NewSparse(4, []markov.Transition{{0, 1, .5}, {0, 3, .5}, {1, 2, 1}, {2, 1, 1}, {3, 3, 1}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, class := range markov.Classify(c).List {
		fmt.Println(class.States, class.Closed, class.Period)
	}
	// Output:
	// [0] false 0
	// [1 2] true 2
	// [3] true 1
}

func ExampleHitting() {
	h, err := markov.Hitting(classes(), 2)
	fmt.Printf("%.2f %v\n", h, err)
	// Output: [8.30 6.80 0.00] <nil>
}

func ExampleMixingTime() {
	c := classes()
	pi, _ := markov.StationaryOf(c)
	t, err := markov.MixingTime(c, pi, 0.01)
	fmt.Println(t, err)
	// Output: 7 <nil>
}

func ExampleKemeny() {
	k, err := markov.Kemeny(classes())
	fmt.Printf("%.4f %v\n", k, err)
	// Output: 3.5507 <nil>
}

func ExampleEigenvalues() {
	values, err := markov.Eigenvalues(classes(), nil)
	fmt.Printf("%.4f %v\n", values, err)
	fmt.Printf("gap %.4f\n", 1-markov.SLEM(values))
	// Output:
	// [(1.0000+0.0000i) (0.5185+0.0000i) (0.3215+0.0000i)] <nil>
	// gap 0.4815
}

func ExampleBalance() {
	c := classes()
	pi, _ := markov.StationaryOf(c)
	b, err := markov.Balance(c, pi)
	fmt.Printf("%.4f, most from %s to %s, %v\n", b.Total, c.Name(b.From), c.Name(b.To), err)
	both, _ := markov.Additive(c, pi)
	b, err = markov.Balance(both, pi)
	fmt.Printf("%.4f, %v\n", b.Total, err)
	// Output:
	// 0.0208, most from lower to middle, <nil>
	// 0.0000, <nil>
}

// Three ways to accept moves by the same proposal, with the variance of the mean of f they lead to.
func ExampleReversible() {
	q, _ := markov.NewDense([][]float64{{0, .5, .5}, {.5, 0, .5}, {.5, .5, 0}})
	target := []float64{.2, .3, .5}
	f := []float64{0, 1, 2}
	var last markov.Chain
	for _, rule := range []markov.Rule{markov.MetropolisHastings, markov.Barker, markov.Plain} {
		c, err := markov.Reversible(q, target, rule)
		if err != nil {
			fmt.Println(err)
			return
		}
		v, _ := markov.Variance(c, target, f)
		fmt.Printf("%-19s variance %.3f", rule, v)
		if last != nil {
			order, _ := markov.Peskun(last, c, 0)
			fmt.Printf(", moves more often: the %s", order)
		}
		fmt.Println()
		last = c
	}
	// Output:
	// Metropolis-Hastings variance 0.550
	// Barker              variance 1.108, moves more often: the first
	// plain               variance 4.270, moves more often: the first
}

func ExampleSimulator() {
	c := classes()
	path, err := markov.NewSimulator(c).Path(0, 100_000, rng.New(1, "example").Rand)
	if err != nil {
		fmt.Println(err)
		return
	}
	count := make([]int, 3)
	for _, i := range path {
		count[i]++
	}
	for i, n := range count {
		fmt.Printf("%s %.2f\n", c.Name(i), float64(n)/float64(len(path)))
	}
	// Output:
	// lower 0.29
	// middle 0.49
	// upper 0.22
}

func ExampleEstimate() {
	counts, err := markov.Counts(2, []int{0, 0, 1, 0, 0, 0, 1, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := markov.Estimate(counts, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	mean, sd := p.Mean(), p.SD()
	fmt.Printf("stays in 0 with %.3f ± %.3f\n", mean.At(0, 0), sd[0][0])
	// Output: stays in 0 with 0.571 ± 0.175
}

func ExampleSolver() {
	f, err := os.Open("../examples/classes.csv")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	c, err := markov.Read(f, markov.ReadSettings{Name: "classes.csv"})
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := markov.Solver{}.Solve(c)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, v := range s.Pi {
		fmt.Printf("%s %.4f\n", c.Name(i), v)
	}
	fmt.Println(s.Method)
	// Output:
	// lower 0.2865
	// middle 0.4885
	// upper 0.2250
	// gth
}
