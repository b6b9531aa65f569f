package colouring

import (
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/anneal"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Problem is a graph that is coloured with K colours.
type Problem struct {
	g *Graph
	k int
}

var (
	_ anneal.Instance   = (*Problem)(nil)
	_ anneal.Thresholds = (*walker)(nil)
	_ anneal.Climbs     = (*walker)(nil)
)

// Colours is the problem of colouring with k colours.
func (g *Graph) Colours(k int) (*Problem, error) {
	if k < 1 || k > g.Nodes() {
		return nil, fmt.Errorf("%d colours for %d nodes; there may be from 1 to as many as nodes", k, g.Nodes())
	}
	return &Problem{g, k}, nil
}

// Graph is what is coloured.
func (p *Problem) Graph() *Graph { return p.g }

// Colours is how many there are.
func (p *Problem) Colours() int { return p.k }

// Variables is the number of nodes.
func (p *Problem) Variables() int { return p.g.Nodes() }

// Objective is the energy: the number of edges in conflict.
func (p *Problem) Objective(energy float64) float64 { return energy }

// Memory is the bytes that a walker takes.
func (p *Problem) Memory() int64 { return 4*int64(p.g.Nodes())*(int64(p.k)+4) + 1024 }

// Walker makes a walker of one state.
func (p *Problem) Walker() (anneal.Walker, error) { return newWalker(p), nil }

// Evaluate counts the edges whose ends have one colour, for colours from 0.
func (p *Problem) Evaluate(solution []float64) (energy float64, err error) {
	if err := p.check(solution); err != nil {
		return 0, err
	}
	conflicts := 0
	for u, c := range solution {
		for _, v := range p.g.of(int32(u)) {
			if int(v) > u && solution[v] == c {
				conflicts++
			}
		}
	}
	return float64(conflicts), nil
}

func (p *Problem) check(solution []float64) error {
	if len(solution) != p.g.Nodes() {
		return fmt.Errorf("a solution for %d nodes has as many colours, not %d", p.g.Nodes(), len(solution))
	}
	for v, c := range solution {
		if !(c >= 0 && c < float64(p.k)) || c != math.Trunc(c) {
			return fmt.Errorf("the colour of node %d is %v, and colours are whole numbers from 0 to %d", v, c, p.k-1)
		}
	}
	return nil
}

// Temperatures begin at the standard deviation of a change at random, √(2·mean degree/K) or 1, whichever is more, and end where of 20 changes of every
// node about one that adds a conflict is accepted.
func (p *Problem) Temperatures() (hot, cold float64) {
	n := float64(p.g.Nodes())
	hot = max(1, math.Sqrt(2*float64(len(p.g.neighbours))/n/float64(p.k)))
	return hot, 1 / vec.Log(20*n)
}
