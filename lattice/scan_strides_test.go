package lattice

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/streams"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// Stretches of sites, sites one by one by patterns, and sites by their bonds give the same spins, on lattices with loops of their own
// and without.
func TestStridesFollowTheBonds(t *testing.T) {
	r := rng.New(1, "test").Rand
	for _, l := range []Geometry{
		{Cubic, []int{40}, Periodic}, {Cubic, []int{33, 17}, Periodic}, {Cubic, []int{32, 18}, Helical}, {Cubic, []int{30, 5, 6}, Open}, {Triangular, []int{24, 12}, Periodic}, {Honeycomb, []int{16, 9}, Helical},
		{Cubic, []int{9, 3, 4, 4}, Periodic},
	} {
		g := must(l.Graph(1))
		var sites []int32 // those of one place in the cell after those of the other, where a cell has two
		for first := range l.basis() {
			for i := first; i < g.Sites(); i += l.basis() {
				sites = append(sites, int32(i))
			}
		}
		runs := g.patterns().runs(len(sites), func(k int) int32 { return sites[k] })
		if 3*len(runs) > len(sites) {
			t.Errorf("%v %v %v: %d stretches of %d sites", l.Boundary, l.Kind, l, len(runs), len(sites))
		}
		signs := must(g.PlusMinus(0.7, 0.5, 3))
		for _, m := range []*Model{{Graph: signs}, {Graph: g}, {Graph: g, Field: UniformField(g.Sites(), 0.3)}, {Graph: g, Q: 3}, {Graph: g, Q: 10}, {Graph: g, Q: 40}, {Graph: must(l.Graph(-1)), Q: 4}} {
			for name, rule := range map[string]func(m *Model) rule{"Metropolis": metropolis, "heat bath": heatBath} {
				for _, beta := range []float64{0, 0.4, 2000, math.Inf(1)} {
					k, ok := rule(m).(strider)
					if !ok && len(l.Size) == 4 { // eight bonds are too many for signs
						continue
					}
					if !ok {
						t.Fatalf("%s: the rule knows no stretches", name)
					}
					k.at(beta)
					bonds := rule(m)
					if m.Graph == signs {
						table, _ := newIsingTable(m, k.(*signsIsing).rule)
						bonds = table
					}
					bonds.at(beta)
					a := m.Random(r).Spins
					b, c := slices.Clone(a), slices.Clone(a)
					for sweep := range uint64(5) {
						s := streams.New(1, "test").Stream(sweep)
						end := bonds.draw(a, sites, s)
						if k.scatter(b, sites, g.patterns(), s) != end || !bytes.Equal(a, b) {
							t.Fatalf("%s, %v %v %v, q = %d, β = %v: sites one by one part from bonds", name, l.Boundary, l.Kind, l, m.Q, beta)
						}
						for _, run := range runs {
							s = k.stride(c, g.patterns().stretch(run), s)
						}
						if s != end || !bytes.Equal(a, c) {
							t.Fatalf("%s, %v %v %v, q = %d, β = %v: stretches part from bonds", name, l.Boundary, l.Kind, l, m.Q, beta)
						}
					}
				}
			}
		}
	}
}

// Lists hold each site once, their runs the same in blocks, and a graph without patterns has no runs.
func TestSiteLists(t *testing.T) {
	for _, l := range []Geometry{{Cubic, []int{90, 70}, Periodic}, {Cubic, []int{4, 4}, Periodic}, {Triangular, []int{50, 61}, Helical}, {Cubic, []int{2100}, Open}} {
		g := must(l.Graph(1))
		var all []int32
		for _, list := range must(g.byColour()) {
			all = append(all, list.sites...)
			for b := range list.blocks() {
				var sites []int32
				for _, r := range list.blockRuns(b) {
					for n := range r.count {
						sites = append(sites, r.first+n*r.step)
					}
				}
				if list.runs != nil && !slices.Equal(sites, list.block(b)) {
					t.Errorf("%v: block %d is %v in runs and %v in sites", l, b, sites, list.block(b))
				}
			}
		}
		slices.Sort(all)
		if len(all) != g.Sites() || len(slices.Compact(all)) != g.Sites() {
			t.Errorf("%v: %d sites in the lists of %d", l, len(all), g.Sites())
		}
	}
	r := rng.New(1, "test").Rand
	to := r.Perm(2000)
	g := must(NewGraph(2000, func(yield func(Bond) bool) {
		for i := range 1999 {
			if !yield(Bond{to[i], to[i+1], 1}) {
				return
			}
		}
	}))
	if list := g.inOrder(); g.patterns() != nil || list.runs != nil {
		t.Error("a graph in random order has patterns")
	}
}
