package dist_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
)

func ExampleLookupMulti() {
	d, _ := dist.LookupMulti("dmnorm")
	mu, omega := []float64{1, 2}, []float64{2, 0.5, 0.5, 1} // a precision matrix, column-major
	p, shapes := [][]float64{mu, omega}, [][]int{{2}, {2, 2}}
	dims, err := d.Dims(shapes)
	fmt.Println(dims, err)
	fmt.Printf("%.4f\n", d.LogProb([]float64{1, 1}, p, shapes, new(dist.Work)))
	fmt.Println(d.Check([][]float64{mu, {1, 2, 2, 1}}, shapes))
	// Output:
	// [2] <nil>
	// -2.0581
	// Omega is not positive definite: its leading 2×2 block is not
}

func ExampleMulti_sample() {
	d, _ := dist.LookupMulti("dwish")
	p, shapes := [][]float64{{2, 0, 0, 4}, {10}}, [][]int{{2, 2}, nil} // R and k: the mean is k R⁻¹
	r := rand.New(rand.NewPCG(1, 2))
	x, mean, work := make([]float64, 4), make([]float64, 4), new(dist.Work)
	for range 10_000 {
		d.Sample(x, r, p, shapes, work)
		for i, v := range x {
			mean[i] += v / 10_000
		}
	}
	fmt.Printf("%.1f %.1f\n", mean[0], mean[3])
	// Output:
	// 5.0 2.5
}

func ExampleBinLogProb() {
	fmt.Printf("%.6f\n", math.Exp(dist.BinLogProb(3, 0.5, 10)))
	fmt.Println(dist.BinLogProb(3.5, 0.5, 10), dist.BinLogProb(3, 1.5, 10))
	// Output:
	// 0.117188
	// -Inf NaN
}

func ExampleInterval() {
	cuts := []float64{10, 20}
	fmt.Println(dist.Interval(5, cuts), dist.Interval(10, cuts), dist.Interval(12, cuts), dist.Interval(25, cuts))
	// Output:
	// 0 0 1 2
}

func ExampleAlias() {
	table, err := dist.NewAlias([]float64{1, 0, 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := rand.New(rand.NewPCG(1, 2))
	counts := make([]int, table.Len())
	for range 4_000_000 {
		counts[table.Draw(r)]++
	}
	fmt.Printf("%.2f %d %.2f\n", float64(counts[0])/1e6, counts[1], float64(counts[2])/1e6)
	_, err = dist.NewAlias([]float64{1, -1})
	fmt.Println(err)
	// Output:
	// 1.00 0 3.00
	// dist: weight 2 of an alias table is -1; it must be finite and not negative
}

func ExampleTruncNormal() {
	r := rand.New(rand.NewPCG(1, 2))
	x := dist.TruncNormal(r, 0, 1, 40, math.Inf(1)) // forty standard deviations out
	fmt.Println(x > 40 && x < 41)
	// Output:
	// true
}

func ExampleAlias_Set() {
	table, err := dist.NewAlias([]float64{1, 0, 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(table.Set(2, 0)) // what is left is index 0
	fmt.Println(table.Draw(rand.New(rand.NewPCG(1, 2))))
	fmt.Println(table.Set(0, 0))
	// Output:
	// <nil>
	// 0
	// dist: setting weight 1 of an alias table to 0 leaves no positive weight
}

func ExampleCumulative() {
	table, err := dist.NewCumulative([]float64{1, 0, 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := rand.New(rand.NewPCG(1, 2))
	counts := make([]int, table.Len())
	for range 400_000 {
		counts[table.Draw(r)]++
	}
	fmt.Printf("%.2f %d %.2f\n", float64(counts[0])/1e5, counts[1], float64(counts[2])/1e5)
	// Output:
	// 1.00 0 3.00
}

func ExampleDynamic() {
	// Pólya's urn: each draw makes its colour more likely.
	urn, err := dist.NewDynamic([]float64{1, 1, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		i := urn.Draw(r)
		if err := urn.Set(i, urn.Weight(i)+1); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(urn.Weight(0) + urn.Weight(1) + urn.Weight(2))
	// Output:
	// 1003
}
