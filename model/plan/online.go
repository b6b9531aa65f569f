package plan

import "github.com/ergodic-mcmc/ergodic/model"

// onLine are nodes that move at once as numbers of the line, each by the transform of its kernel.
type onLine []*adaptive

// look writes the nodes, and where they are on the line, and returns the log of the Jacobian.
func (n onLine) look(s *model.State, x, u []float64) (logJ float64) {
	for j, t := range n {
		x[j] = s.V[t.slice.n.cells[0]]
		u[j] = t.forward(x[j])
		_, l := t.back(u[j])
		logJ += l
	}
	return logJ
}

// place puts the nodes at u, those before the first that would be at the end of its support.
func (n onLine) place(s *model.State, u []float64) (logJ float64, ok bool) {
	for j, t := range n {
		x, l := t.back(u[j])
		if !(x > t.lo && x < t.hi) {
			return 0, false
		}
		s.V[t.slice.n.cells[0]] = x
		logJ += l
	}
	return logJ, true
}
