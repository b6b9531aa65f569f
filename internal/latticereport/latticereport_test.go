package latticereport

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/lattice"
	"github.com/ergodic-mcmc/ergodic/report"
	"github.com/ergodic-mcmc/ergodic/rng"
)

func canvas(t *testing.T, l lattice.Geometry, q, side int) *Canvas {
	t.Helper()
	c, err := NewCanvas(l, q, side)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// random are spins of q colours.
func random(n, q int, seed uint64) []uint8 {
	r := rng.New(seed, "spins")
	s := make([]uint8, n)
	for i := range s {
		s[i] = uint8(r.IntN(q))
	}
	return s
}

// Each site of a square lattice is a square of pixels of its colour, row by row, in the PNG too.
func TestSquarePicture(t *testing.T) {
	c := canvas(t, lattice.Geometry{Size: []int{5, 3}}, 2, 52)
	if c.Width != 50 || c.Height != 30 {
		t.Fatalf("%d×%d pixels", c.Width, c.Height)
	}
	s := random(15, 2, 1)
	var b bytes.Buffer
	if err := c.WritePNG(&b, s); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	for y := range 30 {
		for x := range 50 {
			want := color.RGBAModel.Convert(Palette(2)[s[y/10*5+x/10]])
			if got := color.RGBAModel.Convert(img.At(x, y)); got != want {
				t.Fatalf("pixel %d, %d is %v, want %v", x, y, got, want)
			}
		}
	}
}

// area counts the pixels of each site.
func (c *Canvas) area() map[int32]int {
	n := map[int32]int{}
	for _, k := range c.site {
		n[k]++
	}
	return n
}

func TestSlices(t *testing.T) {
	c := canvas(t, lattice.Geometry{Size: []int{6, 4, 32}}, 2, 1)
	area := c.area()
	// 16 slices in a square of 4: 4·6 + 3·2 by 4·4 + 3·2 pixels.
	if c.Width != 30 || c.Height != 22 || len(area) != 16*24+1 || area[-1] != 30*22-16*24 {
		t.Fatalf("%d×%d pixels, %d sites, %d beside", c.Width, c.Height, len(area)-1, area[-1])
	}
	for k := range area {
		if z := k / 24; k >= 0 && z%2 != 0 {
			t.Errorf("slice %d is not every second", z)
		}
	}
	for _, l := range []lattice.Geometry{{Size: []int{7}}, {Size: []int{2, 2, 2, 2}}, {Size: []int{1, 1}}, {Size: []int{9000, 2}}} {
		c := canvas(t, l, 3, 100)
		n := 1
		for _, k := range l.Size {
			n *= k
		}
		c.Image(random(n, 3, 2)) // every site exists
		if c.Width > mostSide {
			t.Errorf("%v: %d pixels wide", l, c.Width)
		}
	}
	for _, l := range []lattice.Geometry{{}, {Size: []int{0, 3}}, {Kind: lattice.Triangular, Size: []int{3}}} {
		if _, err := NewCanvas(l, 2, 10); err == nil {
			t.Errorf("a picture of %v", l)
		}
	}
}

// Sites that share an edge in the picture are neighbours, and the other way round, but for those that meet across the edge of the
// picture. Cells have equal areas.
func TestSlantedPictures(t *testing.T) {
	const side = 8
	for _, kind := range []lattice.Kind{lattice.Triangular, lattice.Honeycomb} {
		basis := 1
		if kind == lattice.Honeycomb {
			basis = 2
		}
		at := func(x, y int) int { return wrap(x, side) + side*wrap(y, side) }
		bonds := map[[2]int]bool{}
		join := func(i, j int) { bonds[[2]int{min(i, j), max(i, j)}] = true }
		for c := range side * side {
			x, y := c%side, c/side
			if kind == lattice.Triangular {
				join(c, at(x+1, y))
				join(c, at(x, y+1))
				join(c, at(x-1, y+1))
			} else {
				join(2*c, 2*c+1)
				join(2*c, 2*at(x-1, y)+1)
				join(2*c, 2*at(x, y-1)+1)
			}
		}
		c := canvas(t, lattice.Geometry{Kind: kind, Size: []int{side, side}}, 2, 40*side)
		shared := map[[2]int]int{}
		for y := range c.Height - 1 {
			for x := range c.Width {
				i := int(c.site[y*c.Width+x])
				for _, j := range []int{int(c.site[(y+1)*c.Width+x]), int(c.site[y*c.Width+(x+1)%c.Width])} {
					if i != j {
						shared[[2]int{min(i, j), max(i, j)}]++
					}
				}
			}
		}
		for pair, n := range shared {
			if n > 6 && !bonds[pair] {
				t.Errorf("kind %d: sites %v share %d pixels of edge and are no neighbours", kind, pair, n)
			}
		}
		for pair := range bonds {
			across := pair[0] < basis*side && pair[1] >= basis*side*(side-1)
			if shared[pair] <= 6 && !across {
				t.Errorf("kind %d: neighbours %v share %d pixels of edge", kind, pair, shared[pair])
			}
		}
		for k, n := range c.area() {
			want := 40 * 40 * 0.8660254 / float64(basis)
			if math.Abs(float64(n)/want-1) > 0.1 {
				t.Errorf("kind %d: site %d has %d pixels, want %.0f", kind, k, n, want)
			}
		}
	}
}

// A film decoded and laid on top of one another is the spins, frame by frame.
func TestFilm(t *testing.T) {
	for _, q := range []int{2, 3, 8, 200, 255} {
		c := canvas(t, lattice.Geometry{Size: []int{13, 9, 2}}, q, 60)
		var b bytes.Buffer
		f, err := NewFilm(&b, c, 10)
		if err != nil {
			t.Fatal(err)
		}
		s := random(13*9*2, q, 5)
		var want []*image.Paletted
		r := rng.New(6, "film")
		for k := range 30 {
			if k%7 != 3 { // frames without a change
				for range 1 + 40*(k%2) {
					s[r.IntN(len(s))] = uint8(r.IntN(q))
				}
			}
			want = append(want, c.Image(s))
			if err := f.Add(s); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		g, err := gif.DecodeAll(&b)
		if err != nil || len(g.Image) != len(want) || g.LoopCount != 0 || g.Delay[3] != 10 {
			t.Fatalf("%d colours: %v, %d frames", q, err, len(g.Image))
		}
		screen := image.NewRGBA(g.Image[0].Rect)
		for k, frame := range g.Image {
			for y := frame.Rect.Min.Y; y < frame.Rect.Max.Y; y++ {
				for x := frame.Rect.Min.X; x < frame.Rect.Max.X; x++ {
					if _, _, _, a := frame.At(x, y).RGBA(); a != 0 {
						screen.Set(x, y, frame.At(x, y))
					}
				}
			}
			for y := range c.Height {
				for x := range c.Width {
					if screen.At(x, y) != color.RGBAModel.Convert(want[k].At(x, y)) {
						t.Fatalf("%d colours: frame %d differs at %d, %d", q, k, x, y)
					}
				}
			}
		}
	}
	if _, err := NewFilm(io.Discard, canvas(t, lattice.Geometry{Size: []int{2, 2}}, 2, 2), 0); err == nil {
		t.Error("a film of 0 frames a second")
	}
}

func TestTerminal(t *testing.T) {
	l := lattice.Geometry{Size: []int{4, 4}}
	s := []uint8{1, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 1}
	for _, c := range []struct {
		tones Tones
		want  []string
	}{
		{Blocks, []string{"█▄▀ ", "▄  █"}},
		{ASCII, []string{"###.", "#..#"}},
		{Colours, []string{
			"\x1b[38;5;230;48;5;230m▀\x1b[38;5;17;48;5;230m▀\x1b[38;5;230;48;5;17m▀\x1b[38;5;17;48;5;17m▀\x1b[0m",
			"\x1b[38;5;17;48;5;230m▀\x1b[38;5;17;48;5;17m▀▀\x1b[38;5;230;48;5;230m▀\x1b[0m"}},
	} {
		v, err := NewTerminal(l, 2, 80, 24, c.tones)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // again, and the same
			if got := v.Lines(s); !slices.Equal(got, c.want) {
				t.Errorf("%d: %q, want %q", c.tones, got, c.want)
			}
		}
	}
	// Larger lattices, of any kind, fit.
	for _, l := range []lattice.Geometry{{Size: []int{300, 500}}, {Size: []int{20, 20, 20}}, {Kind: lattice.Honeycomb, Size: []int{40, 40}}, {Size: []int{5000}}} {
		n := 2
		for _, k := range l.Size {
			n *= k
		}
		v, err := NewTerminal(l, 12, 40, 10, Blocks)
		if err != nil {
			t.Fatal(err)
		}
		lines := v.Lines(random(n, 12, 3))
		if len(lines) > 10 || strings.Contains(strings.Join(lines, ""), "\x1b") {
			t.Errorf("%v: %q", l, lines)
		}
		for _, line := range lines {
			if len(line) > 40 {
				t.Errorf("%v: %q", l, line)
			}
		}
	}
	if v, err := GraphTerminal(10, 2, 80, 5, Blocks); err != nil || strings.Join(v.Lines(slices.Repeat([]uint8{1}, 10)), "/") != "████/▀▀  " {
		t.Errorf("%v", err)
	}
}

// points are a scan of three sizes with numbers that have no meaning.
func points() (all []*Point) {
	for _, size := range []float64{16, 32, 64} {
		for k := range 9 {
			temperature := 2.5 - 0.05*float64(k)
			x := (temperature - 2.269) * size
			n := report.Number(math.NaN())
			all = append(all, &Point{Model: "ising", Lattice: "square", Size: fmt.Sprintf("%gx%g", size, size), Q: 2, Algorithm: "wolff",
				Beta: report.Number(1 / temperature), Temperature: report.Number(temperature), Energy: report.Number(-1.4 + 0.1*x), EnergySE: 0.01,
				SpecificHeat: report.Number(2 - x*x/100), SpecificHeatSE: 0.1, AbsMagnetisation: report.Number(1 / (1 + math.Exp(x))), AbsMagnetisationSE: 0.02,
				Susceptibility: report.Number(size * size / (100 + x*x)), SusceptibilitySE: report.Number(size / 10), Binder: report.Number(0.6 / (1 + math.Exp(x/2))), BinderSE: n,
				TauEnergy: n, WallS: 1.5})
		}
	}
	return all
}

func TestScanPlots(t *testing.T) {
	for name, p := range map[string]report.Page{
		"three sizes": ScanPlots(points(), []Curve{{Size: "16x16", Temperature: []float64{2.1, 2.5}, Values: [5][]float64{{-1.5, -1.3}}}}, 2.269),
		"one point":   ScanPlots(points()[:1], nil, math.NaN()),
		"none":        ScanPlots(nil, nil, math.NaN()),
	} {
		var b bytes.Buffer
		if err := p.Write(&b, "svg"); err != nil {
			t.Fatal(err)
		}
		d := xml.NewDecoder(bytes.NewReader(b.Bytes()))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
		if bytes.Contains(b.Bytes(), []byte("NaN")) || bytes.Contains(b.Bytes(), []byte("Inf")) {
			t.Errorf("%s: coordinates that are not finite", name)
		}
		if name != "three sizes" {
			continue
		}
		for _, want := range []string{">Ising model, square lattice, wolff<", ">size<", ">64x64<", ">Tc<", ">temperature  T<", ">2.25<", ">nothing to draw<"} {
			if !strings.Contains(b.String(), want) {
				t.Errorf("no %q in the picture", want)
			}
		}
	}
}

// The columns are the fields of the JSON object, and the cells their values, empty for null.
func TestCSV(t *testing.T) {
	all := points()[:4]
	trips := 3
	all[1].RoundTrips = &trips
	var b bytes.Buffer
	if err := WriteCSV(&b, all); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(rows) != 5 {
		t.Fatalf("%v, %d lines", err, len(rows))
	}
	for k, p := range all {
		text, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		var object map[string]any
		if err := json.Unmarshal(text, &object); err != nil {
			t.Fatal(err)
		}
		for i, name := range rows[0] {
			got := rows[k+1][i]
			switch want := object[name].(type) {
			case nil:
				if got != "" {
					t.Errorf("%s is %q, null in JSON", name, got)
				}
			case string:
				if got != want {
					t.Errorf("%s is %q, want %q", name, got, want)
				}
			case float64:
				if x, err := strconv.ParseFloat(got, 64); err != nil || x != want {
					t.Errorf("%s is %q, want %v", name, got, want)
				}
			}
			delete(object, name)
		}
		if len(object) > 0 {
			t.Errorf("not in the CSV: %v", object)
		}
	}
}

// Points made of scaling functions fall on these, whatever the size.
func TestCollapse(t *testing.T) {
	e, ok := KnownExponents(2, 3, false)
	if !ok || math.Abs(e.Tc-0.9949728613) > 1e-9 {
		t.Fatalf("%+v", e)
	}
	var all []*Point
	for _, side := range []float64{10, 20, 40} {
		for k := range 5 {
			x := float64(k) - 2
			temperature := e.Tc * (1 + x*math.Pow(side, -1/e.Nu))
			all = append(all, &Point{Size: fmt.Sprintf("%gx%g", side, side), Temperature: report.Number(temperature), Binder: report.Number(x),
				AbsMagnetisation: report.Number(math.Pow(side, -2.0/15) * (10 - x)), Susceptibility: report.Number(math.Pow(side, 26.0/15) * (10 + x)), SusceptibilitySE: report.Number(math.Pow(side, 26.0/15))})
		}
	}
	charts := e.collapsed(bySize(all))
	for k, want := range []func(x float64) float64{func(x float64) float64 { return 10 - x }, func(x float64) float64 { return 10 + x }, func(x float64) float64 { return x }} {
		for i, s := range charts[k].Sets {
			for j, x := range s.X {
				if math.Abs(x-float64(j-2)) > 1e-9 || math.Abs(s.Y[j]-want(x)) > 1e-9 || k == 1 && math.Abs(s.SE[j]-1) > 1e-9 {
					t.Errorf("%s, size %d: %v, %v ± %v", charts[k].Title, i, x, s.Y[j], s.SE[j])
				}
			}
		}
	}
	var b bytes.Buffer
	if err := CollapsePlots(all, e).Write(&b, "svg"); err != nil || !strings.Contains(b.String(), "ν = 0.83333") {
		t.Error(err)
	}
	for _, none := range [][2]int{{1, 2}, {2, 5}, {3, 3}, {4, 2}} {
		if _, ok := KnownExponents(none[0], none[1], false); ok {
			t.Errorf("exponents of %d dimensions and %d colours", none[0], none[1])
		}
	}
	if e, _ := KnownExponents(2, 2, true); math.Abs(e.Tc-2.2691853142) > 1e-9 {
		t.Errorf("%+v", e)
	}
	if e, _ := KnownExponents(3, 2, true); math.Abs(e.Tc-4.5115) > 1e-3 {
		t.Errorf("%+v", e)
	}
}

// The area below a density is 1, and bins have as many energies each, so that a flat histogram of every second multiple is flat.
func TestDensity(t *testing.T) {
	var h lattice.Histogram
	for k := range 100 {
		h.Energy, h.Count = append(h.Energy, -1+0.02*float64(k)), append(h.Count, 3)
	}
	x, y := density(h)
	area := 0.0
	for k := range x {
		area += y[k] * (x[1] - x[0])
		if math.Abs(y[k]-0.5) > 1e-6 {
			t.Errorf("density %v at %v", y[k], x[k])
		}
	}
	if math.Abs(area-1) > 1e-9 || len(x) != 50 {
		t.Errorf("area %v of %d bins", area, len(x))
	}
	r := rng.New(1, "density")
	var all []*lattice.Series
	for k := range 9 {
		s := &lattice.Series{Beta: 0.3 + 0.1*float64(k), Sites: 10, Energy: [][]float64{nil}}
		for range 1000 {
			s.Energy[0] = append(s.Energy[0], float64(k)+r.NormFloat64())
		}
		all = append(all, s)
	}
	all[3].Energy = [][]float64{{1, 1, 1}}
	all[4].Energy = [][]float64{{}}
	var b bytes.Buffer
	if err := HistogramPlots("a title", all).Write(&b, "svg"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{">T =<", ">3.333<", ">0.9091<", ">energy per site  e<"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q", want)
		}
	}
	b.Reset()
	g := []lattice.Estimate{{Value: 0.5, Binning: 0.01}, {Value: 0.01, Binning: 0.1}, {Value: math.NaN()}}
	if err := CorrelationPlots("a title", []Correlated{{0.5, []int{1, 2, 3}, g}, {0.6, []int{1, 2, 3}, g}}).Write(&b, "svg"); err != nil || !strings.Contains(b.String(), ">1.667<") || strings.Contains(b.String(), "NaN") {
		t.Error(err)
	}
}

func TestFewKeepsTheGravest(t *testing.T) {
	for code, want := range map[string]string{"lattice_" + lattice.CodeSign: "3", "lattice_" + lattice.CodePhases: "3", "lattice_" + lattice.CodeShort: "17"} {
		few := Few([]report.Warning{{Code: code, Value: 7, Message: "7"}, {Code: code, Value: 3, Message: "3"}, {Code: code, Value: 17, Message: "17"}}, false)
		if len(few) != 1 || few[0].Message != want+" (the gravest of 3 warnings of this kind)" {
			t.Errorf("%s: %+v", code, few)
		}
	}
}
