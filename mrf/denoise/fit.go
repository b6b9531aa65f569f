package denoise

import (
	"context"
	"math"
)

// Smooth is the image whose pixels are the means of squares with five pixels a side, as far as these are in the image.
func (m *Image) Smooth() *Image {
	const reach = 2
	to := &Image{m.Width, m.Height, make([]float64, len(m.Grey))}
	for y := range m.Height {
		for x := range m.Width {
			sum, n := 0.0, 0.0
			for v := max(0, y-reach); v <= min(m.Height-1, y+reach); v++ {
				for u := max(0, x-reach); u <= min(m.Width-1, x+reach); u++ {
					sum += m.Grey[v*m.Width+u]
					n++
				}
			}
			to.Grey[y*m.Width+x] = sum / n
		}
	}
	return to
}

const (
	mostFits = 8
	settled  = 0.25 / 255 // the change of greys below which a fit ends
)

// Fit improves levels and the standard deviation of Gaussian noise by turns: one round of expansions towards the mode of the posterior says which pixels have a level, and their mean and
// their distance from it say what level and noise are. What is not to be fitted stays.
func (m *Image) Fit(ctx context.Context, levels []float64, sd, coupling float64, fitLevels, fitSD bool) ([]float64, float64, error) {
	var x []uint8
	for range mostFits {
		if !fitLevels && !fitSD {
			break
		}
		p, err := m.Gaussian(levels, sd, coupling)
		if err != nil {
			return nil, 0, err
		}
		if x == nil {
			x = p.likeliest()
		}
		if err := p.raise(ctx, x, 1, nil); err != nil {
			return nil, 0, err
		}
		sum, count := make([]float64, len(levels)), make([]float64, len(levels))
		for i, v := range x {
			sum[v] += m.Grey[i]
			count[v]++
		}
		moved := 0.0
		next := make([]float64, len(levels))
		for v, g := range levels {
			if next[v] = g; fitLevels && count[v] > 0 {
				next[v] = sum[v] / count[v]
				moved = max(moved, math.Abs(next[v]-g))
			}
			if v > 0 && !(next[v] > next[v-1]) { // levels that have fallen together stay as they were
				return levels, sd, nil
			}
		}
		levels = next
		if fitSD {
			square := 0.0
			for i, v := range x {
				d := m.Grey[i] - levels[v]
				square += float64(d * d)
			}
			fitted := max(leastSD, math.Sqrt(square/float64(len(x))))
			moved = max(moved, math.Abs(fitted-sd))
			sd = fitted
		}
		if moved < settled {
			break
		}
	}
	return levels, sd, nil
}
