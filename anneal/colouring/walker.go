package colouring

import (
	"errors"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/anneal"
	"github.com/ergodic-mcmc/ergodic/internal/gobs"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// walker is one colouring, with the number of neighbours that each node has in each colour: a change of energy is two of these.
type walker struct {
	p              *Problem
	colour, lowest []int32 // now, and when the energy was best
	near           []int32 // of node v in colour c at v·k + c
	energy, best   int64

	changed []int32 // nodes where colour and lowest may differ; when full, any may

	temperature float64 // that chance is for
	chance      [64]float64
}

func newWalker(p *Problem) *walker {
	n := p.g.Nodes()
	w := &walker{p: p, colour: make([]int32, n), lowest: make([]int32, n), near: make([]int32, n*p.k), changed: make([]int32, 0, n), temperature: math.NaN()}
	w.begin()
	return w
}

// begin counts, and makes the state the best one.
func (w *walker) begin() {
	w.fill()
	w.best = w.energy
	w.changed = w.changed[:0]
	copy(w.lowest, w.colour)
}

// fill computes what follows from the colours.
func (w *walker) fill() {
	clear(w.near)
	twice := int64(0)
	for u, c := range w.colour {
		for _, v := range w.p.g.of(int32(u)) {
			w.near[int(v)*w.p.k+int(c)]++
			if w.colour[v] == c {
				twice++
			}
		}
	}
	w.energy = twice / 2
}

func (w *walker) Replicas() int { return 1 }

// Start draws each colour from all.
func (w *walker) Start(r *rand.Rand) {
	for v := range w.colour {
		w.colour[v] = int32(r.IntN(w.p.k))
	}
	w.begin()
}

// Sweep proposes n changes of a node drawn from all to a colour drawn from all, which may be its own: that keeps chains of two colours from going
// back and forth where all is accepted.
func (w *walker) Sweep(temperature float64, r *rand.Rand) (proposed, accepted int64) {
	if temperature != w.temperature {
		w.cool(temperature)
	}
	for range w.colour {
		v, to, d := w.draw(r)
		if d > 0 && r.Float64() >= w.probability(d) || to == w.colour[v] {
			continue
		}
		accepted++
		w.paint(v, to, d)
	}
	return int64(len(w.colour)), accepted
}

// cool computes the probabilities to accept what adds few conflicts.
func (w *walker) cool(temperature float64) {
	w.temperature = temperature
	for d := range w.chance {
		w.chance[d] = uphill(int64(d), temperature)
	}
}

// probability is that of accepting what adds d > 0 conflicts.
func (w *walker) probability(d int64) float64 {
	if d < int64(len(w.chance)) {
		return w.chance[d]
	}
	return uphill(d, w.temperature)
}

func uphill(d int64, temperature float64) float64 {
	if temperature > 0 {
		return vec.Exp(-float64(d) / temperature)
	}
	return 0
}

// SweepThreshold proposes as many, and accepts what adds no more than the threshold.
func (w *walker) SweepThreshold(threshold float64, r *rand.Rand) (proposed, accepted int64) {
	for range w.colour {
		if v, to, d := w.draw(r); float64(d) <= threshold && to != w.colour[v] {
			accepted++
			w.paint(v, to, d)
		}
	}
	return int64(len(w.colour)), accepted
}

// Climb makes the change that lowers the energy most, or the first one that lowers it from a random node on.
func (w *walker) Climb(first bool, r *rand.Rand) (looked, made int64) {
	n, k := len(w.colour), w.p.k
	at := r.IntN(n)
	bestNode, bestColour, best := 0, int32(0), int64(0)
	for a := range n {
		v := (at + a) % n
		near := w.near[v*k:][:k]
		own := near[w.colour[v]]
		looked += int64(k - 1)
		for c, x := range near {
			if d := int64(x - own); d < best {
				bestNode, bestColour, best = v, int32(c), d
			}
		}
		if first && best < 0 {
			break
		}
	}
	if best == 0 {
		return looked, 0
	}
	w.paint(bestNode, bestColour, best)
	return looked, 1
}

// draw is a node, a colour for it, and what that adds to the energy.
func (w *walker) draw(r *rand.Rand) (v int, to int32, d int64) {
	u, n, k := r.Uint64(), uint64(len(w.colour)), uint64(w.p.k)
	v, to = int(u>>32*n>>32), int32(u<<32>>32*k>>32)
	near := w.near[v*w.p.k:][:w.p.k]
	return v, to, int64(near[to]) - int64(near[w.colour[v]])
}

func (w *walker) paint(v int, to int32, d int64) {
	k, from := w.p.k, w.colour[v]
	for _, u := range w.p.g.of(int32(v)) {
		near := w.near[int(u)*k:][:k]
		near[from]--
		near[to]++
	}
	w.colour[v] = to
	if len(w.changed) < cap(w.changed) {
		w.changed = append(w.changed, int32(v))
	}
	if w.energy += d; w.energy < w.best {
		w.keep()
	}
}

// keep makes the state the best one, in time that the changes since then have paid for.
func (w *walker) keep() {
	w.best = w.energy
	if len(w.changed) == cap(w.changed) {
		copy(w.lowest, w.colour)
	}
	for _, v := range w.changed {
		w.lowest[v] = w.colour[v]
	}
	w.changed = w.changed[:0]
}

func (w *walker) Energy(int) float64     { return float64(w.energy) }
func (w *walker) Best(int) float64       { return float64(w.best) }
func (w *walker) Solution(int) []float64 { return floats(w.lowest) }
func (w *walker) State(int) []float64    { return floats(w.colour) }

func floats(colour []int32) []float64 {
	x := make([]float64, len(colour))
	for v, c := range colour {
		x[v] = float64(c)
	}
	return x
}

func (w *walker) Set(_ int, solution []float64) error {
	if err := w.p.check(solution); err != nil {
		return err
	}
	for v, c := range solution {
		w.colour[v] = int32(c)
	}
	w.begin()
	return nil
}

func (w *walker) Copy(_ int, from anneal.Walker, _ int) {
	f := from.(*walker)
	copy(w.colour, f.colour)
	copy(w.lowest, f.lowest)
	copy(w.near, f.near)
	w.energy, w.best = f.energy, f.best
	w.changed = append(w.changed[:0], f.changed...)
}

// saved is a walker as bytes.
type saved struct{ Colour, Lowest []int32 }

func (w *walker) MarshalBinary() ([]byte, error) { return gobs.Marshal(saved{w.colour, w.lowest}) }

func (w *walker) UnmarshalBinary(b []byte) error {
	var s saved
	if err := gobs.Unmarshal(b, &s); err != nil {
		return err
	}
	if w.p.check(floats(s.Colour)) != nil || w.p.check(floats(s.Lowest)) != nil {
		return errors.New("colouring: these bytes are not a colouring of this graph")
	}
	copy(w.colour, s.Lowest)
	w.fill()
	w.best = w.energy
	copy(w.lowest, s.Lowest)
	copy(w.colour, s.Colour)
	w.fill()
	w.changed = w.changed[:cap(w.changed)] // any may differ
	return nil
}
