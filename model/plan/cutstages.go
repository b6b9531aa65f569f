package plan

import (
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/model"
)

// stage are items of a plan that a sweep carries out one after the other, and that as often as times says.
type stage struct {
	items []int
	times int
}

// belowCut is how often a sweep repeats the kernels of nodes that get values from a cut, unless one draws all of them from their full conditional: the value is
// another in each sweep, and nodes that have not followed it still belong to values before.
const belowCut = 20

// stages are the items in the order of a sweep. Where something is cut, nodes on its two sides are in no density together: those that pass a value on come before those
// that get it, so that a draw holds values that belong together.
func (p *Plan) stages() []stage {
	one := stage{times: 1}
	for k := range p.Items {
		one.items = append(one.items, k)
	}
	if !p.cuts() {
		return []stage{one}
	}
	g := newCutGraph(p.Model, p.sampled())
	var out []stage
	var items []map[int32]int // of each stage, by sets of nodes
	for k, it := range p.Items {
		at := g.level(it.Rows)
		for len(out) <= at {
			out, items = append(out, stage{times: 1}), append(items, map[int32]int{})
		}
		s := &out[at]
		s.items = append(s.items, k)
		again := !drawsAtOnce(it.Kernel)
		met := map[int32]bool{}
		for _, r := range it.Rows {
			if set := g.set.find(g.place[r]); !met[set] {
				met[set] = true
				items[at][set]++
				again = again || items[at][set] > 1
			}
		}
		if at > 0 && again {
			s.times = belowCut
		}
	}
	return out
}

// sidesOfCuts are some nodes by the number of cuts that lead to them; all together where nothing is cut.
func (p *planner) sidesOfCuts(rows []int32) (sides [][]int32) {
	if !slices.ContainsFunc(p.rows, p.Model.IsCut) {
		return [][]int32{rows}
	}
	g := newCutGraph(p.Model, p.rows)
	for _, r := range rows {
		at := g.level([]int32{r})
		for len(sides) <= at {
			sides = append(sides, nil)
		}
		sides[at] = append(sides[at], r)
	}
	return slices.DeleteFunc(sides, func(rows []int32) bool { return len(rows) == 0 })
}

// drawsAtOnce tells of kernels that leave nothing of the values before.
func drawsAtOnce(kernel string) bool {
	return strings.HasPrefix(kernel, "conjugate-") || slices.Contains([]string{cutName, "block-normal", "enumerate", "ffbs"}, kernel)
}

// cutGraph has nodes in sets: those that depend on one another, and each cut by itself.
type cutGraph struct {
	set   disjoint
	place map[int32]int32 // of each row
	onto  [][2]int32      // places: of a node and a cut that is given it, and of a cut and a node that is given its value
	deep  []int           // levels of the sets
}

func newCutGraph(m *model.Model, rows []int32) *cutGraph {
	g := &cutGraph{set: newDisjoint(len(rows)), place: map[int32]int32{}}
	for k, r := range rows {
		g.place[r] = int32(k)
	}
	for d := range rowsOf(m, m.DensityRows()) {
		r := d.row()
		at, sampled := g.place[r]
		first := int32(-1)
		if sampled {
			first = at
		}
		var cuts []int32
		ancestors(m, parents(m, r), func(c int32) bool {
			up := m.DefRow(c)
			k, is := g.place[up]
			switch {
			case !is:
				return up >= 0 && m.Kinds[c] == model.Logical
			case m.IsCut(r):
				g.onto = append(g.onto, [2]int32{k, at})
			case m.IsCut(up):
				cuts = append(cuts, k)
			case first < 0:
				first = k
			default:
				g.set.join(first, k)
			}
			return false
		})
		for _, k := range cuts {
			if first >= 0 {
				g.onto = append(g.onto, [2]int32{k, first})
			}
		}
	}
	g.deep = g.levels()
	return g
}

// level is the greatest of some nodes.
func (g *cutGraph) level(rows []int32) (at int) {
	for _, r := range rows {
		at = max(at, g.deep[g.set.find(g.place[r])])
	}
	return at
}

// levels are, of each set, at its first place, the most steps over cuts that lead to it; where values go round, as many as there are steps at most.
func (g *cutGraph) levels() []int {
	level := make([]int, len(g.set))
	for range g.onto {
		changed := false
		for _, e := range g.onto {
			from, to := g.set.find(e[0]), g.set.find(e[1])
			if from != to && level[to] <= level[from] {
				level[to], changed = level[from]+1, true
			}
		}
		if !changed {
			break
		}
	}
	return level
}
