package denoise

import (
	"context"
	"math"
)

// unit is how many parts of a minimum cut's capacities, which are whole numbers, a unit of log density has.
const unit = 1 << 20

// Mode is a state of the greatest density: of two levels exactly (Greig, Porteous and Seheult, 1989), up to 1e-6 of log density a pixel by which capacities are rounded; of
// more levels one that no expansion of a level raises, whose distance from the maximum is bounded (Boykov, Veksler and Zabih, 2001). show is told
// what level is expanded and may be nil.
func (p *Posterior) Mode(ctx context.Context, show func(done, total int)) (x []uint8, err error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	x = p.likeliest()
	return x, p.raise(ctx, x, mostRounds, show)
}

// likeliest is the level of each pixel that has the greatest likelihood.
func (p *Posterior) likeliest() []uint8 {
	x := make([]uint8, p.Width*p.Height)
	for i := range x {
		for v := range p.Levels {
			if p.Log[i*p.Levels+v] > p.Log[i*p.Levels+int(x[i])] {
				x[i] = uint8(v)
			}
		}
	}
	return x
}

// raise expands all levels in turns, until none changes x or so many rounds have been made.
func (p *Posterior) raise(ctx context.Context, x []uint8, rounds int, show func(done, total int)) error {
	c := newCut(p.Width, p.Height)
	if p.Levels == 2 {
		clear(x) // from there an expansion reaches every state
	}
	still := 0 // levels since the last that changed something
	for n := 0; n < rounds*p.Levels && still < p.Levels; n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if show != nil {
			show(n, max(n, 3*p.Levels))
		}
		if p.Levels == 2 {
			p.expand(c, x, 1)
			return nil
		}
		if still++; p.expand(c, x, uint8(n%p.Levels)) {
			still = 0
		}
	}
	return nil
}

const mostRounds = 20

// expand gives pixels the level that raises the density most, together; false where none changes. The cut decides of each pixel
// whether it keeps its level, on the first side, or gets the new one.
func (p *Posterior) expand(c *cut, x []uint8, level uint8) bool {
	stride := p.Width + 2
	w := int64(math.Round(p.Coupling * unit))
	clear(c.rest)
	clear(c.ends)
	for i, v := range x {
		at := (i/p.Width+1)*stride + i%p.Width + 1
		if v != level {
			d := p.Log[i*p.Levels+int(v)] - p.Log[i*p.Levels+int(level)]
			c.ends[at] += int64(math.Round(max(-steepest, min(steepest, d)) * unit)) // what the new level costs more
		}
		for d := 0; d < 3; d += 2 {
			j := i + 1
			if d == 2 {
				j = i + p.Width
			}
			if d == 0 && i%p.Width == p.Width-1 || j >= len(x) {
				continue
			}
			c.pair(at, d, w, v, x[j], level)
		}
	}
	c.find()
	changed := false
	for i, v := range x {
		if v != level && c.side((i/p.Width+1)*stride+i%p.Width+1) {
			x[i], changed = level, true
		}
	}
	return changed
}

// pair adds the cost w of unequal neighbours (Kolmogorov and Zabih, 2004, for the four cases of keeping and changing).
func (c *cut) pair(at, d int, w int64, v, other, level uint8) {
	var keep, second, first int64 // both keep, the second changes, the first changes; both change costs nothing
	if v != other {
		keep = w
	}
	if v != level {
		second = w
	}
	if other != level {
		first = w
	}
	c.ends[at] += first - keep
	c.ends[at+c.offset[d]] -= first
	c.rest[4*at+d] += second + first - keep
}
