package bugs

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"math"
	"slices"
	"strings"
)

// SVG is the picture of [Program.DOT]: variables in layers, each below those that it depends on, and a box around what stands in a loop.
func (p *Program) SVG() string {
	g := &dot{shapes: map[string]string{}, arrows: map[[2]string]bool{}, seen: map[string]bool{}}
	top := &box{}
	d := &drawing{dot: g, at: map[string]*box{}}
	if p.Model != nil {
		g.note(p.Model.Stmts)
		d.collect(p.Model.Stmts, nil, top)
	}
	for _, name := range g.read {
		if d.at[name] == nil {
			d.at[name] = d.variable(name, "box", top)
		}
	}
	d.place(top)
	var b strings.Builder
	const margin = 12
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"%d %d %.0f %.0f\" font-family=\"sans-serif\" font-size=\"13\">\n",
		top.w+2*margin, top.h+2*margin, -margin, -margin, top.w+2*margin, top.h+2*margin)
	b.WriteString("<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 z\"/></marker></defs>\n")
	top.draw(&b, 0, 0, true)
	for _, e := range g.edges {
		d.arrow(&b, e)
	}
	top.draw(&b, 0, 0, false)
	b.WriteString("</svg>\n")
	return b.String()
}

// box is a variable, or a plate with what stands in it.
type box struct {
	name   string // of a variable; of a plate, its loop
	shape  string // "": a plate
	in     *box
	inside []*box
	x, y   float64 // of the upper left corner, in the plate around it
	w, h   float64
	layer  int
	mark   int // of the search for layers: 0 not met, 1 under way, 2 done
}

type drawing struct {
	*dot
	at map[string]*box // variables
}

// Sizes in pixels.
const (
	glyph     = 7.5 // width of a letter
	nodeH     = 30.0
	gapX      = 24.0
	gapY      = 34.0
	platePad  = 14.0
	plateFoot = 20.0 // where the loop is written
)

func (d *drawing) variable(name, shape string, in *box) *box {
	v := &box{name: name, shape: shape, in: in, w: max(float64(glyph*float64(len([]rune(name))))+26, 48), h: nodeH}
	if shape == "diamond" {
		v.w += 20
		v.h += 8
	}
	in.inside = append(in.inside, v)
	return v
}

// collect finds the plates, the variables in them, and the arrows.
func (d *drawing) collect(stmts []Stmt, counters []string, in *box) {
	for _, st := range stmts {
		switch st := st.(type) {
		case *For:
			plate := &box{name: st.Var + " in " + st.Range.String(), in: in}
			d.collect(st.Body, append(counters[:len(counters):len(counters)], st.Var), plate)
			if plate.inside != nil {
				in.inside = append(in.inside, plate)
			}
		case *If:
			d.collect(st.Then, counters, in)
			d.collect(st.Else, counters, in)
		case *Relation:
			name := st.LHS.Name
			if d.at[name] == nil {
				d.at[name] = d.variable(name, d.kinds[name], in)
			}
			d.relation(st, counters, "")
		}
	}
}

// place lays out what is in a box: each part below those of which an arrow comes, in the order that keeps arrows short.
func (d *drawing) place(b *box) {
	for _, in := range b.inside {
		if in.shape == "" {
			d.place(in)
		}
	}
	from := map[*box][]*box{} // parts, by the part that their arrows go to
	for _, e := range d.edges {
		u, v := b.part(d.at[e.from]), b.part(d.at[e.to])
		if u != nil && v != nil && u != v && !slices.Contains(from[v], u) {
			from[v] = append(from[v], u)
		}
	}
	for _, in := range b.inside {
		in.rank(from)
	}
	var layers [][]*box
	for _, in := range b.inside {
		for in.layer >= len(layers) {
			layers = append(layers, nil)
		}
		layers[in.layer] = append(layers[in.layer], in)
	}
	width, y := 0.0, platePad
	for _, layer := range layers {
		w := gapX * float64(len(layer)-1)
		for _, in := range layer {
			w += in.w
		}
		width = max(width, w)
	}
	if b.in != nil {
		width = max(width, glyph*float64(len([]rune(b.name))))
	}
	for _, layer := range layers {
		y = setOut(layer, from, width, y) + gapY
	}
	b.w, b.h = width+2*platePad, y-gapY+platePad
	if b.in != nil {
		b.h += plateFoot
	}
}

// setOut puts the parts of a layer side by side, and gives its lower end.
func setOut(layer []*box, from map[*box][]*box, width, y float64) float64 {
	centre := func(in *box) float64 {
		sum, n := 0.0, 0.0
		for _, u := range from[in] {
			if u.layer < in.layer {
				sum, n = sum+u.x+float64(u.w/2), n+1
			}
		}
		if n == 0 {
			return width / 2
		}
		return sum / n
	}
	slices.SortStableFunc(layer, func(a, b *box) int { return cmp.Compare(centre(a), centre(b)) })
	used, tall := gapX*float64(len(layer)-1), 0.0
	for _, in := range layer {
		used += in.w
		tall = max(tall, in.h)
	}
	x := platePad + float64((width-used)/2)
	for _, in := range layer {
		in.x, in.y = x, y+float64((tall-in.h)/2)
		x += in.w + gapX
	}
	return y + tall
}

// part is what of a box a variable stands in; nil where it is elsewhere.
func (b *box) part(v *box) *box {
	for ; v != nil; v = v.in {
		if v.in == b {
			return v
		}
	}
	return nil
}

// rank finds the layer of a part: one below the lowest that it depends on. Of plates that depend on each other the one met first is above.
func (b *box) rank(from map[*box][]*box) {
	if b.mark != 0 {
		return
	}
	b.mark = 1
	for _, u := range from[b] {
		if u.rank(from); u.mark == 2 {
			b.layer = max(b.layer, u.layer+1)
		}
	}
	b.mark = 2
}

// origin is where a box lies in the picture.
func (b *box) origin() (x, y float64) {
	for ; b.in != nil; b = b.in {
		x, y = x+b.x, y+b.y
	}
	return x, y
}

// draw writes the plates, or the variables, in a box whose corner is at a place.
func (b *box) draw(to *strings.Builder, x, y float64, plates bool) {
	for _, in := range b.inside {
		ax, ay := x+in.x, y+in.y
		switch {
		case in.shape == "" && plates:
			fmt.Fprintf(to, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"8\" fill=\"none\" stroke=\"#888\"/>\n", ax, ay, in.w, in.h)
			fmt.Fprintf(to, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\" fill=\"#666\">%s</text>\n", ax+in.w-platePad/2, ay+in.h-7, escaped(in.name))
		case in.shape != "" && !plates:
			in.drawVariable(to, ax+float64(in.w/2), ay+float64(in.h/2))
		}
		in.draw(to, ax, ay, plates)
	}
}

func (b *box) drawVariable(to *strings.Builder, x, y float64) {
	const look = "fill=\"white\" stroke=\"black\""
	w, h := float64(b.w/2), float64(b.h/2)
	switch b.shape {
	case "ellipse":
		fmt.Fprintf(to, "<ellipse cx=\"%.1f\" cy=\"%.1f\" rx=\"%.1f\" ry=\"%.1f\" %s/>\n", x, y, w, h, look)
	case "diamond":
		fmt.Fprintf(to, "<path d=\"M%.1f,%.1f L%.1f,%.1f L%.1f,%.1f L%.1f,%.1f z\" %s/>\n", x-w, y, x, y-h, x+w, y, x, y+h, look)
	default:
		fmt.Fprintf(to, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" %s/>\n", x-w, y-h, b.w, b.h, look)
	}
	fmt.Fprintf(to, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n", x, y+4.5, escaped(b.name))
}

// arrow draws one between the edges of two variables; to itself, a loop at its side.
func (d *drawing) arrow(to *strings.Builder, e dotArrow) {
	u, v := d.at[e.from], d.at[e.to]
	ux, uy := u.origin()
	vx, vy := v.origin()
	dash := ""
	if e.computed {
		dash = " stroke-dasharray=\"5,3\""
	}
	if u == v {
		x, y := ux+u.w, uy+float64(u.h/2)
		fmt.Fprintf(to, "<path d=\"M%.1f,%.1f C%.1f,%.1f %.1f,%.1f %.1f,%.1f\" fill=\"none\" stroke=\"black\"%s marker-end=\"url(#tip)\"/>\n", x-8, y-8, x+16, y-24, x+16, y+24, x-8, y+8, dash)
		return
	}
	ux, uy, vx, vy = ux+float64(u.w/2), uy+float64(u.h/2), vx+float64(v.w/2), vy+float64(v.h/2)
	x1, y1 := u.edge(ux, uy, vx, vy)
	x2, y2 := v.edge(vx, vy, ux, uy)
	fmt.Fprintf(to, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"black\"%s marker-end=\"url(#tip)\"/>\n", x1, y1, x2, y2, dash)
}

// edge is where the line from the middle of a variable to a place leaves it.
func (b *box) edge(x, y, toX, toY float64) (ex, ey float64) {
	dx, dy := toX-x, toY-y
	w, h := b.w/2, b.h/2
	r := 0.0 // the length of (dx, dy), in units of the shape
	switch b.shape {
	case "ellipse":
		r = math.Hypot(dx/w, dy/h)
	case "diamond":
		r = math.Abs(dx)/w + math.Abs(dy)/h
	default:
		r = max(math.Abs(dx)/w, math.Abs(dy)/h)
	}
	if r == 0 {
		return x, y
	}
	return x + dx/r, y + dy/r
}

func escaped(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder takes everything
	return b.String()
}
