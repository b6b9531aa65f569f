package function

import (
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/anneal"
	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// Problem is a function with the bounds of its variables. It does not change.
type Problem struct {
	m         *model.Model
	value     int32   // the cell of the function
	sign      float64 // that makes it an energy
	cells     []int32 // of the variables
	low, high []float64
	after     [][]model.Seg // what is computed anew after a change of a variable
	outs      [][]int32     // the cells that this writes
	most      int           // of outs, the longest
}

var (
	_ anneal.Instance   = (*Problem)(nil)
	_ anneal.Thresholds = (*walker)(nil)
)

// link finds what each variable changes.
func (p *Problem) link() error {
	for _, c := range p.cells {
		det := p.m.Blanket([]int32{c}).Det
		if err := memory.Room(float64(8 * len(p.cells) * model.Count(det))); err != nil {
			return err
		}
		var outs []int32
		for _, s := range det {
			for i := s.Lo; i < s.Hi; i++ {
				outs = append(outs, p.m.Templates[s.T].Cells(int(i))...)
			}
		}
		p.after, p.outs, p.most = append(p.after, det), append(p.outs, outs), max(p.most, len(outs))
	}
	return nil
}

// Variables is the number of coordinates.
func (p *Problem) Variables() int { return len(p.cells) }

// Names are those of the coordinates: x[1].
func (p *Problem) Names() []string {
	names := make([]string, len(p.cells))
	for i, c := range p.cells {
		names[i] = p.m.CellName(c)
	}
	return names
}

// Bounds are the ends of a coordinate.
func (p *Problem) Bounds(i int) (low, high float64) { return p.low[i], p.high[i] }

// Objective is the value of the function: the energy, or minus it where the function is maximised.
func (p *Problem) Objective(energy float64) float64 { return p.sign * energy }

// Memory is the bytes that a walker takes.
func (p *Problem) Memory() int64 {
	n := int64(len(p.cells))
	b := 16*int64(len(p.m.Init)) + 64*n + 1024
	if n <= maxJoint {
		b += 16 * n * n
	}
	return b
}

// Walker makes a walker of one state.
func (p *Problem) Walker() (anneal.Walker, error) { return newWalker(p), nil }

// Evaluate computes the function anew, one row of its program after the other.
func (p *Problem) Evaluate(solution []float64) (energy float64, err error) {
	if err := p.check(solution); err != nil {
		return 0, err
	}
	s := p.m.NewState()
	for i, x := range solution {
		s.V[p.cells[i]] = x
	}
	for _, row := range p.m.Topological() {
		if t, i := p.m.TemplateOf(row); t.Stoch == nil {
			s.RunRow(t, i)
		}
	}
	return p.energy(s), nil
}

// energy is that of a state whose cells agree: +Inf where it is not finite.
func (p *Problem) energy(s *model.State) float64 {
	if e := p.sign * s.V[p.value]; vec.Finite(e) {
		return e
	}
	return math.Inf(1)
}

func (p *Problem) check(solution []float64) error {
	if len(solution) != len(p.cells) {
		return fmt.Errorf("a solution has %d coordinates, not %d", len(p.cells), len(solution))
	}
	for i, x := range solution {
		if !(x >= p.low[i] && x <= p.high[i]) {
			return fmt.Errorf("%s is %v, and its bounds are %v and %v", p.m.CellName(p.cells[i]), x, p.low[i], p.high[i])
		}
	}
	return nil
}

// The temperatures are found from values at so many points, and fall so far: steps are tuned as they do, so that the last sweeps polish.
const (
	pilotPoints = 1000
	fall        = 1e-10
)

// Temperatures begin at the mean absolute difference of the function at random points, the same for a problem every time, and end at 10⁻¹⁰ of that.
func (p *Problem) Temperatures() (hot, cold float64) {
	w, r := newWalker(p), rng.New(0, "function temperatures").Rand
	sum, n, before := 0.0, 0, math.Inf(1)
	for range pilotPoints {
		w.scatter(r)
		if d := math.Abs(w.Value - before); vec.Finite(d) {
			sum, n = sum+d, n+1
		}
		before = w.Value
	}
	if !(sum > 0) || !vec.Finite(sum) {
		return 1, fall
	}
	hot = sum / float64(n)
	return hot, hot * fall
}
