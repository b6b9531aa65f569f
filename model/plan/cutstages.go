package plan

import (
	"cmp"
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
	level := g.levels()
	at := map[int32]int{}
	var out []stage
	var deep []int // level of each
	for k, it := range p.Items {
		set := g.set.find(g.place[it.Rows[0]])
		i, ok := at[set]
		if !ok {
			i = len(out)
			at[set], out, deep = i, append(out, stage{times: 1}), append(deep, level[set])
		}
		out[i].items = append(out[i].items, k)
	}
	order := make([]int, len(out))
	for i, s := range out {
		if order[i] = i; deep[i] > 0 && (len(s.items) > 1 || !drawsAtOnce(p.Items[s.items[0]].Kernel)) {
			out[i].times = belowCut
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(deep[a], deep[b]) })
	sorted := make([]stage, len(out))
	for k, i := range order {
		sorted[k] = out[i]
	}
	return sorted
}

// sidesOfCuts are some nodes by those that depend on one another; all together where nothing is cut.
func (p *planner) sidesOfCuts(rows []int32) [][]int32 {
	if len(rows) == 0 {
		return nil
	}
	if !slices.ContainsFunc(p.rows, p.Model.IsCut) {
		return [][]int32{rows}
	}
	g := newCutGraph(p.Model, p.rows)
	at := map[int32]int{}
	var out [][]int32
	for _, r := range rows {
		set := g.set.find(g.place[r])
		i, ok := at[set]
		if !ok {
			i = len(out)
			at[set], out = i, append(out, nil)
		}
		out[i] = append(out[i], r)
	}
	return out
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
	return g
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
