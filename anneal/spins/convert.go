package spins

// Ising is the same energy of spins. Numbers whose quarter is a number, and sums of them, are exact.
func (m *Model) Ising() *Model {
	switch m.Kind {
	case QUBO:
		// x_i x_j = (1 + s_i + s_j + s_i s_j)/4
		return m.changed(Ising, func(to *Model) {
			for i, a := range m.Linear {
				to.Linear[i] += float64(a / 2)
				to.Offset += float64(a / 2)
			}
			for k, c := range m.Couplings {
				b := float64(c.Value / 4)
				to.Couplings[k].Value = b
				to.Linear[c.I] += b
				to.Linear[c.J] += b
				to.Offset += b
			}
		})
	case MaxCut:
		// [s_i ≠ s_j] = (1 − s_i s_j)/2
		return m.changed(Ising, func(to *Model) {
			for k, c := range m.Couplings {
				to.Couplings[k].Value = c.Value / 2
				to.Offset -= float64(c.Value / 2)
			}
		})
	}
	return m
}

// QUBO is the same energy of variables of 0 and 1, x = (1 + s)/2.
func (m *Model) QUBO() *Model {
	switch m.Kind {
	case Ising:
		// s_i s_j = (2x_i − 1)(2x_j − 1)
		return m.changed(QUBO, func(to *Model) {
			for i, h := range m.Linear {
				to.Linear[i] += float64(2 * h)
				to.Offset -= h
			}
			for k, c := range m.Couplings {
				to.Couplings[k].Value = 4 * c.Value
				to.Linear[c.I] -= float64(2 * c.Value)
				to.Linear[c.J] -= float64(2 * c.Value)
				to.Offset += c.Value
			}
		})
	case MaxCut:
		// [x_i ≠ x_j] = x_i + x_j − 2 x_i x_j
		return m.changed(QUBO, func(to *Model) {
			for k, c := range m.Couplings {
				to.Couplings[k].Value = 2 * c.Value
				to.Linear[c.I] -= c.Value
				to.Linear[c.J] -= c.Value
			}
		})
	}
	return m
}

// changed is a model of another kind with the same pairs; terms gives it its coefficients.
func (m *Model) changed(kind Kind, terms func(to *Model)) *Model {
	to := &Model{Kind: kind, Variables: m.Variables, Offset: m.Offset, Linear: make([]float64, m.Variables), Couplings: make([]Coupling, len(m.Couplings)),
		Labels: m.Labels, FromZero: m.FromZero}
	copy(to.Couplings, m.Couplings)
	terms(to)
	return to
}

// MaxCut is the same energy of a cut. Where the model has fields, the graph has a vertex more, the last; a state of the model is
// that of the other vertices where the last is 1, and otherwise its opposite. Numbers are exact as for [Model.Ising].
func (m *Model) MaxCut() *Model {
	if m.Kind == MaxCut {
		return m
	}
	from := m.Ising()
	// J s_i s_j = J − 2J [s_i ≠ s_j]
	to := &Model{Kind: MaxCut, Variables: from.Variables, Offset: from.Offset, FromZero: m.FromZero}
	fields := false
	for _, h := range from.Linear {
		fields = fields || h != 0
	}
	if fields {
		to.Variables++
	} else {
		to.Labels = m.Labels
	}
	next := 0
	for i, h := range from.Linear {
		for ; next < len(from.Couplings) && from.Couplings[next].I == i; next++ {
			c := from.Couplings[next]
			to.Offset += c.Value
			to.Couplings = append(to.Couplings, Coupling{c.I, c.J, 2 * c.Value})
		}
		if h != 0 {
			to.Offset += h
			to.Couplings = append(to.Couplings, Coupling{i, from.Variables, 2 * h})
		}
	}
	return to
}
