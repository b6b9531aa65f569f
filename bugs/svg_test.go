package bugs

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

// A hierarchy stands in layers, and plates around what is in their loops.
func TestSVG(t *testing.T) {
	p, err := Parse("m.bug", "model { for (i in 1:N) { for (k in 1:2) { y[i,k] ~ dnorm(mu[i], tau) }; mu[i] <- a + b * x[i] }\n a ~ dnorm(0, tau.a); b ~ dnorm(b0, 1); tau ~ dgamma(1, 1); tau.a <- 1 / (s && 1 < 2); z[1] ~ dnorm(0, 1); for (t in 2:T) { z[t] ~ dnorm(z[t-1], 1) } }")
	if err != nil {
		t.Fatal(err)
	}
	svg := p.SVG()
	checkSVG(t, svg)
	for _, want := range []string{">i in 1:N</text>", ">k in 1:2</text>", ">tau.a</text>", "<ellipse ", "<path d=\"M", "stroke-dasharray"} {
		if !strings.Contains(svg, want) {
			t.Errorf("%s is not in\n%s", want, svg)
		}
	}
	g := &dot{shapes: map[string]string{}, arrows: map[[2]string]bool{}, seen: map[string]bool{}}
	d, top := &drawing{dot: g, at: map[string]*box{}}, &box{}
	g.note(p.Model.Stmts)
	d.collect(p.Model.Stmts, nil, top)
	for _, name := range g.read {
		if d.at[name] == nil {
			d.at[name] = d.variable(name, "box", top)
		}
	}
	d.place(top)
	for _, e := range g.edges { // without a plate that reads from what it defines, every arrow goes down
		_, u := d.at[e.from].origin()
		_, v := d.at[e.to].origin()
		if e.from != e.to && u >= v && (d.at[e.from].in == top || d.at[e.from].in == d.at[e.to].in) {
			t.Errorf("%s is at %v, and %s, which depends on it, at %v", e.from, u, e.to, v)
		}
	}
	checkApart(t, top)
}

// checkApart holds the parts of each box to lie in it, and not on one another.
func checkApart(t *testing.T, b *box) {
	t.Helper()
	for k, in := range b.inside {
		if in.x < 0 || in.y < 0 || in.x+in.w > b.w || in.y+in.h > b.h {
			t.Errorf("%q is not in its box", in.name)
		}
		for _, other := range b.inside[:k] {
			if in.x < other.x+other.w && other.x < in.x+in.w && in.y < other.y+other.h && other.y < in.y+in.h {
				t.Errorf("%q lies on %q", in.name, other.name)
			}
		}
		checkApart(t, in)
	}
}

func checkSVG(t *testing.T, svg string) {
	t.Helper()
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%v\n%s", err, svg)
		}
	}
	if slices.ContainsFunc([]string{"NaN", "Inf"}, func(s string) bool { return strings.Contains(svg, "\""+s) }) {
		t.Errorf("a place is no number:\n%s", svg)
	}
}

func TestSVGSharedPrograms(t *testing.T) {
	for _, path := range sharedFiles(t, sharedDir(t, "bugs"), "*.bug") {
		if p, err := Parse(path, readFile(t, path)); err == nil {
			checkSVG(t, p.SVG())
		}
	}
}
