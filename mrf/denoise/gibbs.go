package denoise

import (
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// State is the levels of all pixels, within a frame of pixels that have none.
type State struct {
	levels []uint8 // (Width+2)·(Height+2)
	width  int
}

// none is the level of the frame.
const none = 255

// NewState is a state of levels.
func (p *Posterior) NewState(x []uint8) *State {
	s := &State{slices.Repeat([]uint8{none}, (p.Width+2)*(p.Height+2)), p.Width}
	s.Set(x)
	return s
}

// Set takes over levels.
func (s *State) Set(x []uint8) {
	for y := 0; y*s.width < len(x); y++ {
		copy(s.levels[(y+1)*(s.width+2)+1:], x[y*s.width:(y+1)*s.width])
	}
}

// Levels are the levels of the pixels.
func (s *State) Levels() []uint8 {
	var x []uint8
	for at := s.width + 3; at < len(s.levels)-s.width-2; at += s.width + 2 {
		x = append(x, s.levels[at:at+s.width]...)
	}
	return x
}

// Gibbs draws every pixel once from its full conditional, first those of one colour of a checkerboard, then the others. It leaves the posterior invariant. Time is that of
// a random number and of four neighbours for each pixel, and of the levels where a pixel gets one that no neighbour has.
type Gibbs struct {
	p     *Posterior
	like  []float64 // likelihoods, the largest of a pixel 1; of two levels the ratio of the second to the first
	total []float64 // of more than two levels, the sum of each pixel's likelihoods
	power []float64 // exp(Coupling·n) − 1 for n equal neighbours; of two levels exp(Coupling·n) for −4 to 4 more of the second than of the first

	// Sums, where it is not nil, gets the conditional probabilities from which pixels are drawn: see [Gibbs.Probabilities]. Their mean
	// is that of the levels' indicators with less variance (Gelfand and Smith, 1990).
	Sums []float64
}

// steepest bounds the logarithm of the ratio of two likelihoods: what is beyond has a probability below 1e-100 of either.
const steepest = 300

// NewGibbs returns a kernel.
func NewGibbs(p *Posterior) (*Gibbs, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	k := &Gibbs{p: p}
	if p.Levels == 2 {
		k.like = make([]float64, p.Width*p.Height)
		for i := range k.like {
			k.like[i] = vec.Exp(max(-steepest, min(steepest, p.Log[2*i+1]-p.Log[2*i])))
		}
		for n := -4; n <= 4; n++ {
			k.power = append(k.power, vec.Exp(float64(p.Coupling*float64(n))))
		}
		return k, nil
	}
	k.like = make([]float64, len(p.Log))
	for i := 0; i < len(p.Log); i += p.Levels {
		most, sum := slices.Max(p.Log[i:i+p.Levels]), 0.0
		for v := range p.Levels {
			k.like[i+v] = vec.Exp(max(-steepest, p.Log[i+v]-most))
			sum += k.like[i+v]
		}
		k.total = append(k.total, sum)
	}
	for n := range 5 {
		k.power = append(k.power, vec.Expm1(float64(p.Coupling*float64(n))))
	}
	return k, nil
}

// Width is how many numbers of each pixel the kernel adds to the sums.
func (k *Gibbs) Width() int {
	if k.p.Levels == 2 {
		return 1
	}
	return k.p.Levels + 1
}

// Probabilities sets p to a pixel's mean probabilities over so many steps. Of two levels, the sum is of the second's; of more, those of neighbours add
// what they get beside their likelihoods, which are divided by the same number for all levels, and the last sum is of its inverse.
func (k *Gibbs) Probabilities(p []float64, pixel int, steps float64) {
	if len(p) == 2 {
		p[1] = k.Sums[pixel] / steps
		p[0] = 1 - p[1]
		return
	}
	q := len(p)
	sums := k.Sums[pixel*(q+1):][:q+1]
	for v := range p {
		p[v] = (sums[v] + float64(k.like[pixel*q+v]*sums[q])) / steps
	}
}

// Step draws all pixels.
func (k *Gibbs) Step(s *State, r *rand.Rand) mcmc.Info {
	for colour := range 2 {
		for y := range k.p.Height {
			from := (y+1)*(k.p.Width+2) + 1
			if k.p.Levels == 2 {
				k.row2(s.levels[from-k.p.Width-2:from+2*k.p.Width+2], y, (y+colour)&1, r)
			} else {
				k.row(s.levels, from, y, (y+colour)&1, r)
			}
		}
	}
	return mcmc.Info{Accepted: true, AcceptProb: 1}
}

// excess is what a neighbour adds to the second level's lead.
var excess = [256]int8{0: -1, 1: 1}

// row2 draws every other pixel of a row of two levels; levels begin above the first pixel, and end below the last.
func (k *Gibbs) row2(levels []uint8, y, first int, r *rand.Rand) {
	width := k.p.Width
	like := k.like[y*width:][:width]
	sums := k.Sums
	if sums != nil {
		sums = sums[y*width:][:width]
	}
	here, below := levels[width+2-1:], levels[2*(width+2):]
	for x := first; x < width; x += 2 {
		lead := excess[levels[x]] + excess[here[x]] + excess[here[x+2]] + excess[below[x]]
		odds := float64(like[x] * k.power[4+lead])
		p := odds / (1 + odds)
		v := uint8(0)
		if r.Float64() < p {
			v = 1
		}
		here[x+1] = v
		if sums != nil {
			sums[x] += p
		}
	}
}

// row draws every other pixel of a row. The weight of a level is its likelihood, and for those of neighbours as much more.
func (k *Gibbs) row(levels []uint8, from, y, first int, r *rand.Rand) {
	width, q := k.p.Width, k.p.Levels
	var level [4]uint8
	var more [4]float64
	for x := first; x < width; x += 2 {
		at, i := from+x, y*width+x
		like := k.like[i*q:][:q]
		near := [4]uint8{levels[at-width-2], levels[at-1], levels[at+1], levels[at+width+2]}
		n, weight := 0, k.total[i]
	next:
		for a, v := range near {
			if v == none {
				continue
			}
			equal := 1
			for b, w := range near {
				switch {
				case w != v || b == a:
				case b < a:
					continue next // counted before
				default:
					equal++
				}
			}
			m := float64(like[v] * k.power[equal])
			level[n], more[n] = v, m
			weight += m
			n++
		}
		levels[at] = pick(level[:n], more[:n], like, float64(r.Float64()*weight))
		if k.Sums != nil {
			sums, scale := k.Sums[i*(q+1):][:q+1], 1/weight
			for j, v := range level[:n] {
				sums[v] += float64(more[j] * scale)
			}
			sums[q] += scale
		}
	}
}

// pick is the level at u of what neighbours add, and then of the likelihoods.
func pick(level []uint8, more, like []float64, u float64) uint8 {
	for j, m := range more {
		if u -= m; u < 0 {
			return level[j]
		}
	}
	v := 0
	for ; v < len(like)-1; v++ {
		if u -= like[v]; u < 0 {
			break
		}
	}
	return uint8(v)
}
