package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Kind is a kind of picture.
type Kind string

// The kinds of pictures.
const (
	Trace           Kind = "trace"
	Density         Kind = "density"
	Rank            Kind = "rank"
	Autocorrelation Kind = "autocorrelation"
	Forest          Kind = "forest"
	Pairs           Kind = "pairs"
)

// Kinds are all kinds of pictures.
func Kinds() []Kind { return []Kind{Trace, Density, Rank, Autocorrelation, Forest, Pairs} }

// ParseKind finds a kind by its name or the beginning of it.
func ParseKind(name string) (Kind, error) {
	var names []string
	for _, k := range Kinds() {
		if name != "" && strings.HasPrefix(string(k), name) {
			return k, nil
		}
		names = append(names, string(k))
	}
	return "", fmt.Errorf("there is no picture %s; choose from %s", wording.Quote(name), strings.Join(names, ", "))
}

// Page is one picture, which may hold panels for many elements.
type Page struct {
	Kind          Kind
	Number, Of    int
	width, height vg.Length
	title         string
	key           legend
	paint         func(c draw.Canvas, t typist)
}

// resolution of PNG in dots per inch: twice that of a screen.
const resolution = 144

// Write renders the page as "png" or "svg".
func (p Page) Write(w io.Writer, format string) error {
	switch format {
	case "png":
		c := vgimg.NewWith(vgimg.UseWH(p.width, p.height), vgimg.UseDPI(resolution))
		p.draw(draw.New(c))
		_, err := vgimg.PngCanvas{Canvas: c}.WriteTo(w)
		return err
	case "svg":
		c := vgsvg.New(p.width, p.height)
		p.draw(draw.New(c))
		var b bytes.Buffer
		if _, err := c.WriteTo(&b); err != nil {
			return err
		}
		// A reader without the font gets a similar one, not a serif.
		_, err := w.Write(bytes.ReplaceAll(b.Bytes(), []byte("font-family:Liberation Sans;"),
			[]byte("font-family:'Liberation Sans',Arial,Helvetica,sans-serif;")))
		return err
	}
	return fmt.Errorf("format %s is neither png nor svg", wording.Quote(format))
}

func (p Page) draw(c draw.Canvas) {
	t := newTypist()
	fill(c, c.Rectangle, white)
	inner := draw.Crop(c, pageMargin, -pageMargin, pageMargin, -pageMargin)
	top := inner.Max.Y
	title := p.title
	if p.Of > 1 {
		title += fmt.Sprintf("  (%d of %d)", p.Number, p.Of)
	}
	c.FillText(t.bold(headerSize, inkColor, draw.XLeft, draw.YTop), vg.Point{X: inner.Min.X, Y: top}, title)
	p.key.draw(c, t, vg.Point{X: inner.Max.X, Y: top - headerSize/2})
	p.paint(draw.Crop(inner, 0, 0, 0, -headerHeight), t)
}

// legend is the key to the chains' colours, or to those of what has names.
type legend struct {
	chains int
	names  []string
	word   string // before the names
}

// legendChains is how many chains are told apart by name.
const legendChains = len(chainColors)

func (l legend) draw(c draw.Canvas, t typist, right vg.Point) {
	if l.names != nil {
		l.named(c, t, right)
		return
	}
	if l.chains < 2 {
		return
	}
	style := t.style(tickSize+1, faintColor, draw.XRight, draw.YCenter)
	if l.chains > legendChains {
		c.FillText(style, right, fmt.Sprintf("%d chains", l.chains))
		return
	}
	var names []string
	for i := range l.chains {
		names = append(names, fmt.Sprint(i+1))
	}
	legend{names: names, word: "chain"}.named(c, t, right)
}

// named writes names beside lines of their colours; a single one needs no key.
func (l legend) named(c draw.Canvas, t typist, right vg.Point) {
	if len(l.names) < 2 {
		return
	}
	style := t.style(tickSize+1, faintColor, draw.XRight, draw.YCenter)
	for i := len(l.names) - 1; i >= 0; i-- {
		label := l.names[i]
		c.FillText(style, right, label)
		right.X -= style.Width(label) + 3
		c.StrokeLine2(draw.LineStyle{Color: chainColor(i), Width: 2.5}, right.X-12, right.Y, right.X, right.Y)
		right.X -= 12 + 8
	}
	c.FillText(style, right, l.word)
}

// sheet arranges equal panels in rows, page after page.
type sheet struct {
	kind    Kind
	title   string
	columns int
	rows    int
	height  vg.Length // of a panel
}

// panel draws one element into its place.
type panel func(c draw.Canvas, t typist)

func (s sheet) pages(panels []panel, chains int) []Page {
	perPage := s.columns * s.rows
	var pages []Page
	total := (len(panels) + perPage - 1) / perPage
	for from := 0; from < len(panels); from += perPage {
		group := panels[from:min(from+perPage, len(panels))]
		rows := (len(group) + s.columns - 1) / s.columns
		pages = append(pages, Page{
			Kind: s.kind, Number: len(pages) + 1, Of: total, title: s.title, key: legend{chains: chains},
			width:  pageWidth,
			height: 2*pageMargin + headerHeight + vg.Length(rows)*(s.height+panelGap) - panelGap,
			paint:  func(c draw.Canvas, t typist) { s.paint(c, t, group) },
		})
	}
	return pages
}

func (s sheet) paint(c draw.Canvas, t typist, group []panel) {
	width := (c.Size().X - vg.Length(s.columns-1)*panelGap) / vg.Length(s.columns)
	for i, p := range group {
		column, row := i%s.columns, i/s.columns
		left := c.Min.X + vg.Length(column)*(width+panelGap)
		top := c.Max.Y - vg.Length(row)*(s.height+panelGap)
		p(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: left, Y: top - s.height}, Max: vg.Point{X: left + width, Y: top},
		}}, t)
	}
}
