package rbm

import (
	"fmt"
	"image"
	"image/color"
	"math"
)

// Grid says how numbers become pictures side by side.
type Grid struct {
	Rows, Columns int // of a picture
	Across        int // pictures in a row of the grid; 0: as square as can be
	// Low and High are black and white. Where both are 0 each picture has its
	// own: grey is 0, and what is furthest from it black or white.
	Low, High float64
}

// maxPixels bounds a picture, 256 MiB.
const maxPixels = 1 << 28

// frame is the width of the lines between pictures, and their grey.
const (
	frame     = 1
	frameGrey = 96
)

// Draw puts the pictures, by rows, into a grid.
func (g Grid) Draw(pictures [][]float64) (*image.Gray, error) {
	n := len(pictures)
	if n == 0 || g.Rows < 1 || g.Columns < 1 || g.Across < 0 {
		return nil, fmt.Errorf("a grid of %d pictures of %d×%d, %d in a row, cannot be drawn", n, g.Rows, g.Columns, g.Across)
	}
	across := g.Across
	if across == 0 {
		across = int(math.Ceil(math.Sqrt(float64(n))))
	}
	across = min(across, n)
	down := (n + across - 1) / across
	width, height := across*(g.Columns+frame)+frame, down*(g.Rows+frame)+frame
	if width > maxPixels/height {
		return nil, fmt.Errorf("a grid of %d×%d pixels is too large; draw fewer pictures", width, height)
	}
	im := image.NewGray(image.Rect(0, 0, width, height))
	for k := range im.Pix {
		im.Pix[k] = frameGrey
	}
	for k, p := range pictures {
		if len(p) != g.Rows*g.Columns {
			return nil, fmt.Errorf("picture %d has %d numbers; %d×%d are %d", k+1, len(p), g.Rows, g.Columns, g.Rows*g.Columns)
		}
		low, high := g.levels(p)
		x0, y0 := k%across*(g.Columns+frame)+frame, k/across*(g.Rows+frame)+frame
		for i, v := range p {
			level := 255 * (v - low) / (high - low)
			im.SetGray(x0+i%g.Columns, y0+i/g.Columns, color.Gray{Y: uint8(max(0, min(255, math.Round(level))))})
		}
	}
	return im, nil
}

// levels are black and white of a picture.
func (g Grid) levels(p []float64) (low, high float64) {
	if g.Low != 0 || g.High != 0 {
		return g.Low, g.High
	}
	most := math.SmallestNonzeroFloat32
	for _, v := range p {
		most = max(most, math.Abs(v))
	}
	return -most, most
}
