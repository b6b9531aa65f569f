package draws_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/ergodic-mcmc/ergodic/draws"
)

func ExampleCreate() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "draws.zarr")

	w, err := draws.Create(path, draws.Layout{
		Chains:    2,
		Posterior: []draws.Variable{{Name: "mu"}, {Name: "theta", Dims: []int{2}}},
	})
	if err != nil {
		log.Fatal(err)
	}
	for chain := range 2 {
		for i := range 3 {
			x := float64(10*chain + i)
			if err := w.Append(chain, false, []float64{x, x + 0.1, x + 0.2}, draws.Stat{}); err != nil {
				log.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}

	r, err := draws.Open(path) // as arviz.from_zarr(path) does
	if err != nil {
		log.Fatal(err)
	}
	set, err := r.ReadGroup(draws.Posterior)
	if err != nil {
		log.Fatal(err)
	}
	e, _ := set.Lookup("theta[2]")
	fmt.Println(set.Names(), set.Element(e))
	// Output: [mu theta[1] theta[2]] [[0.2 1.2 2.2] [10.2 11.2 12.2]]
}

func ExampleSelect() {
	vars := []draws.Variable{{Name: "mu"}, {Name: "Sigma", Dims: []int{2, 2}}}
	parts, elements, err := draws.Select(vars, "Sigma[2,*],mu")
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range parts {
		fmt.Println(v, v.ElementNames())
	}
	fmt.Println(elements)
	// Output:
	// Sigma[2:2,1:2] [Sigma[2,1] Sigma[2,2]]
	// mu [mu]
	// [2 4 0]
}

func ExampleWriteCSV() {
	set, err := draws.NewSet([]draws.Variable{{Name: "S", Dims: []int{1, 2}}}, 1)
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range [][]float64{{0.1, 1}, {1e-9, 2.5}} {
		if err := set.Append(0, row); err != nil {
			log.Fatal(err)
		}
	}
	if err := draws.WriteCSV(os.Stdout, set); err != nil {
		log.Fatal(err)
	}
	// Output:
	// chain,draw,"S[1,1]","S[1,2]"
	// 1,1,0.1,1
	// 1,2,1e-09,2.5
}
