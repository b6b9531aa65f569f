package tsp

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/anneal"
	"github.com/ergodic-mcmc/ergodic/internal/gobs"
	"github.com/ergodic-mcmc/ergodic/internal/memory"
)

// Walker is a tour. It implements anneal.Walker with one replica, whose energy is the length.
//
// A sweep proposes a change at each city a in turn, of one of three kinds: 2-opt (Croes, 1958), to move a segment of up to three cities that
// begins with a (Or, 1976), or one of any length. Each gives a a new neighbour c in place of another, a', where c is one of the first 8 or of the 16
// cities of a's list, or with probability 1/64 any city; the segment of any length ends with a city that is chosen in the same way. From the new
// tour the proposal with a' in place of c is the way back, so that the acceptance min(1, e^{−Δ/T} q(a'|a)/q(c|a)), with q the probability of the
// choice, leaves e^{−length/T} invariant (Hastings, 1970; Green, 1995). At temperature 0 what does not make the tour longer is accepted.
type Walker struct {
	*land
	tour, at []int32 // cities in order, and the place of each
	length   int64
	best     []int32 // the shortest so far, unless the tour is it
	shortest int64
	unsaved  bool // the tour is the best
}

// bytesWalker is what a walker takes for each city.
const bytesWalker = 12

// Memory is the bytes of a walker.
func (p *Problem) Memory() int64 { return bytesWalker * int64(p.n) }

// Walker makes one. The first call makes what all share: lists of near cities, and all distances where that is faster.
func (p *Problem) Walker() (anneal.Walker, error) {
	l, err := p.landscape()
	if err != nil {
		return nil, fmt.Errorf("tsp: %w", err)
	}
	if err := memory.Room(float64(p.Memory())); err != nil {
		return nil, fmt.Errorf("tsp: a walker: %w", err)
	}
	return l.walker(), nil
}

func (l *land) walker() *Walker {
	return &Walker{land: l, tour: make([]int32, l.n), at: make([]int32, l.n), best: make([]int32, l.n)}
}

// Replicas is 1.
func (w *Walker) Replicas() int { return 1 }

// Energy is the length of the tour.
func (w *Walker) Energy(int) float64 { return float64(w.length) }

// Best is the least length since Start.
func (w *Walker) Best(int) float64 { return float64(w.shortest) }

// Solution is the shortest tour since Start. As all solutions, it begins with city 0, from where it goes on to the one of its neighbours that has the
// smaller number.
func (w *Walker) Solution(int) []float64 {
	w.save()
	return w.solution(w.best)
}

// State is the tour, in the form of Solution.
func (w *Walker) State(int) []float64 { return w.solution(w.tour) }

func (w *Walker) solution(tour []int32) []float64 {
	n, first := w.n, 0
	for w.city[tour[first]] != 0 {
		first++
	}
	step := 1
	if w.city[tour[(first+1)%n]] > w.city[tour[(first+n-1)%n]] {
		step = n - 1
	}
	s := make([]float64, n)
	for i := range s {
		s[i] = float64(w.city[tour[first]])
		first = (first + step) % n
	}
	return s
}

// Set makes the tour, and the best, one in the form of Solution, or any other beginning and direction.
func (w *Walker) Set(_ int, solution []float64) error {
	tour, err := w.p.Tour(solution)
	if err == nil {
		_, err = w.p.Length(tour)
	}
	if err != nil {
		return fmt.Errorf("tsp: %w", err)
	}
	number := make([]int32, w.n)
	for i, c := range w.city {
		number[c] = int32(i)
	}
	for i, c := range tour {
		w.tour[i] = number[c]
	}
	w.adopt()
	return nil
}

// save keeps the tour if it is the best. It is called before the tour changes for the worse.
func (w *Walker) save() {
	if w.unsaved {
		copy(w.best, w.tour)
		w.unsaved = false
	}
}

// Copy makes the tour, and the best, those of another walker of the same problem.
func (w *Walker) Copy(_ int, from anneal.Walker, _ int) {
	f := from.(*Walker)
	copy(w.tour, f.tour)
	copy(w.at, f.at)
	copy(w.best, f.best)
	w.length, w.shortest, w.unsaved = f.length, f.shortest, f.unsaved
}

// adopt makes the tour the walker's, and its only one.
func (w *Walker) adopt() {
	w.length = w.measure(w.tour)
	for i, c := range w.tour {
		w.at[c] = int32(i)
	}
	w.shortest, w.unsaved = w.length, true
}

func (l *land) measure(tour []int32) (length int64) {
	last := tour[l.n-1]
	for _, c := range tour {
		length += l.distance(last, c)
		last = c
	}
	return length
}

// saved is a walker as bytes.
type saved struct{ Tour, Best []int32 }

// MarshalBinary is the tour and the best.
func (w *Walker) MarshalBinary() ([]byte, error) {
	w.save()
	return gobs.Marshal(saved{w.tour, w.best})
}

// UnmarshalBinary reads what MarshalBinary wrote of a walker of the same problem.
func (w *Walker) UnmarshalBinary(b []byte) error {
	var s saved
	if err := gobs.Unmarshal(b, &s); err != nil {
		return fmt.Errorf("tsp: the walker's state cannot be read: %w", err)
	}
	if !w.permutation(s.Tour) || !w.permutation(s.Best) {
		return errors.New("tsp: the walker's state is not a tour of this problem")
	}
	copy(w.tour, s.Tour)
	copy(w.best, s.Best)
	w.adopt()
	w.shortest, w.unsaved = w.measure(w.best), false
	return nil
}

func (l *land) permutation(tour []int32) bool {
	if len(tour) != l.n {
		return false
	}
	seen := make([]bool, l.n)
	for _, c := range tour {
		if c < 0 || int(c) >= l.n || seen[c] {
			return false
		}
		seen[c] = true
	}
	return true
}

// Start draws a tour: from a random city each time the nearest of those that have not been visited, or once in four the second, as far as lists go; where
// all of a list have been visited, the next along the order of the land.
func (w *Walker) Start(r *rand.Rand) {
	n := w.n
	visited, next := w.at, w.best // next: beyond visited cities
	for i := range n {
		visited[i], next[i] = 0, int32(i)
	}
	c := int32(r.IntN(n))
	for i := range n {
		w.tour[i], visited[c] = c, 1
		next[c] = (c + 1) % int32(n)
		if i == n-1 {
			break
		}
		c = w.onward(c, r, visited, next)
	}
	w.adopt()
}

func (w *Walker) onward(c int32, r *rand.Rand, visited, next []int32) int32 {
	row := w.near[int(c)*w.width : (int(c)+1)*w.width]
	skip := r.Uint64()&3 == 0
	last := int32(-1)
	for _, f := range row {
		if visited[f.city] != 0 {
			continue
		}
		if last = f.city; !skip {
			break
		}
		skip = false
	}
	if last >= 0 {
		return last
	}
	for visited[c] != 0 {
		next[c] = next[next[c]]
		c = next[c]
	}
	return c
}
