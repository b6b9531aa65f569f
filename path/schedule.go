package path

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"sort"

	"github.com/ergodic-mcmc/ergodic/internal/ladder"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Schedule is a list of inverse temperatures that rises from 0 to 1, both included.
// A schedule of K steps has K + 1 temperatures.
type Schedule []float64

const maxSteps = 1 << 28

// Uniform returns n equal steps.
func Uniform(n int) (Schedule, error) { return Pieces(Piece{To: 1, Steps: n}) }

// Piece is a number of equal steps that end at To.
type Piece struct {
	To    float64
	Steps int
}

// Pieces joins uniform pieces, the first from 0 and the last to 1: Salakhutdinov and Murray (2008) take 500 steps to 0.5, 4000
// to 0.9 and 10000 to 1.
func Pieces(pieces ...Piece) (Schedule, error) {
	s, from := Schedule{0}, 0.0
	for i, p := range pieces {
		if !(p.To > from && p.To <= 1) || p.Steps < 1 || p.Steps > maxSteps-len(s) {
			return nil, fmt.Errorf("path: piece %d of the schedule has %d steps from β = %v to %v; pieces rise to 1, with a step or more each",
				i+1, p.Steps, from, p.To)
		}
		for k := 1; k < p.Steps; k++ {
			s = append(s, from+float64((p.To-from)*(float64(k)/float64(p.Steps))))
		}
		s = append(s, p.To)
		from = p.To
	}
	return s, s.check()
}

// Geometric returns the temperatures 0, first, …, 1 with a constant ratio between those above 0.
func Geometric(n int, first float64) (Schedule, error) {
	if n < 2 || n > maxSteps || !(first > 0 && first < 1) {
		return nil, fmt.Errorf("path: a geometric schedule of %d steps from %v; it needs 2 steps or more and a first temperature between 0 and 1", n, first)
	}
	s := make(Schedule, n+1)
	slope := vec.Log(first) / float64(n-1)
	for k := 1; k < n; k++ {
		s[k] = vec.Exp(slope * float64(n-k))
	}
	s[n] = 1
	return s, s.check()
}

// Sigmoid returns a schedule with small steps at both ends: β_k = (σ(δ(2k/n − 1)) − σ(−δ)) / (σ(δ) − σ(−δ)) with δ > 0, about 4
// (Grosse, Ghahramani and Adams 2015, section 5).
func Sigmoid(n int, delta float64) (Schedule, error) {
	if n < 1 || n > maxSteps || !(delta > 0 && delta <= 30) {
		return nil, fmt.Errorf("path: a sigmoid schedule of %d steps and δ = %v; it needs a step or more and 0 < δ ≤ 30", n, delta)
	}
	s := make(Schedule, n+1)
	low, high := vec.Ilogit(-delta), vec.Ilogit(delta)
	for k := 1; k < n; k++ {
		s[k] = (vec.Ilogit(delta*(2*float64(k)/float64(n)-1)) - low) / (high - low)
	}
	s[n] = 1
	return s, s.check()
}

// Steps is the number of steps.
func (s Schedule) Steps() int { return len(s) - 1 }

// Resize returns n steps of the same shape: temperatures are interpolated linearly in their index.
func (s Schedule) Resize(n int) (Schedule, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	if n < 1 || n > maxSteps {
		return nil, fmt.Errorf("path: a schedule of %d steps; ask for 1 or more", n)
	}
	index := make([]float64, len(s))
	for i := range index {
		index[i] = float64(i) / float64(s.Steps())
	}
	return invert(s, index, n), nil
}

// invert returns the n + 1 points at which the increasing function (x, y) reaches k·y_last/n, by linear interpolation.
func invert(x, y []float64, n int) Schedule {
	out := make(Schedule, n+1)
	total := y[len(y)-1]
	for k := 1; k < n; k++ {
		want := float64(total * (float64(k) / float64(n)))
		j := sort.SearchFloat64s(y, want)
		j = min(max(j, 1), len(y)-1)
		t := (want - y[j-1]) / (y[j] - y[j-1])
		out[k] = x[j-1] + float64(t*(x[j]-x[j-1]))
	}
	out[n] = 1
	return out
}

// check reports what makes a schedule unusable.
func (s Schedule) check() error {
	if len(s) < 2 {
		return errors.New("path: a schedule needs the temperatures 0 and 1 at least")
	}
	if s[0] != 0 || s[len(s)-1] != 1 {
		return fmt.Errorf("path: a schedule goes from 0 to 1, not from %v to %v", s[0], s[len(s)-1])
	}
	if err := ladder.Check(s); err != nil {
		return fmt.Errorf("path: %w", err)
	}
	return nil
}

// hash identifies the schedule in checkpoints.
func (s Schedule) hash() string {
	h := sha256.New()
	if err := binary.Write(h, binary.LittleEndian, []float64(s)); err != nil {
		panic(err) // a hash takes all floats
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
