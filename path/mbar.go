package path

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// mbar solves the multistate Bennett acceptance ratio over the draws of all chains.
func (w *temperedChains[S]) mbar() (*Result, error) {
	k := len(w.ladder)
	m := newMultistate(k)
	for _, c := range w.chains {
		for n, label := range c.series[2] {
			m.add(c.all[n*k:(n+1)*k], int(label))
		}
	}
	if err := m.solve(w.zeta); err != nil {
		return nil, err
	}
	top := k - 1
	res := w.newResult("MBAR")
	res.LogZ = w.f.LogZBase() + m.logZ[top] - m.logZ[0]
	influence := m.influence(0, top)
	var y [][]float64
	chains := make([]float64, len(w.chains))
	for i := range w.chains {
		part := influence[i*w.set.Rounds : (i+1)*w.set.Rounds]
		y = append(y, part)
		chains[i] = mean(part)
		res.PerRun = append(res.PerRun, res.LogZ+chains[i])
	}
	res.chainError(y, leaveEachOut(chains))
	res.Trace = []Point{{w.moves, res.LogZ}}
	return res, nil
}

// multistate is the problem of Shirts and Chodera (2008, "Statistically optimal analysis of samples from multiple
// equilibrium states"): draws with their log densities at all K states and the state each was drawn from. The
// log Z_k maximise the likelihood of the labels given the draws, Σ_n log(N_l exp(u_l − log Z_l)/Σ_k N_k exp(u_k − log Z_k)) (Tan 2004).
type multistate struct {
	k     int
	u     []float64 // draws × K
	count []float64 // N_k
	label []int
	times []float64 // how many draws each stands for
	logZ  []float64
	q     []float64 // draws × K: probabilities of states given draws
}

func newMultistate(k int) *multistate {
	return &multistate{k: k, count: make([]float64, k), logZ: make([]float64, k)}
}

func (m *multistate) add(u []float64, label int) { m.addTimes(u, label, 1) }

func (m *multistate) addTimes(u []float64, label int, times float64) {
	m.u = append(m.u, u...)
	m.label = append(m.label, label)
	m.times = append(m.times, times)
	m.count[label] += times
}

const newtonSteps = 100

var errMBAR = errors.New("path: MBAR does not converge: neighbouring temperatures hardly overlap; take more of them")

// solve finds log Z by Newton's method on the states that have draws, from the given starting values; log Z of the other states
// follows from them (equation 11).
func (m *multistate) solve(start []float64) error {
	copy(m.logZ, start)
	m.q = make([]float64, len(m.u))
	free := m.free()
	value := m.expect()
	for range newtonSteps {
		if len(free) == 0 {
			break
		}
		g, h := m.slope(free)
		step := mat.NewVecDense(len(free), nil)
		if chol := new(mat.Cholesky); !chol.Factorize(h) || chol.SolveVecTo(step, g) != nil {
			return errMBAR
		}
		worst := 0.0
		for i := range free {
			worst = max(worst, math.Abs(step.AtVec(i)))
		}
		old := append([]float64(nil), m.logZ...)
		for scale := 1.0; ; scale /= 2 {
			for i, k := range free {
				m.logZ[k] = old[k] + float64(scale*step.AtVec(i))
			}
			if v := m.expect(); v >= value-float64(1e-9*math.Abs(value)) {
				value = v
				break
			}
			if scale < 1e-6 {
				return errMBAR
			}
		}
		if worst < 1e-9 {
			break
		}
	}
	return m.others()
}

// free are the states to solve for: those with draws except the first of them, which is held fixed.
func (m *multistate) free() []int {
	var free []int
	for k, n := range m.count {
		if n > 0 {
			free = append(free, k)
		}
	}
	return free[min(1, len(free)):]
}

// bias is log N_k − log Z_k, −Inf for states without draws.
func (m *multistate) bias() []float64 {
	bias := make([]float64, m.k)
	for k := range bias {
		bias[k] = math.Log(m.count[k]) - m.logZ[k]
	}
	return bias
}

// expect sets q_nk = N_k exp(u_nk − log Z_k)/Σ_j … and returns the log likelihood of the labels.
func (m *multistate) expect() float64 {
	total := 0.0
	bias := m.bias()
	for n, l := range m.label {
		q := m.q[n*m.k : (n+1)*m.k]
		copy(q, m.u[n*m.k:(n+1)*m.k])
		if softmax(q, bias) != nil {
			return math.Inf(-1)
		}
		total += float64(m.times[n] * math.Log(max(q[l], math.SmallestNonzeroFloat64)))
	}
	return total
}

// slope is the gradient Σ_n q_nk − N_k of the log likelihood and minus its Hessian Σ_n diag(q_n) − q_n q_nᵀ.
func (m *multistate) slope(free []int) (*mat.VecDense, *mat.SymDense) {
	size := len(free)
	g, h := mat.NewVecDense(size, nil), mat.NewSymDense(size, nil)
	sums := make([]float64, m.k)
	rows := mat.NewDense(len(m.label), size, nil)
	for n, times := range m.times {
		root := math.Sqrt(times)
		for i, k := range free {
			q := m.q[n*m.k+k]
			sums[k] += float64(times * q)
			rows.Set(n, i, root*q)
		}
	}
	h.SymOuterK(-1, rows.T())
	for i, k := range free {
		h.SetSym(i, i, h.At(i, i)+sums[k])
		g.SetVec(i, sums[k]-m.count[k])
	}
	return g, h
}

// others computes log Z of the states without draws.
func (m *multistate) others() error {
	bias := m.bias()
	x, ratio := make([]float64, m.k), make([]float64, len(m.label))
	for k, c := range m.count {
		if c > 0 {
			continue
		}
		for n := range m.label {
			u := m.u[n*m.k : (n+1)*m.k]
			for j := range x {
				x[j] = u[j] + bias[j]
			}
			ratio[n] = u[k] - vec.LogSumExp(x) + vec.Log(m.times[n])
		}
		m.logZ[k] = vec.LogSumExp(ratio)
	}
	return nil
}

// influence is the influence function (Hampel 1974) of log Z_b − log Z_a: for each draw, the derivative of the estimate with
// respect to the draw's weight times the number of draws. Its mean is 0, and its mean over a chain is the difference, to first
// order, between the estimate from that chain and from all.
func (m *multistate) influence(a, b int) []float64 {
	out := make([]float64, len(m.label))
	free := m.free()
	if m.count[a] == 0 || m.count[b] == 0 || len(free) == 0 {
		return slices.Repeat([]float64{math.NaN()}, len(out))
	}
	_, h := m.slope(free)
	chol := new(mat.Cholesky)
	c, v := mat.NewVecDense(len(free), nil), mat.NewVecDense(len(free), nil)
	for i, k := range free {
		switch k {
		case a:
			c.SetVec(i, -1)
		case b:
			c.SetVec(i, 1)
		}
	}
	if !chol.Factorize(h) || chol.SolveVecTo(v, c) != nil {
		return slices.Repeat([]float64{math.NaN()}, len(out))
	}
	// A draw with label l adds q_n − e_l to the gradient.
	at := make([]float64, m.k)
	for i, k := range free {
		at[k] = v.AtVec(i)
	}
	for n, l := range m.label {
		sum := -at[l]
		for k, q := range m.q[n*m.k : (n+1)*m.k] {
			sum += float64(q * at[k])
		}
		out[n] = sum * float64(len(m.label))
	}
	return out
}
