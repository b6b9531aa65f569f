package dic

import "math"

// Moments are the mean of values and the sum of squares about it (Welford 1962).
type Moments struct {
	n        float64
	mean, m2 float64
}

// Add takes a value.
func (m *Moments) Add(x float64) {
	m.n++
	d := x - m.mean
	m.mean += d / m.n
	m.m2 += float64(d * (x - m.mean))
}

// Mean is that of the values.
func (m Moments) Mean() float64 { return m.mean }

// Variance is that of the values.
func (m Moments) Variance() float64 {
	if m.n < 2 {
		return math.NaN()
	}
	return m.m2 / (m.n - 1)
}

// Weighted is a mean with weights whose logarithms may be large.
type Weighted struct{ top, sum, weights, squares float64 }

// Add takes a value.
func (w *Weighted) Add(x, logWeight float64) {
	w.join(Weighted{logWeight, x, 1, 1})
}

// join takes the values of another.
func (w *Weighted) join(o Weighted) {
	if o.weights == 0 {
		return
	}
	if w.weights == 0 || o.top > w.top {
		*w, o = o, *w
	}
	if o.weights == 0 {
		return
	}
	e := math.Exp(o.top - w.top)
	w.sum += float64(e * o.sum)
	w.weights += float64(e * o.weights)
	w.squares += float64(e * e * o.squares)
}

// Mean is sum w x / sum w.
func (w *Weighted) Mean() float64 { return w.sum / w.weights }

// effective is the number of equal weights that tell as much (Kish 1965).
func (w *Weighted) effective() float64 { return w.weights * w.weights / w.squares }

// Weigh adds a node's divergences between chains, each with the weight that leaves its value out.
func (n *Node) Weigh(to *Weighted) {
	chains := len(n.LogP)
	for c := range chains {
		for o := range chains {
			if o != c {
				to.Add(n.KL[c*chains+o], -n.LogP[c]-n.LogP[o])
			}
		}
	}
}
