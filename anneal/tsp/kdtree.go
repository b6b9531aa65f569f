package tsp

import "slices"

// kdTree finds near cities in the plane (Bentley, 1975). Cities of a node are a range of order, split at the median of the longer side.
type kdTree struct {
	x, y  []float64
	order []int32
	boxes []box // of a heap: the halves of node i are 2i+1 and 2i+2
}

type box struct{ x0, y0, x1, y1 float64 }

// leaf is the number of cities from which a node has no halves.
const leaf = 8

func newKDTree(x, y []float64) *kdTree {
	t := &kdTree{x: x, y: y, order: make([]int32, len(x))}
	for i := range t.order {
		t.order[i] = int32(i)
	}
	t.build(0, t.order)
	return t
}

func (t *kdTree) build(node int, cities []int32) {
	for len(t.boxes) <= node {
		t.boxes = append(t.boxes, box{})
	}
	b := box{t.x[cities[0]], t.y[cities[0]], t.x[cities[0]], t.y[cities[0]]}
	for _, c := range cities {
		b = box{min(b.x0, t.x[c]), min(b.y0, t.y[c]), max(b.x1, t.x[c]), max(b.y1, t.y[c])}
	}
	t.boxes[node] = b
	if len(cities) <= leaf {
		return
	}
	first, second := t.x, t.y
	if b.y1-b.y0 > b.x1-b.x0 {
		first, second = second, first
	}
	slices.SortFunc(cities, func(i, j int32) int {
		switch {
		case first[i] != first[j]:
			return compare(first[i] < first[j])
		case second[i] != second[j]:
			return compare(second[i] < second[j])
		}
		return int(i - j)
	})
	half := len(cities) / 2
	t.build(2*node+1, cities[:half])
	t.build(2*node+2, cities[half:])
}

func compare(less bool) int {
	if less {
		return -1
	}
	return 1
}

// gap is the part of a distance outside an interval.
func gap(v, low, high float64) float64 { return max(low-v, v-high, 0) }

// search collects the nearest cities of one, itself left out, in all directions or in a quadrant.
type search struct {
	t        *kdTree
	of       int32
	quadrant int // from 0; negative: everywhere
	found    []near
	most     int
}

type near struct {
	square float64 // of the distance
	city   int32
}

// nearest are the cities in order of distance; the slice found is used again.
func (s *search) nearest() []near {
	s.found = s.found[:0]
	s.visit(0, s.t.order)
	return s.found
}

func (s *search) visit(node int, cities []int32) {
	x, y, b := s.t.x[s.of], s.t.y[s.of], s.t.boxes[node]
	dx, dy := gap(x, b.x0, b.x1), gap(y, b.y0, b.y1)
	if s.outside(b, x, y) || len(s.found) == s.most && float64(dx*dx)+float64(dy*dy) >= s.found[s.most-1].square {
		return
	}
	if len(cities) <= leaf {
		for _, c := range cities {
			s.meet(c)
		}
		return
	}
	half := len(cities) / 2
	left, right := s.t.boxes[2*node+1], s.t.boxes[2*node+2]
	if gap(x, left.x0, left.x1)+gap(y, left.y0, left.y1) <= gap(x, right.x0, right.x1)+gap(y, right.y0, right.y1) {
		s.visit(2*node+1, cities[:half])
		s.visit(2*node+2, cities[half:])
		return
	}
	s.visit(2*node+2, cities[half:])
	s.visit(2*node+1, cities[:half])
}

// outside says whether a box has no point of the quadrant. Quadrants are half-open, so that each point but the centre is in one.
func (s *search) outside(b box, x, y float64) bool {
	switch s.quadrant {
	case 0: // x > 0, y ≥ 0
		return b.x1 <= x || b.y1 < y
	case 1: // x ≤ 0, y > 0
		return b.x0 > x || b.y1 <= y
	case 2: // x < 0, y ≤ 0
		return b.x0 >= x || b.y0 > y
	case 3: // x ≥ 0, y < 0
		return b.x1 < x || b.y0 >= y
	}
	return false
}

func (s *search) meet(c int32) {
	x, y := s.t.x[c], s.t.y[c]
	if c == s.of || s.outside(box{x, y, x, y}, s.t.x[s.of], s.t.y[s.of]) {
		return
	}
	dx, dy := x-s.t.x[s.of], y-s.t.y[s.of]
	square := float64(dx*dx) + float64(dy*dy)
	if len(s.found) == s.most {
		if square >= s.found[s.most-1].square {
			return
		}
		s.found = s.found[:s.most-1]
	}
	k := len(s.found)
	s.found = append(s.found, near{})
	for ; k > 0 && s.found[k-1].square > square; k-- {
		s.found[k] = s.found[k-1]
	}
	s.found[k] = near{square, c}
}
