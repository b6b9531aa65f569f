package report

import (
	"image/color"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// chainColors tell chains apart also for the colour-blind (Okabe and Ito
// 2008, "Color universal design"), the yellow left out as too light for lines.
var chainColors = [...]color.NRGBA{
	{0x00, 0x72, 0xB2, 0xFF}, // blue
	{0xD5, 0x5E, 0x00, 0xFF}, // vermilion
	{0x00, 0x9E, 0x73, 0xFF}, // green
	{0xCC, 0x79, 0xA7, 0xFF}, // purple
	{0xE6, 0x9F, 0x00, 0xFF}, // orange
	{0x56, 0xB4, 0xE9, 0xFF}, // sky
	{0x5A, 0x5A, 0x5A, 0xFF}, // grey
}

var (
	inkColor   = color.NRGBA{0x22, 0x22, 0x22, 0xFF}
	faintColor = color.NRGBA{0x66, 0x66, 0x66, 0xFF}
	axisColor  = color.NRGBA{0x99, 0x99, 0x99, 0xFF}
	gridColor  = color.NRGBA{0xE8, 0xE8, 0xE8, 0xFF}
	alarmColor = color.NRGBA{0xC0, 0x1F, 0x1F, 0xFF}
)

func chainColor(chain int) color.NRGBA { return chainColors[chain%len(chainColors)] }

// veiled is the colour with an opacity between 0 and 1.
func veiled(c color.NRGBA, opacity float64) color.NRGBA {
	c.A = uint8(255 * opacity)
	return c
}

// Sizes of a page in points.
const (
	pageWidth    = vg.Length(760)
	pageMargin   = vg.Length(14)
	headerHeight = vg.Length(30)
	panelGap     = vg.Length(14)
	titleHeight  = vg.Length(15)
	tickHeight   = vg.Length(13)
	nameHeight   = vg.Length(14) // of an axis
	tickWidth    = vg.Length(36)
	titleSize    = vg.Length(9)
	tickSize     = vg.Length(7.5)
	headerSize   = vg.Length(12)
)

// typist draws text in the one family that all pictures use.
type typist struct{ handler text.Handler }

func newTypist() typist {
	return typist{text.Plain{Fonts: font.NewCache(liberation.Collection())}}
}

func (t typist) style(size vg.Length, c color.Color, x draw.XAlignment, y draw.YAlignment) draw.TextStyle {
	f := font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
	return draw.TextStyle{Color: c, Font: f, XAlign: x, YAlign: y, Handler: t.handler}
}

func (t typist) bold(size vg.Length, c color.Color, x draw.XAlignment, y draw.YAlignment) draw.TextStyle {
	s := t.style(size, c, x, y)
	s.Font.Weight = xfont.WeightBold
	return s
}
