package labels

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/draws"
)

// Result says what [Relabel] did.
type Result struct {
	K       int      // how many elements are exchanged
	Arrays  []string // the arrays whose elements they are
	Indices []string // the variables whose values are their numbers
	Draws   int      // of all chains
	Moved   int      // draws that were put in another order
}

// Relabel returns the draws with the labels 1…K of each draw in the order that brings it nearest to the others. The variables
// named take part: all dimensions of length K of an array are put in the new order together, K being the one length of a dimension that all such arrays have, and a
// variable without such a dimension whose values are whole numbers from 1 to K has its values exchanged. The order maximises the likelihood of all draws as independent
// normal elements, by turns of orders and moments (Stephens 2000, "Dealing with label switching in mixture models", Journal of the Royal Statistical Society B 62, algorithm
// 4.1); of an array with several dimensions of length K the diagonal counts. Labels ascend with the means of the first array's first element. Variables that are not named stay
// as they are.
func Relabel(set *draws.Set, names []string) (*draws.Set, Result, error) {
	w, err := newWork(set, names)
	if err != nil {
		return nil, Result{}, err
	}
	p := w.points()
	order := p.nearest()
	out, err := draws.NewSet(set.Variables(), set.Chains())
	if err != nil {
		return nil, Result{}, err
	}
	out.Reserve(set.Draws())
	r := Result{K: w.k, Draws: p.draws}
	for _, v := range w.named {
		if v.values {
			r.Indices = append(r.Indices, v.Name)
		} else {
			r.Arrays = append(r.Arrays, v.Name)
		}
	}
	row := make([]float64, len(set.Names()))
	for t := range p.draws {
		o := order[t*w.k : (t+1)*w.k]
		if !slices.IsSorted(o) {
			r.Moved++
		}
		w.ordered(row, t, o)
		if err := out.Append(t/set.Draws(), row); err != nil {
			return nil, Result{}, err
		}
	}
	return out, r, nil
}

// work is a set with the variables that take part.
type work struct {
	set   *draws.Set
	k     int
	named []part
}

// part is a variable that takes part.
type part struct {
	draws.Variable
	first  int  // its first element
	values bool // its values are labels
}

func newWork(set *draws.Set, names []string) (*work, error) {
	w := &work{set: set}
	common := map[int]int{}
	for i, name := range names {
		v, first, ok := set.Variable(name)
		if !ok {
			return nil, fmt.Errorf("there is no variable %s among the draws", name)
		}
		if slices.Contains(names[:i], name) {
			return nil, fmt.Errorf("%s stands twice among the variables to relabel", name)
		}
		w.named = append(w.named, part{Variable: v, first: first})
		for d, n := range v.Dims {
			if n > 1 && !slices.Contains(v.Dims[:d], n) {
				common[n]++
			}
		}
	}
	if err := w.length(common); err != nil {
		return nil, err
	}
	for i := range w.named {
		v := &w.named[i]
		if slices.Contains(v.Dims, w.k) {
			continue
		}
		if v.values = w.counts(v); !v.values {
			return nil, fmt.Errorf("%s has neither a dimension of length %d nor whole numbers from 1 to %d as values: it does not take part in exchanging %d labels", v.Name, w.k, w.k, w.k)
		}
	}
	return w, nil
}

// length finds K: the length that most of the variables have.
func (w *work) length(common map[int]int) error {
	most := 0
	var lengths []int
	for n, times := range common {
		switch {
		case times > most:
			most, lengths = times, []int{n}
		case times == most:
			lengths = append(lengths, n)
		}
	}
	slices.Sort(lengths)
	switch {
	case w.set.Draws() == 0:
		return fmt.Errorf("there are no draws to relabel")
	case len(lengths) == 0:
		return fmt.Errorf("nothing to relabel: name the arrays whose elements are exchanged, such as the means and the shares of a mixture's components")
	case len(lengths) > 1:
		var all []string
		for _, n := range lengths {
			all = append(all, fmt.Sprint(n))
		}
		return fmt.Errorf("the arrays have dimensions of length %s, and any may be the one that is exchanged: name another array too, one with no other dimension", strings.Join(all, " and "))
	}
	w.k = lengths[0]
	return nil
}

// counts tells whether all values of a variable are labels.
func (w *work) counts(v *part) bool {
	for e := range v.Size() {
		for _, chain := range w.set.Element(v.first + e) {
			for _, x := range chain {
				if x != math.Trunc(x) || !(x >= 1) || x > float64(w.k) {
					return false
				}
			}
		}
	}
	return true
}

// at is the value of an element at draw t of all chains one after the other.
func (w *work) at(element, t int) float64 {
	n := w.set.Draws()
	return w.set.Chain(t/n, element)[t%n]
}

// points are what tells the labels of a draw apart. An element that is missing or infinite in any draw does not count.
func (w *work) points() *points {
	p := &points{k: w.k, draws: w.set.Draws() * w.set.Chains()}
	var features [][]int // the element of each label
	for _, v := range w.named {
		if v.values {
			continue
		}
		at := map[string]int{}
		index := make([]int, len(v.Dims))
		for e := range v.Size() {
			label, key := v.split(e, index, w.k)
			if label < 0 {
				continue
			}
			f, ok := at[key]
			if !ok {
				f = len(features)
				at[key], features = f, append(features, make([]int, w.k))
			}
			features[f][label] = v.first + e
		}
	}
	features = slices.DeleteFunc(features, func(elements []int) bool { return slices.ContainsFunc(elements, w.broken) })
	p.features = len(features)
	scale := w.scales(features)
	p.x = make([]float64, 0, p.draws*p.k*p.features)
	for t := range p.draws {
		for j := range p.k {
			for i, f := range features {
				p.x = append(p.x, w.at(f[j], t)/scale[i])
			}
		}
	}
	return p
}

// scales are the largest absolute values of each feature: squares of shares of them do not overflow.
func (w *work) scales(features [][]int) []float64 {
	scale := make([]float64, len(features))
	for i, f := range features {
		for _, e := range f {
			for _, chain := range w.set.Element(e) {
				for _, x := range chain {
					scale[i] = max(scale[i], math.Abs(x))
				}
			}
		}
		if scale[i] == 0 {
			scale[i] = 1
		}
	}
	return scale
}

func (w *work) broken(element int) bool {
	for _, chain := range w.set.Element(element) {
		for _, x := range chain {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return true
			}
		}
	}
	return false
}

// split is the label of an element, −1 where its dimensions of length k have several, and what its other indices are.
func (v *part) split(e int, index []int, k int) (label int, key string) {
	label = -1
	for d, n := range v.Dims {
		index[d] = e % n
		e /= n
		switch {
		case n != k:
		case label >= 0 && index[d] != label:
			return -1, ""
		default:
			label, index[d] = index[d], 0
		}
	}
	return label, fmt.Sprint(index)
}

// ordered writes draw t with component o[j] as label j.
func (w *work) ordered(row []float64, t int, o []int) {
	for e := range row {
		row[e] = w.at(e, t)
	}
	for _, v := range w.named {
		for e := range v.Size() {
			if v.values {
				row[v.first+e] = float64(slices.Index(o, int(row[v.first+e])-1) + 1)
				continue
			}
			from, stride, rest := 0, 1, e
			for _, n := range v.Dims {
				i := rest % n
				if n == w.k {
					i = o[i]
				}
				from, stride, rest = from+i*stride, stride*n, rest/n
			}
			row[v.first+e] = w.at(v.first+from, t)
		}
	}
}
