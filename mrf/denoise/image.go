package denoise

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
)

// Image is grey values from 0, black, to 1, row by row.
type Image struct {
	Width, Height int
	Grey          []float64
}

// FromImage takes the luminance of an image.
func FromImage(from image.Image) *Image {
	b := from.Bounds()
	m := &Image{b.Dx(), b.Dy(), make([]float64, b.Dx()*b.Dy())}
	for i := range m.Grey {
		g := color.Gray16Model.Convert(from.At(b.Min.X+i%m.Width, b.Min.Y+i/m.Width)).(color.Gray16)
		m.Grey[i] = float64(g.Y) / math.MaxUint16
	}
	return m
}

// Image8 has 8 bits a pixel.
func (m *Image) Image8() *image.Gray {
	to := image.NewGray(image.Rect(0, 0, m.Width, m.Height))
	for i, g := range m.Grey {
		to.Pix[i] = uint8(math.Round(255 * max(0, min(1, g))))
	}
	return to
}

// Of is an image of the same size with the grey values of levels.
func (m *Image) Of(levels []float64, x []uint8) *Image {
	to := &Image{m.Width, m.Height, make([]float64, len(x))}
	for i, v := range x {
		to.Grey[i] = levels[v]
	}
	return to
}

// Mean is the posterior mean of the grey values.
func (m *Image) Mean(levels []float64, p *Marginals) *Image {
	to := &Image{m.Width, m.Height, make([]float64, len(m.Grey))}
	for i := range to.Grey {
		for v, g := range levels {
			to.Grey[i] += float64(g * p.P[i*len(levels)+v])
		}
	}
	return to
}

// Doubt is, for each pixel, the probability that it does not have its most probable level: black is certain, white the greatest doubt that there can be.
func (m *Image) Doubt(p *Marginals) *Image {
	to := &Image{m.Width, m.Height, make([]float64, len(m.Grey))}
	q := float64(p.Levels)
	for i := range to.Grey {
		to.Grey[i] = (1 - slices.Max(p.P[i*p.Levels:(i+1)*p.Levels])) * q / (q - 1)
	}
	return to
}

// bins is how finely grey values are told apart where levels are looked for.
const bins = 1 << 12

// FindLevels divides the grey values into n groups whose members lie nearest to their group's mean (Lloyd, 1982, from levels at equal distances), and returns the means,
// ascending. An image with no more grey values than that has these for levels, but two at least.
func (m *Image) FindLevels(n int) []float64 {
	var count, sum [bins]float64
	for _, g := range m.Grey {
		b := int(max(0, min(1, g)) * (bins - 1))
		count[b]++
		sum[b] += g
	}
	var means, weights []float64 // of bins that are not empty
	for b := range bins {
		if count[b] > 0 {
			means, weights = append(means, sum[b]/count[b]), append(weights, count[b])
		}
	}
	switch {
	case len(means) == 1:
		return []float64{max(0, means[0]-0.5), min(1, means[0]+0.5)}
	case len(means) <= n:
		return means
	}
	low, high := quantile(means, weights, 0.005), quantile(means, weights, 0.995)
	if low == high {
		low, high = means[0], means[len(means)-1]
	}
	levels := make([]float64, n)
	for k := range levels {
		levels[k] = low + float64((high-low)*((float64(k)+0.5)/float64(n)))
	}
	for range 100 {
		if !lloyd(levels, means, weights) {
			break
		}
	}
	return levels
}

// quantile is the value up to which a share of the weight lies.
func quantile(x, weights []float64, share float64) float64 {
	total := 0.0
	for _, w := range weights {
		total += w
	}
	seen := 0.0
	for k, w := range weights {
		if seen += w; seen >= share*total {
			return x[k]
		}
	}
	return x[len(x)-1]
}

// lloyd moves levels to the means of the values that are nearest to them, and tells whether one moved. Levels and values ascend.
func lloyd(levels, x, weights []float64) (moved bool) {
	sum, weight := make([]float64, len(levels)), make([]float64, len(levels))
	at := 0
	for k, g := range x {
		for at+1 < len(levels) && g > (levels[at]+levels[at+1])/2 {
			at++
		}
		sum[at] += float64(g * weights[k])
		weight[at] += weights[k]
	}
	for k := range levels {
		if weight[k] > 0 {
			g := sum[k] / weight[k]
			moved = moved || math.Abs(g-levels[k]) > 1e-9
			levels[k] = g
		}
	}
	return moved
}

// Nearest is the level nearest to each pixel.
func (m *Image) Nearest(levels []float64) []uint8 {
	x := make([]uint8, len(m.Grey))
	for i, g := range m.Grey {
		for v, l := range levels {
			if math.Abs(g-l) < math.Abs(g-levels[x[i]]) {
				x[i] = uint8(v)
			}
		}
	}
	return x
}

const leastSD = 0.29 / 255 // that of rounding to 8 bits

// FindSD estimates the standard deviation of Gaussian noise from second differences, in which smooth parts of the image cancel (Immerkær, 1996). It
// is at least that of rounding to 8 bits.
func (m *Image) FindSD() float64 {
	sum, n := 0.0, 0
	for y := 1; y < m.Height-1; y++ {
		for x := 1; x < m.Width-1; x++ {
			at := func(dx, dy int) float64 { return m.Grey[(y+dy)*m.Width+x+dx] }
			sum += math.Abs(at(-1, -1) + at(1, -1) + at(-1, 1) + at(1, 1) - float64(2*(at(0, -1)+at(-1, 0)+at(1, 0)+at(0, 1))) + float64(4*at(0, 0)))
			n++
		}
	}
	return max(leastSD, math.Sqrt(math.Pi/2)*sum/(6*float64(max(n, 1))))
}

// FindFlips estimates how often noise changes a level: how often a pixel differs from four neighbours that agree. It is at least 0.001 and at most 0.4.
func (m *Image) FindFlips(x []uint8) float64 {
	agree, differ := 0.0, 0.0
	for y := 1; y < m.Height-1; y++ {
		for c := 1; c < m.Width-1; c++ {
			i := y*m.Width + c
			if v := x[i-1]; v == x[i+1] && v == x[i-m.Width] && v == x[i+m.Width] {
				if agree++; x[i] != v {
					differ++
				}
			}
		}
	}
	return max(0.001, min(0.4, differ/max(agree, 1)))
}

// Gaussian is the posterior of levels where noise of a standard deviation was added to them.
func (m *Image) Gaussian(levels []float64, sd, coupling float64) (*Posterior, error) {
	if !(sd > 0) {
		return nil, fmt.Errorf("denoise: noise of a standard deviation of %v", sd)
	}
	p := &Posterior{Width: m.Width, Height: m.Height, Levels: len(levels), Coupling: coupling, Log: make([]float64, len(m.Grey)*len(levels))}
	for i, g := range m.Grey {
		for v, l := range levels {
			z := (g - l) / sd
			p.Log[i*len(levels)+v] = float64(-z * z / 2)
		}
	}
	return p, p.Check()
}

// Flips is the posterior of levels of which noise changes a share to another, each as often.
func (m *Image) Flips(levels []float64, share, coupling float64) (*Posterior, error) {
	if !(share > 0 && share < 1) {
		return nil, fmt.Errorf("denoise: noise that changes a share of %v", share)
	}
	q := len(levels)
	p := &Posterior{Width: m.Width, Height: m.Height, Levels: q, Coupling: coupling, Log: make([]float64, len(m.Grey)*q)}
	gain := math.Log(1-share) - math.Log(share/float64(q-1))
	for i, v := range m.Nearest(levels) {
		p.Log[i*q+int(v)] = gain
	}
	return p, p.Check()
}
