package plan

import (
	"cmp"
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/columns"
	"github.com/ergodic-mcmc/ergodic/model"
)

// Shapes looks, after a run, for what a posterior is like where the draws of single elements do not tell: for ridges, for nodes that data do not bound, and for
// nodes that a bound of their prior cuts off. Each is suspected by draws, and held against the density of the nodes' children where the chains are, with the nodes moved.
// The work is a fiftieth of what the chains' warm-up took, at most, both counted in rows of the model, or some milliseconds. Neither chains' states nor what they draw are changed.
type Shapes struct {
	job   *Job
	last  []*model.State // copies of the chains' last states
	nodes []scalarNode   // that Names names
	Names []string       // of the elements whose draws Ridges and Boundless take

	budget int // rows left
}

// scalarNode is a monitored element that is a continuous node.
type scalarNode struct {
	name string
	cell int32
	row  int32
}

// mostTogether is how many nodes are looked at together: those of the shortest arrays.
const mostTogether = 60

// mostShapeCells bounds the values of a state, which are computed again for each place that is looked at.
const mostShapeCells = 1 << 20

const (
	shapesShare = 0.02 // of the work of the warm-up
	shapesRows  = 100_000
)

// NewShapes takes what the chains have left; nil where that is nothing, and where the model is too large.
func NewShapes(j *Job, v Visited) *Shapes {
	m := j.Plan.Model
	if len(v.Last) == 0 || slices.Contains(v.Last, nil) || len(m.Init) > mostShapeCells {
		return nil
	}
	j.ready()
	h := &Shapes{job: j, budget: max(shapesRows, int(shapesShare*float64(v.Chains)*float64(v.Warmup)*j.Plan.work()))}
	for _, s := range v.Last[:min(len(v.Last), 4)] {
		s = j.Plan.copyOf(s)
		s.RunAllLive()
		h.last = append(h.last, s)
	}
	for _, mon := range slices.SortedStableFunc(slices.Values(j.Monitors), func(a, b model.Monitor) int { return cmp.Compare(a.Size(), b.Size()) }) {
		for k, c := range mon.Cells {
			if c < 0 || m.Kinds[c] != model.Unobserved || !m.Informed(m.DefRow(c)) || len(h.nodes) == mostTogether {
				continue
			}
			if t, _ := m.TemplateOf(m.DefRow(c)); t.Stoch.Scalar != nil && !t.Stoch.Scalar.Discrete {
				h.nodes = append(h.nodes, scalarNode{mon.ElementName(k), c, m.DefRow(c)})
				h.Names = append(h.Names, mon.ElementName(k))
			}
		}
	}
	return h
}

// motion is of some nodes together.
type motion struct {
	h        *Shapes
	nodes    []scalarNode
	det      []model.Seg
	children []model.Seg // rows that depend on the nodes, but for their own
	rows     int         // computed for one place
	old      []float64
}

func (h *Shapes) motion(nodes []scalarNode) *motion {
	m := h.job.Plan.Model
	cells, own := make([]int32, len(nodes)), make([]int32, len(nodes))
	for k, n := range nodes {
		cells[k], own[k] = n.cell, n.row
	}
	b := m.Blanket(cells)
	rows := slices.DeleteFunc(rowNumbers(m, b.Stoch), func(r int32) bool { return slices.Contains(own, r) })
	v := &motion{h: h, nodes: nodes, det: b.Det, children: runsOf(m, rows), old: make([]float64, len(nodes))}
	v.rows = model.Count(b.Det) + len(rows)
	h.budget -= v.rows
	return v
}

// gain is by how much the children's log density changes where the nodes are moved by some multiple of given amounts; −Inf where it has no value, and where the work is over.
func (v *motion) gain(s *model.State, by []float64, times float64) float64 {
	if v.h.budget -= 2 * v.rows; v.h.budget < 0 {
		return math.Inf(-1)
	}
	was := s.LogProb(v.children)
	for k, n := range v.nodes {
		v.old[k] = s.V[n.cell]
		s.V[n.cell] += float64(times * by[k])
	}
	s.Run(v.det)
	now := s.LogProb(v.children)
	for k, n := range v.nodes {
		s.V[n.cell] = v.old[k]
	}
	s.Run(v.det)
	if math.IsNaN(now - was) {
		return math.Inf(-1)
	}
	return now - was
}

// standing are the draws of a node in units of their standard deviation, from their mean.
type standing struct {
	sd float64
	z  []float64
}

func standardised(x []float64) (s standing) {
	mean := 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		s.sd += (v - mean) * (v - mean) / float64(len(x))
	}
	s.sd = math.Sqrt(s.sd)
	for _, v := range x {
		s.z = append(s.z, (v-mean)/s.sd)
	}
	return s
}

func correlation(a, b standing) float64 { return columns.Dot(a.z, b.z) / float64(len(a.z)) }
