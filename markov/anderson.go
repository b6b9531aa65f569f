package markov

import "math"

// depth is the number of earlier cycles that Anderson acceleration combines.
const depth = 5

// anderson is Anderson acceleration (1965) of the cycles x → g(x): it takes the combination of the last ones whose
// predicted change g(x) − x is least; for a linear iteration this is GMRES (Walker, Ni, 2011). Changes are weighted by 1/√x, the norm in which reversible chains
// are symmetric.
type anderson struct {
	g, f   [depth][]float64 // differences of images and of changes, the newest at used−1 modulo depth
	lastG  []float64
	lastF  []float64
	used   int
	least  float64 // smallest change since the beginning
	rest   int     // cycles left to do without acceleration after a restart
	pause  int     // number of such cycles at the last restart
	normal [depth][depth + 1]float64

	amplify float64 // lower bound of the factor from changes to errors, from the last two cycles: see record
}

func newAnderson(n int) *anderson {
	a := &anderson{lastG: make([]float64, n), lastF: make([]float64, n)}
	for k := range depth {
		a.g[k], a.f[k] = make([]float64, n), make([]float64, n)
	}
	return a
}

// step replaces x, the image of old, by the combination.
func (a *anderson) step(x, old []float64) {
	a.record(x, old)
	size := a.size()
	if a.used > 0 && size > 2*a.least {
		// Acceleration has diverged: restart it after some cycles without.
		a.used, a.pause = 0, min(2*a.pause+4, 100)
		a.rest = a.pause
	}
	if a.used == 0 || size < a.least {
		a.least = size
	}
	m := min(a.used, depth)
	a.used++
	if a.rest > 0 {
		a.rest--
		return
	}
	if m == 0 {
		return
	}
	a.products(m)
	c, ok := a.solve(m)
	if !ok {
		a.used = 1
		return
	}
	for i, v := range x {
		y := v
		for k := range m {
			y -= float64(c[k] * a.g[k][i])
		}
		x[i] = max(y, v/8) // stay positive
	}
}

// record stores the result of a cycle from old. Between two cycles x differs by dx and its change by df, where a linear
// iteration has df = dx (G − I): |dx|/|df| is a lower bound of the norm of (I − G)⁻¹, which takes changes to errors.
func (a *anderson) record(x, old []float64) {
	a.amplify = 0
	if a.used == 0 {
		for i, v := range x {
			a.lastG[i], a.lastF[i] = v, v-old[i]
		}
		return
	}
	dg, df := a.g[(a.used-1)%depth], a.f[(a.used-1)%depth]
	moved, turned := 0.0, 0.0
	for i, v := range x {
		f := v - old[i]
		dg[i], df[i] = v-a.lastG[i], f-a.lastF[i]
		moved += math.Abs(dg[i] - df[i])
		turned += math.Abs(df[i])
		a.lastG[i], a.lastF[i] = v, f
	}
	if turned > 0 {
		a.amplify = moved / turned
	}
}

// size is the norm of the last change.
func (a *anderson) size() float64 {
	sum := 0.0
	for i, v := range a.lastG {
		sum += float64(a.lastF[i] / max(v, leastProb) * a.lastF[i])
	}
	return math.Sqrt(sum)
}

// products sets up the normal equations of the least squares.
func (a *anderson) products(m int) {
	for k := range m {
		a.normal[k] = [depth + 1]float64{}
	}
	for i, v := range a.lastG {
		w := 1 / max(v, leastProb)
		for k := range m {
			fk := a.f[k][i] * w
			for j := k; j < m; j++ {
				a.normal[k][j] += float64(fk * a.f[j][i])
			}
			a.normal[k][depth] += float64(fk * a.lastF[i])
		}
	}
	for k := range m {
		for j := range k {
			a.normal[k][j] = a.normal[j][k]
		}
	}
}

// solve is elimination with scaled diagonals; a system that is nearly singular is refused.
func (a *anderson) solve(m int) (c [depth]float64, ok bool) {
	var d [depth]float64
	for k := range m {
		d[k] = math.Sqrt(a.normal[k][k])
		if !(d[k] > 0) {
			return c, false
		}
	}
	for k := range m {
		for j := range m {
			a.normal[k][j] /= d[k] * d[j]
		}
		a.normal[k][depth] /= d[k]
	}
	for k := range m {
		if a.normal[k][k] < 1e-10 {
			return c, false
		}
		for i := k + 1; i < m; i++ {
			l := a.normal[i][k] / a.normal[k][k]
			for j := k; j <= depth; j++ {
				a.normal[i][j] -= float64(l * a.normal[k][j])
			}
		}
	}
	for k := m - 1; k >= 0; k-- {
		v := a.normal[k][depth]
		for j := k + 1; j < m; j++ {
			v -= float64(a.normal[k][j] * c[j])
		}
		c[k] = v / a.normal[k][k]
	}
	for k := range m {
		c[k] /= d[k]
	}
	return c, true
}
