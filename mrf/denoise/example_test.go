package denoise_test

import (
	"context"
	"fmt"
	"log"

	"github.com/ergodic-mcmc/ergodic/mrf/denoise"
)

// A bright bar of three pixels in the dark, one of whose pixels was seen dark, and a bright speck.
func Example() {
	seen := &denoise.Image{Width: 7, Height: 3, Grey: []float64{
		0, 0, 1, 0, 0, 0, 0,
		0, 0, 1, 1, 1, 0, 1,
		0, 0, 1, 0, 1, 0, 0,
	}}
	levels := []float64{0, 1}
	p, err := seen.Flips(levels, 0.1, 1)
	if err != nil {
		log.Fatal(err)
	}
	x, err := p.Mode(context.Background(), nil)
	if err != nil {
		log.Fatal(err)
	}
	m, err := denoise.Sample(context.Background(), p, denoise.Settings{Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	for y := range 3 {
		for _, v := range x[7*y : 7*y+7] {
			fmt.Print([]string{".", "#"}[v])
		}
		fmt.Println()
	}
	speck := 7 + 6
	fmt.Printf("the speck is bright with probability %.1f\n", m.P[2*speck+1])
	// Output:
	// ..#....
	// ..###..
	// ..###..
	// the speck is bright with probability 0.4
}
