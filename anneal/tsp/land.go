package tsp

import (
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
)

// land is what the walkers of a problem share. It has numbers of its own for the cities, so that near ones are near in memory.
type land struct {
	lists
	n      int
	city   []int32  // the problem's number of each
	matrix []int32  // all distances, where that is faster
	xy     []point  // else of each city, where distances are those of EUC_2D
	p      *Problem // else the problem's own distances, of numbers that are its own
	*chances
}

// lists are near cities of each: in both halves of a list the nearest first.
type lists struct {
	near     []nearby
	width    int // of a list, a power of two
	logWidth int
}

// nearby is a city of a list, and how far it is.
type nearby struct{ city, distance int32 }

const (
	mostNear   = 16
	inMatrix   = 256    // cities up to which a matrix is faster than coordinates
	mostMatrix = 10_000 // cities up to which distances of other types are kept
	bytesNear  = 8 * mostNear
)

// landscape makes the land once.
func (p *Problem) landscape() (*land, error) {
	p.once.Do(func() { p.land, p.err = newLand(p) })
	return p.land, p.err
}

func newLand(p *Problem) (*land, error) {
	n := p.n
	l := &land{lists: lists{width: 2, logWidth: 1}, n: n, city: make([]int32, n), p: p}
	for 2*l.width <= min(mostNear, n-1) {
		l.width *= 2
		l.logWidth++
	}
	l.chances = newChances(n, l.width)
	plane := p.Type == "EUC_2D"
	square := n <= inMatrix || !plane && n <= mostMatrix
	need := memory.Product(n, bytesNear+64)
	if square {
		need += memory.Product(n, n, 4)
	}
	if err := memory.Room(need); err != nil {
		return nil, err
	}
	var tree *kdTree
	if p.x != nil && p.z == nil && p.Type != "EXPLICIT" && p.Type != "GEO" {
		tree = newKDTree(p.x, p.y)
		copy(l.city, tree.order)
	} else {
		for i := range l.city {
			l.city[i] = int32(i)
		}
	}
	if square {
		l.fillMatrix()
	} else if plane {
		l.xy = make([]point, n)
		for i, c := range l.city {
			l.xy[i] = point{p.x[c], p.y[c]}
		}
	}
	l.near = make([]nearby, n*l.width)
	if tree != nil {
		l.nearInPlane(tree)
	} else {
		l.nearAnywhere()
	}
	return l, nil
}

func (l *land) fillMatrix() {
	l.matrix = make([]int32, l.n*l.n)
	for i, a := range l.city {
		for j, b := range l.city[:i] {
			d := int32(l.p.Distance(int(a), int(b)))
			l.matrix[i*l.n+j], l.matrix[j*l.n+i] = d, d
		}
	}
}

// distance is that of the problem, of land's numbers.
func (l *land) distance(i, j int32) int64 {
	switch {
	case l.matrix != nil:
		return int64(l.matrix[int(i)*l.n+int(j)])
	case l.xy != nil:
		return euclid(l.xy[i], l.xy[j])
	}
	return l.p.Distance(int(l.city[i]), int(l.city[j]))
}

// nearInPlane lists for each city half of its list from everywhere and half from the quadrants in turn, so that clusters are connected
// (Johnson and McGeoch, 1997, section 3.3).
func (l *land) nearInPlane(tree *kdTree) {
	number := make([]int32, l.n)
	for i, c := range l.city {
		number[c] = int32(i)
	}
	all := search{t: tree, quadrant: -1, most: l.width}
	part := search{t: tree, most: max(1, l.width/8)}
	chosen := make([]int32, 0, 2*l.width)
	for i, c := range l.city {
		all.of, part.of, chosen = c, c, chosen[:0]
		everywhere := all.nearest()
		for _, f := range everywhere[:l.width/2] {
			chosen = append(chosen, f.city)
		}
		for part.quadrant = range 4 {
			for _, f := range part.nearest() {
				if len(chosen) < l.width && !slices.Contains(chosen, f.city) {
					chosen = append(chosen, f.city)
				}
			}
		}
		for _, f := range everywhere {
			if len(chosen) < l.width && !slices.Contains(chosen, f.city) {
				chosen = append(chosen, f.city)
			}
		}
		for k, f := range chosen {
			chosen[k] = number[f]
		}
		l.list(i, chosen)
	}
}

// list sets a list; the order of its halves is by distance.
func (l *land) list(i int, cities []int32) {
	row := l.near[i*l.width : (i+1)*l.width]
	for k, c := range cities {
		row[k] = nearby{c, int32(l.distance(int32(i), c))}
	}
	for _, half := range [][]nearby{row[:l.width/2], row[l.width/2:]} {
		slices.SortStableFunc(half, func(a, b nearby) int { return int(a.distance) - int(b.distance) })
	}
}

// nearAnywhere lists the nearest cities by all distances.
func (l *land) nearAnywhere() {
	all := make([]nearby, 0, l.n)
	for i := range int32(l.n) {
		all = all[:0]
		for j := range int32(l.n) {
			if j != i {
				all = append(all, nearby{j, int32(l.distance(i, j))})
			}
		}
		slices.SortFunc(all, func(a, b nearby) int {
			if a.distance != b.distance {
				return int(a.distance) - int(b.distance)
			}
			return int(a.city - b.city)
		})
		copy(l.near[int(i)*l.width:int(i+1)*l.width], all)
	}
}
