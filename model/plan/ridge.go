package plan

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Ridge are nodes of which their children, and so the data, tell a combination alone.
type Ridge struct {
	Nodes   []string
	Weights []float64 // of the combination, which is their sum with these; the first is 1
	Narrow  float64   // standard deviation of the combination
	Wide    []float64 // and of each node
}

const (
	ridgeShare = 0.005 // of the variance, with nodes standardised, that a narrow direction has at most: |r| = 0.995 for two
	ridgeStep  = 0.5   // standard deviations, by which nodes are moved across
	ridgeFall  = 6.    // of the children's log density, at least, there
	ridgeAlong = 2.    // standard deviations, by which a node is moved along
	ridgeKeep  = 0.5   // of the children's log density, that is lost at most, there, in the mean of both ways
	ridgePart  = 0.2   // of the largest weight, that a node has at least to be named
	mostRidges = 5
)

// Ridges finds them; draws are those of h.Names, of each the same. Nodes whose own priors make them alike, such as neighbours of a random walk, are none: across the ridge
// the children's density must fall. Nor are coefficients of covariates that are not centred, which data tell, though together: along the ridge it must not fall.
func (h *Shapes) Ridges(draws [][]float64) (all []Ridge) {
	z := make([]standing, len(draws))
	var live []int // nodes that are not in a ridge yet
	for k, x := range draws {
		if z[k] = standardised(x); z[k].sd > 0 && !math.IsInf(z[k].sd, 0) {
			live = append(live, k)
		}
	}
	if len(live) < 2 || len(draws[0]) < 4*len(live) {
		return nil
	}
	r := mat.NewSymDense(len(draws), nil)
	for a, i := range live {
		for _, k := range live[:a+1] {
			r.SetSym(i, k, correlation(z[i], z[k]))
		}
	}
	for a := 0; a < len(live); a++ {
		for b := a + 1; b < len(live); b++ {
			c := r.At(live[a], live[b])
			if math.Abs(c) <= 1-ridgeShare {
				continue
			}
			d := narrow{which: []int{live[a], live[b]}, weights: []float64{math.Sqrt2 / 2, -math.Copysign(math.Sqrt2/2, c)}}
			d.follow(live, r)
			if found := h.ridge(&d, z); found != nil {
				all = append(all, *found)
				live = slices.Delete(live, b, b+1) // what it is in a ridge with besides, the other one is too
				b--
			}
		}
	}
	all = append(all, h.sums(live, r, z)...)
	return all[:min(len(all), mostRidges)]
}

// sums are ridges of three nodes and more: the directions of the least variance.
func (h *Shapes) sums(live []int, r *mat.SymDense, z []standing) (all []Ridge) {
	n := len(live)
	if n < 3 {
		return nil
	}
	part := mat.NewSymDense(n, nil)
	for a, i := range live {
		for b, k := range live[:a+1] {
			part.SetSym(a, b, r.At(i, k))
		}
	}
	var e mat.EigenSym
	if !e.Factorize(part, true) {
		return nil
	}
	var v mat.Dense
	e.VectorsTo(&v)
	for k, variance := range e.Values(nil) { // the least first
		if variance > ridgeShare {
			break
		}
		largest := 0.0
		for a := range live {
			largest = max(largest, math.Abs(v.At(a, k)))
		}
		var d narrow
		for a, i := range live {
			if x := v.At(a, k); math.Abs(x) >= ridgePart*largest {
				d.which, d.weights = append(d.which, i), append(d.weights, x)
			}
		}
		if len(d.which) < 2 {
			continue
		}
		d.project()
		if found := h.ridge(&d, z); found != nil {
			all = append(all, *found)
		}
	}
	return all
}

// narrow is a direction in which draws vary little, over nodes in units of their standard deviations, with ways along, in which they vary much.
type narrow struct {
	which   []int
	weights []float64 // of some of the nodes; those after them only follow along
	along   [][]float64
}

// follow gives a pair the way on which all nodes that are correlated with the first go with it.
func (d *narrow) follow(live []int, r *mat.SymDense) {
	const close = 0.9
	first := d.which[0]
	way := []float64{1, r.At(first, d.which[1])}
	for _, i := range live {
		if c := r.At(first, i); math.Abs(c) > close && !slices.Contains(d.which, i) {
			d.which, way = append(d.which, i), append(way, c)
		}
	}
	d.along = [][]float64{way}
}

// project gives each node a way on which it moves by 1, and the others so that the weighted sum does not.
func (d *narrow) project() {
	norm := 0.0
	for _, w := range d.weights {
		norm += float64(w * w)
	}
	for i, w := range d.weights {
		way := make([]float64, len(d.weights))
		for k, x := range d.weights {
			way[k] = -w * x / (norm - float64(w*w))
		}
		way[i] = 1
		d.along = append(d.along, way)
	}
}

// ridge holds a direction against the density; nil where it is no ridge's narrow one.
func (h *Shapes) ridge(d *narrow, z []standing) *Ridge {
	nodes := make([]scalarNode, len(d.which))
	inUnits := func(x []float64) []float64 {
		out := make([]float64, len(d.which))
		for k, v := range x {
			out[k] = v * z[d.which[k]].sd
		}
		return out
	}
	for k, i := range d.which {
		nodes[k] = h.nodes[i]
	}
	across, v := inUnits(d.weights), h.motion(nodes)
	for _, s := range h.last {
		if max(v.gain(s, across, ridgeStep), v.gain(s, across, -ridgeStep)) > -ridgeFall {
			return nil
		}
		for _, way := range d.along {
			way = inUnits(way)
			if v.gain(s, way, ridgeAlong)+v.gain(s, way, -ridgeAlong) < -2*ridgeKeep {
				return nil
			}
		}
	}
	if h.budget < 0 {
		return nil
	}
	return h.tell(d, z)
}

// tell is the ridge of a direction.
func (h *Shapes) tell(d *narrow, z []standing) *Ridge {
	first := d.which[0]
	out := &Ridge{}
	squares := 0.0
	for i := range z[first].z {
		sum := 0.0
		for k, w := range d.weights {
			sum += float64(w * z[d.which[k]].z[i])
		}
		squares += sum * sum / float64(len(z[first].z))
	}
	for k, w := range d.weights {
		n := d.which[k]
		out.Nodes, out.Wide = append(out.Nodes, h.nodes[n].name), append(out.Wide, z[n].sd)
		out.Weights = append(out.Weights, w/z[n].sd/(d.weights[0]/z[first].sd))
	}
	out.Narrow = math.Sqrt(squares) * z[first].sd / math.Abs(d.weights[0])
	return out
}
