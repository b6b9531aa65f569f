package main

import (
	"context"
	"fmt"
	"log"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/anneal"
)

// charges on a circle repel each other; a state has their angles.
type charges int

type turn struct {
	charge int
	angle  float64
}

func (n charges) Size() int                 { return int(n) }
func (n charges) Copy(to, from []float64)   { copy(to, from) }
func (n charges) Apply(x []float64, m turn) { x[m.charge] = m.angle }
func (n charges) Energy(x []float64) (e float64) {
	for i := range x {
		e += n.potential(x, i, x[i]) / 2
	}
	return e
}

func (n charges) Start(r *rand.Rand) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = 2 * math.Pi * r.Float64()
	}
	return x
}

func (n charges) potential(x []float64, i int, angle float64) (v float64) {
	for k, other := range x {
		if k != i {
			v += 1 / (2 * math.Abs(math.Sin((angle-other)/2)))
		}
	}
	return v
}

func (n charges) Propose(x []float64, r *rand.Rand) (m turn, d float64) {
	m.charge = r.IntN(int(n))
	m.angle = x[m.charge] + 0.3*r.NormFloat64()
	return m, n.potential(x, m.charge, m.angle) - n.potential(x, m.charge, x[m.charge])
}

func main() {
	_, res, err := anneal.Minimise(context.Background(), charges(12), anneal.Settings{Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	even := 0.0 // the energy of charges at equal distances
	for k := 1; k < 12; k++ {
		even += 12. / 2 / (2 * math.Sin(math.Pi*float64(k)/12))
	}
	fmt.Printf("energy %.4f; at equal distances %.4f\n", res.Best, even)
}
