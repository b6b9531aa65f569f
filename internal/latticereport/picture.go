package latticereport

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/lattice"
)

// Canvas is where the sites of a lattice lie in a picture of it: each pixel shows the site whose place is nearest.
type Canvas struct {
	Width, Height int
	site          []int32 // of each pixel; −1: none
	colours       int
}

const (
	mostSide   = 4096
	sliceGap   = 2 // sites between the slices of a lattice of three dimensions or more
	mostSlices = 16
)

// NewCanvas arranges a lattice in a picture whose longer side has about so many pixels, or of a square lattice as many as it has sites,
// up to 4096: of larger ones every second site is shown, or fewer. A chain is a strip, a lattice of more than two
// dimensions is slices along the third and further ones, at equal distances. A triangular lattice has hexagons, a honeycomb triangles;
// its slanted cells are wrapped into a rectangle.
func NewCanvas(l lattice.Geometry, colours, side int) (*Canvas, error) {
	if len(l.Size) == 0 || slices.Min(l.Size) < 1 || l.Kind != lattice.Cubic && len(l.Size) != 2 {
		return nil, fmt.Errorf("no picture of a lattice of size %v", l)
	}
	if l.Kind == lattice.Cubic {
		return cubic(l, colours, side)
	}
	return slanted(l, colours, side)
}

// GraphCanvas arranges the sites of a graph without places row by row in a square.
func GraphCanvas(sites, colours, side int) (*Canvas, error) {
	width := int(math.Ceil(math.Sqrt(float64(sites))))
	return blocks(width, (sites+width-1)/width, side, colours, func(x, y int) int {
		if i := y*width + x; i < sites {
			return i
		}
		return -1
	})
}

// blocks gives each of width × height cells a square of pixels, or part of one.
func blocks(width, height, side, colours int, site func(x, y int) int) (*Canvas, error) {
	longer := max(width, height)
	scale := max(side/longer, 1)
	shrink := (longer + mostSide - 1) / mostSide // only ever above 1 where scale is 1
	c := &Canvas{Width: max(width*scale/shrink, 1), Height: max(height*scale/shrink, 1), colours: colours}
	if err := memory.Room(4 * memory.Product(c.Width, c.Height)); err != nil {
		return nil, fmt.Errorf("a picture of %d×%d pixels: %w", c.Width, c.Height, err)
	}
	c.site = make([]int32, c.Width*c.Height)
	for y := range c.Height {
		for x := range c.Width {
			c.site[y*c.Width+x] = int32(site(x*shrink/scale, y*shrink/scale))
		}
	}
	return c, nil
}

// cubic arranges chains, squares, and slices of what has more dimensions.
func cubic(l lattice.Geometry, colours, side int) (*Canvas, error) {
	w, h := l.Size[0], 1
	if len(l.Size) > 1 {
		h = l.Size[1]
	}
	rest := 1
	for _, k := range l.Size[min(2, len(l.Size)):] {
		rest *= k
	}
	if len(l.Size) == 1 {
		strip := max(w/16, 1)
		return blocks(w, strip, side, colours, func(x, _ int) int { return x })
	}
	shown := min(rest, mostSlices)
	columns := int(math.Ceil(math.Sqrt(float64(shown))))
	rows := (shown + columns - 1) / columns
	return blocks(columns*(w+sliceGap)-sliceGap, rows*(h+sliceGap)-sliceGap, side, colours, func(x, y int) int {
		column, row := x/(w+sliceGap), y/(h+sliceGap)
		x, y = x%(w+sliceGap), y%(h+sliceGap)
		slice := row*columns + column
		if x >= w || y >= h || slice >= shown {
			return -1
		}
		return (slice*rest/shown*h+y)*w + x
	})
}

// slanted finds for each pixel the nearest site of a triangular or honeycomb lattice, whose rows of cells are shifted by half a cell each
// and wrap around.
func slanted(l lattice.Geometry, colours, side int) (*Canvas, error) {
	columns, rows := l.Size[0], l.Size[1]
	const tall = 0.8660254037844386 // √3/2: the height of a row in widths of a cell
	scale := max(float64(side)/max(float64(columns), float64(rows)*tall), 2)
	scale = min(scale, mostSide/max(float64(columns), float64(rows)*tall))
	c := &Canvas{Width: max(int(float64(columns)*scale), 1), Height: max(int(float64(rows)*tall*scale), 1), colours: colours}
	if err := memory.Room(4 * memory.Product(c.Width, c.Height)); err != nil {
		return nil, fmt.Errorf("a picture of %d×%d pixels: %w", c.Width, c.Height, err)
	}
	c.site = make([]int32, c.Width*c.Height)
	for y := range c.Height {
		for x := range c.Width {
			v := (float64(y) + 0.5) / (scale * tall) // rows from the top
			u := (float64(x)+0.5)/scale - float64(v/2)
			c.site[y*c.Width+x] = int32(nearest(l, u, v))
		}
	}
	return c, nil
}

// nearest is the site next to a point in units of the cell's two sides, which meet at 60 degrees.
func nearest(l lattice.Geometry, u, v float64) int {
	best, at := math.Inf(1), 0
	bu, bv := int(math.Floor(u)), int(math.Floor(v))
	try := func(cu, cv int, du, dv float64, second int) {
		a, b := u-float64(cu)-du, v-float64(cv)-dv
		if d := float64(a*a) + float64(b*b) + float64(a*b); d < best {
			best = d
			cell := wrap(cu, l.Size[0]) + l.Size[0]*wrap(cv, l.Size[1])
			if at = cell; l.Kind == lattice.Honeycomb {
				at = 2*cell + second
			}
		}
	}
	for cv := bv - 1; cv <= bv+1; cv++ {
		for cu := bu - 1; cu <= bu+1; cu++ {
			try(cu, cv, 0, 0, 0)
			if l.Kind == lattice.Honeycomb { // the second site of a cell is at a third of both sides
				try(cu, cv, 1.0/3, 1.0/3, 1)
			}
		}
	}
	return at
}

func wrap(x, length int) int { return ((x % length) + length) % length }

// Paint fills an image of the canvas's size: colour numbers are those of [Palette].
func (c *Canvas) Paint(to *image.Paletted, spins []uint8) {
	background := uint8(c.colours)
	for i, k := range c.site {
		if k < 0 {
			to.Pix[i] = background
		} else {
			to.Pix[i] = spins[k]
		}
	}
}

// Image is a new picture of the spins.
func (c *Canvas) Image(spins []uint8) *image.Paletted {
	p := image.NewPaletted(image.Rect(0, 0, c.Width, c.Height), Palette(c.colours))
	c.Paint(p, spins)
	return p
}

// WritePNG writes a picture of spins.
func (c *Canvas) WritePNG(w io.Writer, spins []uint8) error {
	e := png.Encoder{CompressionLevel: png.BestCompression}
	return e.Encode(w, c.Image(spins))
}

// Palette is the colours of so many spins, two tones of Ising's, with white for what is beside the lattice as the last.
func Palette(colours int) color.Palette {
	tones := [...]color.NRGBA{
		{0x16, 0x32, 0x4F, 0xFF}, // navy
		{0xF4, 0xE8, 0xD0, 0xFF}, // sand
		{0xD5, 0x5E, 0x00, 0xFF}, // vermilion
		{0x4F, 0x9D, 0xA6, 0xFF}, // teal
		{0xE9, 0xB4, 0x4C, 0xFF}, // ochre
		{0x9B, 0x2D, 0x4F, 0xFF}, // claret
		{0x7D, 0x9A, 0x5B, 0xFF}, // sage
		{0x8E, 0x7C, 0xC3, 0xFF}, // lavender
	}
	var p color.Palette
	for k := range colours {
		switch {
		case colours <= len(tones):
			p = append(p, tones[k])
		default:
			p = append(p, wheel(k, colours))
		}
	}
	if len(p) < 256 {
		p = append(p, color.NRGBA{0xFF, 0xFF, 0xFF, 0xFF})
	}
	return p
}

// wheel spreads colours over hues, and over three lightnesses in turn, so that neighbours differ.
func wheel(k, n int) color.NRGBA {
	hue := 2 * math.Pi * float64(k) / float64(n)
	light := [...]float64{0.52, 0.72, 0.86}[k%3]
	part := func(shift float64) uint8 {
		x := light + float64(0.34*math.Cos(hue-shift)*(1.15-light))
		return uint8(255 * min(max(x, 0), 1))
	}
	return color.NRGBA{part(0), part(2 * math.Pi / 3), part(4 * math.Pi / 3), 0xFF}
}
