package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/draws"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// gallery has an element of every kind that a picture must cope with.
func gallery(t testing.TB, chains, n int) *draws.Set {
	set, err := draws.NewSet([]draws.Variable{
		{Name: "mu"}, {Name: "sigma"}, {Name: "p"}, {Name: "count"}, {Name: "flag"}, {Name: "slow"},
		{Name: "cauchy"}, {Name: "constant"}, {Name: "nan"}, {Name: "inf"}, {Name: "stuck"}, {Name: "large"},
		{Name: "tiny"}, {Name: "enormous"}, {Name: "theta", Dims: []int{8}}, {Name: "Sigma", Dims: []int{2, 2}},
	}, chains)
	if err != nil {
		t.Fatal(err)
	}
	for c := range chains {
		r := rand.New(rand.NewPCG(uint64(c), 1))
		slow := 3 * r.NormFloat64()
		for i := range n {
			slow = 0.98*slow + r.NormFloat64()
			z := r.NormFloat64()
			sigma := r.ExpFloat64()
			nan, inf, stuck := z, 1/math.Abs(z), 2+0.1*z
			if i%37 == 5 {
				nan = math.NaN()
			}
			if i%61 == 3 {
				inf = math.Inf(1 - 2*(i%2))
			}
			if c == 1 {
				stuck = 2.5
			}
			draw := []float64{10 + z + 0.5*sigma, sigma, math.Pow(r.Float64(), 3), float64(r.IntN(5) + r.IntN(5)), float64(r.IntN(10) / 9), slow,
				z / r.NormFloat64(), 1.5, nan, inf, stuck, 1e8 + z, 1e-14 * z, z * 1e307}
			for k := range 8 {
				draw = append(draw, float64(k)*0.7-2+r.NormFloat64()*(0.3+0.1*float64(k)))
			}
			draw = append(draw, 1+0.2*z*z, 0.3*z, 0.3*z, 2+r.NormFloat64()*0.1)
			if err := set.Append(c, draw); err != nil {
				t.Fatal(err)
			}
		}
	}
	return set
}

// inked is the share of pixels that are not white.
func inked(t *testing.T, b []byte) float64 {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	n, size := 0, img.Bounds()
	for y := size.Min.Y; y < size.Max.Y; y++ {
		for x := size.Min.X; x < size.Max.X; x++ {
			if img.At(x, y) != (color.RGBA{0xFF, 0xFF, 0xFF, 0xFF}) {
				n++
			}
		}
	}
	return float64(n) / float64(size.Dx()*size.Dy())
}

func checkXML(t *testing.T, b []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(b))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// TestPictures renders each kind of every kind of element, in both formats.
func TestPictures(t *testing.T) {
	set := gallery(t, 3, 60)
	panels := len(set.Names())
	pages := map[Kind]int{
		Trace: (panels + 9) / 10, Density: (panels + 14) / 15, Rank: (panels + 11) / 12,
		Autocorrelation: (panels + 14) / 15, Forest: 2, Pairs: 1,
	}
	for _, kind := range Kinds() {
		t.Run(string(kind), func(t *testing.T) {
			list := Pictures(kind, set, nil)
			if len(list) != pages[kind] {
				t.Fatalf("%d pages, want %d", len(list), pages[kind])
			}
			all := ""
			for i, p := range list {
				if p.Kind != kind || p.Number != i+1 || p.Of != len(list) {
					t.Errorf("page %d says %s %d of %d", i+1, p.Kind, p.Number, p.Of)
				}
				var b bytes.Buffer
				if err := p.Write(&b, "svg"); err != nil {
					t.Fatal(err)
				}
				checkXML(t, b.Bytes())
				if bytes.Contains(b.Bytes(), []byte("NaN")) || bytes.Contains(b.Bytes(), []byte("Inf")) {
					t.Errorf("page %d has coordinates that are not finite", i+1)
				}
				all += b.String()
			}
			for e, name := range set.Names() {
				if kind == Pairs && e >= PairsMax {
					break
				}
				if !strings.Contains(all, ">"+name+"<") {
					t.Errorf("%s is not on any page", name)
				}
			}
			var b bytes.Buffer
			if err := list[0].Write(&b, "png"); err != nil {
				t.Fatal(err)
			}
			if ink := inked(t, b.Bytes()); ink < 0.01 || ink > 0.9 {
				t.Errorf("%g of the picture is drawn on", ink)
			}
		})
	}
	if err := Traces(set)[0].Write(io.Discard, "gif"); err == nil {
		t.Error("a gif gives no error")
	}
}

// TestPicturesOfLittle: sets of odd shapes draw something or nothing, and never panic.
func TestPicturesOfLittle(t *testing.T) {
	for _, c := range []struct{ chains, draws int }{{0, 0}, {1, 0}, {2, 0}, {1, 1}, {2, 1}, {1, 2}, {3, 3}, {1, 7}, {40, 5}} {
		set := gallery(t, c.chains, c.draws)
		for _, kind := range Kinds() {
			for _, p := range Pictures(kind, set, nil) {
				var b bytes.Buffer
				if err := p.Write(&b, "svg"); err != nil {
					t.Errorf("%s of %d chains of %d draws: %v", kind, c.chains, c.draws, err)
				}
				if bytes.Contains(b.Bytes(), []byte("NaN")) || bytes.Contains(b.Bytes(), []byte("+Inf")) {
					t.Errorf("%s of %d chains of %d draws has coordinates that are not finite", kind, c.chains, c.draws)
				}
			}
		}
	}
	empty, err := draws.NewSet([]draws.Variable{{Name: "x", Dims: []int{0}}}, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range Kinds() {
		for _, p := range Pictures(kind, empty, nil) {
			if err := p.Write(io.Discard, "svg"); err != nil {
				t.Error(err)
			}
		}
	}
	if Pictures("cake", empty, nil) != nil {
		t.Error("there are pictures of no kind")
	}
}

func TestPairsShowDivergences(t *testing.T) {
	set := gallery(t, 2, 50)
	stats, err := draws.NewSet([]draws.Variable{{Name: "diverging"}}, 2)
	if err != nil {
		t.Fatal(err)
	}
	for c := range 2 {
		for i := range 50 {
			if err := stats.Append(c, []float64{float64(i / 49)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	red := fmt.Sprintf("#%02X%02X%02X", alarmColor.R, alarmColor.G, alarmColor.B)
	for _, with := range []*draws.Set{nil, stats} {
		var b bytes.Buffer
		if err := PairPlots(set, with)[0].Write(&b, "svg"); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(b.String(), red); got != (with != nil) {
			t.Errorf("divergences known: %t; shown: %t", with != nil, got)
		}
	}
}

// TestKDE: of n normal values the estimate is near the normal density, and a
// density that jumps at a bound keeps its height there.
func TestKDE(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	normal, uniform := make([]float64, 20000), make([]float64, 20000)
	for i := range normal {
		normal[i], uniform[i] = r.NormFloat64(), r.Float64()
	}
	density := kde(normal, -5, 5, [2]bool{})
	cell, total := 10.0/kdeCells, 0.0
	for k, y := range density {
		x := -5 + (float64(k)+0.5)*cell
		total += y * cell
		// Bias h²φ”/2 < 0.004 and six sd of 0.004 of a kernel estimate at
		// this bandwidth (h = 0.124, so n·h = 2500): beyond by chance 1e-9.
		if want := math.Exp(-x*x/2) / math.Sqrt(2*math.Pi); math.Abs(y-want) > 0.028 {
			t.Errorf("density at %.2f is %.3f, want %.3f", x, y, want)
		}
	}
	if math.Abs(total-1) > 1e-9 {
		t.Errorf("the density integrates to %g", total)
	}
	edge := kde(uniform, 0, 1, [2]bool{true, true})[0]
	if math.Abs(edge-1) > 0.15 {
		t.Errorf("a uniform density at its bound is %.3f, want 1", edge)
	}
	if cut := kde(uniform, 0, 1, [2]bool{})[0]; math.Abs(cut-0.5) > 0.15 {
		t.Errorf("without reflection it is %.3f, want 0.5", cut)
	}
	for _, values := range [][]float64{nil, {1}, {2, 2, 2}, {math.NaN(), 1}, {math.Inf(1), math.Inf(-1)}} {
		if d := kde(values, 0, 1, [2]bool{true, true}); d != nil {
			t.Errorf("a density of %v", values)
		}
	}
}

func TestDiscrete(t *testing.T) {
	repeat := func(n int, values ...float64) []float64 { return slices.Repeat(values, n) }
	for name, c := range map[string]struct {
		draws []float64
		bars  bool
	}{
		"coin":               {repeat(20, 0, 1), true},
		"counts":             {repeat(3, 0, 1, 2, 3, 7), true},
		"few counts":         {[]float64{1, 2, 3}, true},
		"wide counts":        {[]float64{0, 1000}, false},
		"three levels":       {repeat(30, 0.1, 0.25, 0.5), true},
		"real":               {[]float64{0.1, 0.2, 0.3, 0.4}, false},
		"constant":           {repeat(10, 3), false},
		"nothing":            {nil, false},
		"NaN":                {[]float64{math.NaN()}, false},
		"counts and one NaN": {append(repeat(3, 0, 1, 2), math.NaN()), true},
	} {
		set, err := draws.NewSet([]draws.Variable{{Name: "x"}}, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range c.draws {
			if err := set.Append(0, []float64{x}); err != nil {
				t.Fatal(err)
			}
		}
		if got := allSeries(set)[0].discrete() != nil; got != c.bars {
			t.Errorf("%s: bars %t, want %t", name, got, c.bars)
		}
	}
}

func TestAxis(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		want   string
	}{
		{0, 1, "0 0.2 0.4 0.6 0.8 1.0"},
		{-3.2, 4.1, "-3 -2 -1 0 1 2 3 4"},
		{-3.2, 4.6, "-2 0 2 4"},
		{0, 1000, "0 200 400 600 800 1000"},
		{1e6, 3e6, "1e6 1.5e6 2e6 2.5e6 3e6"},
		{99999998, 100000002, "99999998 99999999 100000000 100000001 100000002"},
		{-2e-14, 2e-14, "-2e-14 -1e-14 0 1e-14 2e-14"},
		{-1e300, 1e300, "-1e300 -5e299 0 5e299 1e300"},
	} {
		var labels []string
		for _, k := range newAxis(c.lo, c.hi, 5).ticks {
			labels = append(labels, k.label)
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("ticks of %g to %g: %s, want %s", c.lo, c.hi, got, c.want)
		}
	}
}

func FuzzAxis(f *testing.F) {
	f.Add(0.0, 1.0, 5)
	f.Add(1.5, 1.5, 0)
	f.Add(5e-324, 1e-320, 3)
	f.Add(-1e300, 1e300, 1)
	f.Add(math.NaN(), math.Inf(1), -7)
	f.Fuzz(func(t *testing.T, lo, hi float64, wanted int) {
		a := newAxis(lo, hi, wanted%20)
		if !(a.lo < a.hi) || math.IsInf(a.hi-a.lo, 0) {
			t.Fatalf("axis of %g to %g runs from %g to %g", lo, hi, a.lo, a.hi)
		}
		if len(a.ticks) > 50 {
			t.Errorf("%d ticks", len(a.ticks))
		}
		for _, k := range a.ticks {
			if k.label == "" || !drawable(k.value) && math.Abs(k.value) > 1.1*largest {
				t.Errorf("tick at %g is called %q", k.value, k.label)
			}
		}
	})
}

// TestRankCounts: every draw is counted once, and ties are shared evenly.
func TestRankCounts(t *testing.T) {
	set := gallery(t, 3, 60)
	for _, s := range allSeries(set) {
		total := 0.0
		for _, chain := range s.rankCounts(7) {
			for _, n := range chain {
				total += n
			}
		}
		if math.Abs(total-float64(len(s.sorted))) > 1e-9 {
			t.Errorf("%s: %g of %d ranks counted", s.name, total, len(s.sorted))
		}
	}
	tied := series{chains: [][]float64{{1, 1, 2}, {1, 2, 2}}, sorted: []float64{1, 1, 1, 2, 2, 2}, draws: 3}
	// By hand: two of the three ones share the lower half, and one of the three twos the upper.
	if got := fmt.Sprintf("%.0f", tied.rankCounts(2)); got != "[[2 1] [1 2]]" {
		t.Errorf("ranks of ties are counted as %s", got)
	}
}

// TestStretch: a long chain keeps its extremes, and breaks where a draw is not finite.
func TestStretch(t *testing.T) {
	chain := make([]float64, 100_000)
	chain[777], chain[99_998], chain[50_000] = 5, -5, math.NaN()
	f := frame{draw.Canvas{Rectangle: vg.Rectangle{Max: vg.Point{X: 100, Y: 100}}}, axis{lo: 1, hi: 100_000}, axis{lo: -5, hi: 5}}
	pieces := f.stretch(chain)
	if len(pieces) != 2 {
		t.Fatalf("%d pieces, want 2", len(pieces))
	}
	points := slices.Concat(pieces...)
	if len(points) > 2*traceStretches+2 {
		t.Errorf("%d points", len(points))
	}
	if !slices.ContainsFunc(points, func(p vg.Point) bool { return p.Y == 100 }) || !slices.ContainsFunc(points, func(p vg.Point) bool { return p.Y == 0 }) {
		t.Error("an extreme is lost")
	}
}

// recordRun writes a run's folder of draws; element e of draw i is 100·e + i
// and some noise.
func recordRun(t *testing.T, vars []draws.Variable, chains, n int) string {
	t.Helper()
	dir := t.TempDir()
	w, err := draws.Create(filepath.Join(dir, "draws.zarr"), draws.Layout{Chains: chains, Posterior: vars})
	if err != nil {
		t.Fatal(err)
	}
	width := 0
	for _, v := range vars {
		width += v.Size()
	}
	row := make([]float64, width)
	for c := range chains {
		r := rand.New(rand.NewPCG(7, uint64(c)))
		for i := range n {
			for k := range row {
				row[k] = float64(100*k+i) + 0.1*r.Float64()
			}
			if err := w.Append(c, false, row, draws.Stat{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestPlotRun(t *testing.T) {
	dir := recordRun(t, []draws.Variable{{Name: "mu"}, {Name: "theta", Dims: []int{90}}}, 2, 30)
	result, err := PlotRun(dir, PlotRequest{Format: "svg"})
	if err != nil {
		t.Fatal(err)
	}
	notes := strings.Join(result.Notes, "\n")
	for _, want := range []string{"the first 60 of 91 elements", "PlotRequest.Params", "pairs: the first 6 of 60"} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes do not say %q:\n%s", want, notes)
		}
	}
	var names []string
	for _, f := range result.Files {
		if info, err := os.Stat(f); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", f, err)
		}
		if filepath.Dir(f) != filepath.Join(dir, "plots") {
			t.Errorf("%s is not in the run's plots", f)
		}
		names = append(names, filepath.Base(f))
	}
	for _, want := range []string{"trace-1.svg", "trace-6.svg", "density-4.svg", "rank-5.svg", "autocorrelation-4.svg", "forest-2.svg", "pairs.svg"} {
		if !slices.Contains(names, want) {
			t.Errorf("there is no %s among %v", want, names)
		}
	}

	out := filepath.Join(t.TempDir(), "a", "b")
	result, err = PlotRun(filepath.Join(dir, "draws.zarr"), PlotRequest{Kinds: []Kind{Density}, Params: "theta[89],mu,theta[2:3]", Out: out})
	if err != nil || len(result.Notes) != 0 || !slices.Equal(result.Files, []string{filepath.Join(out, "density.png")}) {
		t.Fatalf("%+v, %v; want one picture", result, err)
	}
}

// TestReadForPlots: chosen elements come with their own draws, in their order.
func TestReadForPlots(t *testing.T) {
	dir := recordRun(t, []draws.Variable{{Name: "mu"}, {Name: "S", Dims: []int{2, 3}}, {Name: "theta", Dims: []int{90}}}, 2, 30)
	set, _, notes, err := readForPlots(dir, "theta[89],S[2,1:2],mu")
	if err != nil || len(notes) != 0 {
		t.Fatal(notes, err)
	}
	if got := strings.Join(set.Names(), " "); got != "theta[89] S[2,1] S[2,2] mu" {
		t.Errorf("elements %s", got)
	}
	for e, position := range []int{1 + 6 + 88, 2, 4, 0} {
		for c := range 2 {
			for i, x := range set.Chain(c, e) {
				if math.Floor(x) != float64(100*position+i) {
					t.Fatalf("draw %d of %s is %g", i, set.Names()[e], x)
				}
			}
		}
	}
	set, _, notes, err = readForPlots(dir, "")
	if err != nil || len(notes) != 1 || len(set.Names()) != PlotDefault || set.Names()[PlotDefault-1] != "theta[53]" {
		t.Errorf("%d elements, notes %v, %v", len(set.Names()), notes, err)
	}
}

func TestPlotRunErrors(t *testing.T) {
	dir := recordRun(t, []draws.Variable{{Name: "mu"}}, 1, 10)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		dir     string
		request PlotRequest
		want    string
	}{
		"no folder":      {filepath.Join(dir, "none"), PlotRequest{}, "none"},
		"no such node":   {dir, PlotRequest{Params: "tau"}, "no variable tau"},
		"a bad pattern":  {dir, PlotRequest{Params: "mu["}, "mu["},
		"out is a file":  {dir, PlotRequest{Out: file}, "folder for pictures"},
		"unknown format": {dir, PlotRequest{Format: "gif"}, "neither png nor svg"},
		"no draws":       {recordRun(t, []draws.Variable{{Name: "mu"}}, 1, 0), PlotRequest{}, "no draws"},
	} {
		_, err := PlotRun(c.dir, c.request)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "plots", "*")); len(left) != 0 {
		t.Errorf("failed pictures are left behind: %v", left)
	}
	if _, err := ParseKind("cake"); err == nil || !strings.Contains(err.Error(), "trace, density") {
		t.Errorf("an unknown kind: %v", err)
	}
	for name, want := range map[string]Kind{"trace": Trace, "autocorr": Autocorrelation, "pairs": Pairs} {
		if k, err := ParseKind(name); k != want || err != nil {
			t.Errorf("%s is %s, %v", name, k, err)
		}
	}
}

func BenchmarkTracePNG(b *testing.B) {
	page := Traces(gallery(b, 4, 1000))[0]
	for b.Loop() {
		if err := page.Write(io.Discard, "png"); err != nil {
			b.Fatal(err)
		}
	}
}
