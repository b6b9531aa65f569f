package lattice

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// In open lattices bonds join the sites at distance 1, which is the least between two, and no others.
func TestBondsJoinNearestSites(t *testing.T) {
	for _, l := range []Geometry{
		{Cubic, []int{7}, Open}, {Cubic, []int{5, 4}, Open}, {Cubic, []int{4, 3, 5}, Open}, {Cubic, []int{2, 3, 2, 3}, Open},
		{Triangular, []int{6, 5}, Open}, {Honeycomb, []int{4, 5}, Open}, {Triangular, []int{1, 4}, Open}, {Honeycomb, []int{1, 1}, Open},
	} {
		g := must(l.Graph(1))
		near := 0
		for i := range g.Sites() {
			for j := range i {
				d := distance(l, i, j)
				if d < 0.999 {
					t.Errorf("%v %v: sites %d and %d are %v apart", l.Kind, l, i, j, d)
				}
				joined := slices.Contains(g.Of(i), int32(j))
				if joined != (d < 1.001) {
					t.Errorf("%v %v: sites %d and %d are %v apart, joined: %v", l.Kind, l, i, j, d, joined)
				}
				if joined {
					near++
				}
			}
		}
		if near != g.Bonds() {
			t.Errorf("%v %v: %d bonds for %d pairs of neighbours", l.Kind, l, g.Bonds(), near)
		}
	}
}

func distance(l Geometry, i, j int) float64 {
	p, q, d := l.Position(nil, i), l.Position(nil, j), 0.0
	for k := range p {
		d += (p[k] - q[k]) * (p[k] - q[k])
	}
	return math.Sqrt(d)
}

// In periodic and helical lattices all sites have the neighbours of an inner one, and the bonds of the open lattice are among the periodic one's.
func TestPeriodicLattices(t *testing.T) {
	degrees := map[string]int{}
	for _, b := range []Boundary{Periodic, Helical} {
		for _, c := range []struct {
			l      Geometry
			degree int
		}{
			{Geometry{Cubic, []int{6}, b}, 2}, {Geometry{Cubic, []int{5, 4}, b}, 4}, {Geometry{Cubic, []int{4, 3, 5}, b}, 6}, {Geometry{Cubic, []int{1, 9}, b}, 2},
			{Geometry{Cubic, []int{2, 2}, b}, 4}, {Geometry{Triangular, []int{5, 4}, b}, 6}, {Geometry{Honeycomb, []int{3, 4}, b}, 3}, {Geometry{Honeycomb, []int{1, 1}, b}, 3},
		} {
			g := must(c.l.Graph(1))
			for i := range g.Sites() {
				if len(g.Of(i)) != c.degree {
					t.Errorf("%v %v %v: site %d has %d bonds", b, c.l.Kind, c.l, i, len(g.Of(i)))
				}
			}
			if c.l.Boundary = Open; b == Periodic {
				for i, open := 0, must(c.l.Graph(1)); i < g.Sites(); i++ {
					for _, j := range open.Of(i) {
						if !slices.Contains(g.Of(i), j) {
							t.Errorf("%v %v: no bond from %d to %d", c.l.Kind, c.l, i, j)
						}
					}
				}
			}
			degrees[c.l.Kind.String()] = c.degree
		}
	}
	if len(degrees) != 3 {
		t.Errorf("lattices %v", degrees)
	}
}

// Neighbours by hand.
func TestNeighbours(t *testing.T) {
	for _, c := range []struct {
		l    Geometry
		i    int
		want []int32
	}{
		{Geometry{Cubic, []int{4, 3}, Periodic}, 3, []int32{0, 2, 7, 11}},
		{Geometry{Cubic, []int{4, 3}, Helical}, 3, []int32{2, 4, 7, 11}},
		{Geometry{Cubic, []int{4, 3}, Open}, 3, []int32{2, 7}},
		{Geometry{Cubic, []int{2, 2}, Periodic}, 0, []int32{1, 1, 2, 2}},
		{Geometry{Triangular, []int{4, 3}, Periodic}, 4, []int32{0, 1, 5, 7, 8, 11}},
		{Geometry{Triangular, []int{4, 3}, Helical}, 4, []int32{0, 1, 3, 5, 7, 8}},
		{Geometry{Honeycomb, []int{3, 3}, Periodic}, 8, []int32{9, 7, 3}},
		{Geometry{Honeycomb, []int{3, 3}, Periodic}, 9, []int32{8, 10, 14}},
		{Geometry{Honeycomb, []int{3, 3}, Helical}, 0, []int32{1, 17, 13}},
	} {
		got := slices.Sorted(slices.Values(must(c.l.Graph(1)).Of(c.i)))
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) {
			t.Errorf("%v %v %v: site %d has neighbours %v, want %v", c.l.Boundary, c.l.Kind, c.l, c.i, got, c.want)
		}
	}
}

func TestCells(t *testing.T) {
	l := Geometry{Honeycomb, []int{3, 4}, Periodic}
	if got := l.Cell(nil, 2*(2+3*3)+1); !reflect.DeepEqual(got, []int{2, 3}) {
		t.Errorf("cell at %v", got)
	}
}

func TestBadGeometries(t *testing.T) {
	for _, c := range []struct {
		l    Geometry
		want string
	}{
		{Geometry{}, "a length for each direction"},
		{Geometry{Size: []int{4, 0}}, "size 4x0"},
		{Geometry{Size: []int{1 << 16, 1 << 16}}, "size 65536x65536"},
		{Geometry{Kind: Honeycomb, Size: []int{1 << 15, 1 << 15}}, "2147483647 sites"},
		{Geometry{Kind: Triangular, Size: []int{4, 4, 4}}, "a triangular lattice has two lengths"},
		{Geometry{Kind: 9, Size: []int{4}}, "no lattice of number 9"},
		{Geometry{Boundary: 9, Size: []int{4}}, "no boundary of number 9"},
	} {
		if _, err := c.l.Graph(1); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want one with %q", c.l, err, c.want)
		}
		if c.l.Check() == nil {
			t.Errorf("%+v passes the check", c.l)
		}
	}
}

// The checkerboard needs two colours where it can have them, and neighbours differ everywhere.
func TestColour(t *testing.T) {
	for _, c := range []struct {
		l    Geometry
		most uint8
	}{
		{Geometry{Cubic, []int{6, 4}, Periodic}, 2}, {Geometry{Cubic, []int{5, 5}, Open}, 2}, {Geometry{Cubic, []int{5, 5}, Helical}, 4},
		{Geometry{Cubic, []int{5, 4}, Periodic}, 3}, {Geometry{Triangular, []int{6, 6}, Periodic}, 4}, {Geometry{Honeycomb, []int{5, 3}, Periodic}, 2},
	} {
		g := must(c.l.Graph(1))
		colours := must(g.Colour())
		if got := slices.Max(colours) + 1; got > c.most {
			t.Errorf("%v %v %v: %d colours", c.l.Boundary, c.l.Kind, c.l, got)
		}
		for b := range g.All() {
			if colours[b.I] == colours[b.J] {
				t.Errorf("%v %v %v: neighbours %d and %d have the same colour", c.l.Boundary, c.l.Kind, c.l, b.I, b.J)
			}
		}
	}
}
