package partition

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/anneal"
	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/internal/words"
)

// Problem is numbers to be divided. It does not change.
type Problem struct{ numbers []uint64 }

var (
	_ anneal.Instance   = (*Problem)(nil)
	_ anneal.Thresholds = (*walker)(nil)
	_ anneal.Climbs     = (*walker)(nil)
)

// maxCount is the most numbers.
const maxCount = math.MaxInt32

// New makes a problem of numbers, and keeps the slice.
func New(numbers []uint64) (*Problem, error) {
	if len(numbers) == 0 {
		return nil, errors.New("there are no numbers to divide")
	}
	if len(numbers) > maxCount {
		return nil, fmt.Errorf("%d numbers are more than the %d that can be divided", len(numbers), maxCount)
	}
	return &Problem{numbers}, nil
}

// Read reads numbers that white space separates, from 0 to 2⁶⁴ − 1. The name is for errors, which tell file, line and column.
func Read(name string, text []byte) (*Problem, error) {
	s := words.New(name, text)
	if err := memory.Room(8 * float64(s.Left()) / 4); err != nil { // numbers of three digits; those of one double it
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var numbers []uint64
	for {
		word, at := s.Next()
		if len(word) == 0 {
			break
		}
		a, err := strconv.ParseUint(string(word), 10, 64)
		switch {
		case errors.Is(err, strconv.ErrRange):
			return nil, s.Fault(at, "%s is above 2⁶⁴ − 1 = 18446744073709551615, the largest number that can be divided: divide all numbers by a common factor", wording.Brief(word))
		case err != nil && word[0] == '-':
			return nil, s.Fault(at, "%s is negative; write it without its sign, for which part it is in makes up", wording.Brief(word))
		case err != nil:
			return nil, s.Fault(at, "%s is not a whole number", wording.Quote(word))
		}
		numbers = append(numbers, a)
	}
	p, err := New(numbers)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

// Variables is how many numbers there are.
func (p *Problem) Variables() int { return len(p.numbers) }

// Objective is the energy: the difference of the sums of the parts.
func (p *Problem) Objective(energy float64) float64 { return energy }

// Memory is the bytes that a walker takes.
func (p *Problem) Memory() int64 { return int64(2*len(p.numbers)) + 256 }

// Walker makes a walker of one state.
func (p *Problem) Walker() (anneal.Walker, error) { return newWalker(p), nil }

// Parity is 1 where the sum of all numbers is odd, so that 1 is the least difference that can be hoped for, and otherwise 0.
func (p *Problem) Parity() float64 {
	odd := uint64(0)
	for _, a := range p.numbers {
		odd ^= a & 1
	}
	return float64(odd)
}

// Evaluate is the difference of the sums of the parts for signs of −1 and 1, by whole numbers of any size, rounded once.
func (p *Problem) Evaluate(solution []float64) (energy float64, err error) {
	if err := p.check(solution); err != nil {
		return 0, err
	}
	sum, one := new(big.Int), new(big.Int)
	for i, a := range p.numbers {
		if one.SetUint64(a); solution[i] < 0 {
			one.Neg(one)
		}
		sum.Add(sum, one)
	}
	energy, _ = new(big.Float).SetInt(sum.Abs(sum)).Float64()
	return energy, nil
}

func (p *Problem) check(solution []float64) error {
	if len(solution) != len(p.numbers) {
		return fmt.Errorf("a solution for %s has as many signs, not %d", wording.Count(len(p.numbers), "number", "numbers"), len(solution))
	}
	for i, s := range solution {
		if s != 1 && s != -1 {
			return fmt.Errorf("the sign of number %d is %v, and signs are −1 and 1", i, s)
		}
	}
	return nil
}

// Temperatures begin where most changes of a random division are accepted, at the largest number, and end where the energy is what n²
// exchanges can find by chance about a small difference: the largest number over 4n², or a fifth if that is less.
func (p *Problem) Temperatures() (hot, cold float64) {
	largest := max(1, float64(slices.Max(p.numbers)))
	n := float64(len(p.numbers))
	return largest, min(largest, max(0.2, largest/(4*n*n)))
}
