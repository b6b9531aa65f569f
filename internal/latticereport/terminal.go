package latticereport

import (
	"fmt"
	"image/color"
	"strings"

	"github.com/ergodic-mcmc/ergodic/lattice"
)

// Tones is what a terminal can show.
type Tones uint8

// What a terminal can show.
const (
	ASCII   Tones = iota // a character for two rows
	Blocks               // half blocks, in one colour
	Colours              // half blocks in 256 colours
)

// Terminal draws spins in a few lines of text. A character stands for two pixels above one another, and a pixel for a site, or for
// several where the lattice is larger than the text: a mean of Ising's two, or the colour that most of them have.
type Terminal struct {
	canvas        *Canvas
	tones         Tones
	width, height int // pixels; height is even
	rgb           [][3]int
	count         []int32 // pixels × (colours + 1), the last for what is beside the lattice
	last          [2]int  // colours of the character before
}

const sampled = 1024 // pixels of the lattice each way that are looked at

// NewTerminal fits a lattice into so many columns and lines.
func NewTerminal(l lattice.Geometry, colours, columns, lines int, tones Tones) (*Terminal, error) {
	side := 1
	if l.Kind != lattice.Cubic && len(l.Size) == 2 {
		side = 2 * max(l.Size[0], l.Size[1])
	}
	c, err := NewCanvas(l, colours, side)
	if err != nil {
		return nil, err
	}
	return fit(c, columns, lines, tones), nil
}

// GraphTerminal fits the sites of a graph, row by row.
func GraphTerminal(sites, colours, columns, lines int, tones Tones) (*Terminal, error) {
	c, err := GraphCanvas(sites, colours, 1)
	if err != nil {
		return nil, err
	}
	return fit(c, columns, lines, tones), nil
}

func fit(c *Canvas, columns, lines int, tones Tones) *Terminal {
	columns, rows := max(columns, 1), max(2*lines, 2)
	shrink := max(float64(c.Width)/float64(columns), float64(c.Height)/float64(rows), 1)
	t := &Terminal{canvas: c, tones: tones, width: max(int(float64(c.Width)/shrink), 1), height: max(int(float64(c.Height)/shrink), 1)}
	t.height += t.height % 2
	t.count = make([]int32, t.width*t.height*(c.colours+1))
	for _, p := range Palette(c.colours) {
		n := p.(color.NRGBA)
		t.rgb = append(t.rgb, [3]int{int(n.R), int(n.G), int(n.B)})
	}
	return t
}

// Lines are the picture of the spins, without line ends. Each line ends in the terminal's own colours.
func (t *Terminal) Lines(spins []uint8) []string {
	t.tally(spins)
	var lines []string
	for y := 0; y < t.height; y += 2 {
		var b strings.Builder
		t.last = [2]int{-2, -2}
		for x := range t.width {
			t.cell(&b, t.pixel(x, y), t.pixel(x, y+1))
		}
		if t.last != [2]int{-2, -2} {
			b.WriteString("\x1b[0m")
		}
		lines = append(lines, b.String())
	}
	return lines
}

// pixel are the counts of the colours.
func (t *Terminal) pixel(x, y int) []int32 {
	n := t.canvas.colours + 1
	k := (y*t.width + x) * n
	return t.count[k : k+n]
}

// tally counts the colours of each pixel.
func (t *Terminal) tally(spins []uint8) {
	clear(t.count)
	c := t.canvas
	stepX, stepY := max(c.Width/sampled, 1), max(c.Height/sampled, 1)
	height := min(t.height, c.Height) // an odd height leaves half a line
	for y := 0; y < c.Height; y += stepY {
		row := y * height / c.Height
		for x := 0; x < c.Width; x += stepX {
			p := t.pixel(x*t.width/c.Width, row)
			if k := c.site[y*c.Width+x]; k >= 0 {
				p[spins[k]]++
			} else {
				p[c.colours]++
			}
		}
	}
}

// most is the colour that most have; −1: beside the lattice.
func (t *Terminal) most(p []int32) int {
	at := t.canvas.colours
	for k, n := range p[:t.canvas.colours] {
		if n > p[at] {
			at = k
		}
	}
	if at == t.canvas.colours {
		return -1
	}
	return at
}

// cell writes the character of two pixels.
func (t *Terminal) cell(b *strings.Builder, above, below []int32) {
	if t.tones == Colours {
		t.colour(b, t.shade(above), t.shade(below))
		return
	}
	up, down := t.most(above), t.most(below)
	switch {
	case up < 0 && down < 0:
		b.WriteByte(' ')
	case t.canvas.colours > 2 || t.tones == ASCII:
		const ascii = ".#ox+*%@=-:~abcdefghijklmnopqrstuvwyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
		b.WriteByte(ascii[max(up, down)%len(ascii)])
	default:
		b.WriteString([]string{" ", "▄", "▀", "█"}[2*max(up, 0)+max(down, 0)])
	}
}

// shade is the colour of a pixel among a terminal's 256; −1: its background. Of two spins it is between navy and sand, of more that of the
// spin that most sites have.
func (t *Terminal) shade(p []int32) int {
	k := t.most(p)
	if k < 0 || t.canvas.colours > 2 {
		return t.tone(k)
	}
	ramp := [...]int{17, 24, 66, 109, 145, 187, 230}
	return ramp[int(p[1])*(2*len(ramp)-1)/(2*int(p[0]+p[1]))]
}

// tone is the colour of a spin, nearest to that of [Palette]; the cube has few dark ones, which are chosen.
func (t *Terminal) tone(k int) int {
	tones := [...]int{17, 230, 166, 73, 179, 89, 107, 104}
	switch {
	case k < 0:
		return -1
	case t.canvas.colours <= len(tones):
		return tones[k]
	}
	return xterm(t.rgb[k][0], t.rgb[k][1], t.rgb[k][2])
}

// xterm is the nearest colour of the cube of 6 × 6 × 6 that begins at 16, or of the 24 greys after it.
func xterm(r, g, b int) int {
	level := func(i int) int {
		if i == 0 {
			return 0
		}
		return 55 + 40*i
	}
	near := func(x int) int {
		if x < 48 {
			return 0
		}
		return min((x-35)/40, 5)
	}
	square := func(x int) int { return x * x }
	i, j, k := near(r), near(g), near(b)
	grey := min(max((r+g+b)/3-3, 0)/10, 23)
	v := 8 + 10*grey
	if square(v-r)+square(v-g)+square(v-b) < square(level(i)-r)+square(level(j)-g)+square(level(k)-b) {
		return 232 + grey
	}
	return 16 + 36*i + 6*j + k
}

// colour writes an upper half block in one colour on the other.
func (t *Terminal) colour(b *strings.Builder, up, down int) {
	if up < 0 && down < 0 {
		if t.last != [2]int{-1, -1} {
			b.WriteString("\x1b[0m")
		}
		t.last = [2]int{-1, -1}
		b.WriteByte(' ')
		return
	}
	glyph, front, back := "▀", up, down
	if up < 0 {
		glyph, front, back = "▄", down, up
	}
	if t.last != [2]int{front, back} {
		if back < 0 {
			fmt.Fprintf(b, "\x1b[0;38;5;%dm", front)
		} else {
			fmt.Fprintf(b, "\x1b[38;5;%d;48;5;%dm", front, back)
		}
		t.last = [2]int{front, back}
	}
	b.WriteString(glyph)
}
