package rbm

import "github.com/ergodic-mcmc/ergodic/internal/vec"

// Energy is E(v, h) = −vᵀWh − bᵀv − aᵀh. The elements of v and h are units'
// states 0 and 1.
func (m *Model) Energy(v, h []uint8) float64 {
	e := 0.0
	for i, on := range v {
		if on == 0 {
			continue
		}
		s := m.VisibleBias[i]
		for j, w := range m.W[i*m.Hidden : (i+1)*m.Hidden] {
			if h[j] != 0 {
				s += w
			}
		}
		e -= s
	}
	for j, on := range h {
		if on != 0 {
			e -= m.HiddenBias[j]
		}
	}
	return e
}

// HiddenInput writes aⱼ + Σᵢ vᵢWᵢⱼ, the log odds of each hidden unit given v,
// to dst, which has length Hidden.
func (m *Model) HiddenInput(dst []float64, v []uint8) {
	copy(dst, m.HiddenBias)
	for i, on := range v {
		if on == 0 {
			continue
		}
		for j, w := range m.W[i*m.Hidden : (i+1)*m.Hidden] {
			dst[j] += w
		}
	}
}

// VisibleInput writes bᵢ + Σⱼ Wᵢⱼhⱼ, the log odds of each visible unit given
// h, to dst, which has length Visible.
func (m *Model) VisibleInput(dst []float64, h []uint8) {
	for i := range dst {
		s := m.VisibleBias[i]
		for j, w := range m.W[i*m.Hidden : (i+1)*m.Hidden] {
			if h[j] != 0 {
				s += w
			}
		}
		dst[i] = s
	}
}

// LogWeight is log p*(v) = log Σₕ exp(−E(v, h)), minus the free energy of the
// visible layer, with [Model.HiddenInput] computed into input.
func (m *Model) LogWeight(v []uint8, input []float64) float64 {
	m.HiddenInput(input, v)
	return sumOn(m.VisibleBias, v) + sumSoftplus(input)
}

// HiddenLogWeight is log Σᵥ exp(−E(v, h)), minus the free energy of the hidden
// layer, with [Model.VisibleInput] computed into input.
func (m *Model) HiddenLogWeight(h []uint8, input []float64) float64 {
	m.VisibleInput(input, h)
	return sumOn(m.HiddenBias, h) + sumSoftplus(input)
}

func sumOn(x []float64, on []uint8) float64 {
	s := 0.0
	for k, o := range on {
		if o != 0 {
			s += x[k]
		}
	}
	return s
}

// sumSoftplus is Σ log(1 + exp(xₖ)).
func sumSoftplus(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += vec.Log1pExp(v)
	}
	return s
}
