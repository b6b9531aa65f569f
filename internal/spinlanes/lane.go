package spinlanes

// Copy makes lane r a copy of lane q of a state of the same graph, which may be this one.
func (s *State) Copy(r int, from *State, q int) {
	for i, u := range from.Up {
		s.put(i, r, u>>q&1)
	}
	if s.graph.wide {
		copyLane(s.f32[r:], from.f32[q:])
	} else {
		copyLane(s.f16[r:], from.f16[q:])
	}
	s.Energy[r] = from.Energy[q]
}

func copyLane[F Field](to, from []F) {
	for i := 0; i < len(to) && i < len(from); i += Lanes {
		to[i] = from[i]
	}
}

// put sets the bit of a spin.
func (s *State) put(i, r int, up uint32) { s.Up[i] = s.Up[i]&^(1<<r) | up<<r }

// Set makes lane r the spins whose bits are up.
func (s *State) Set(r int, up func(i int) bool) {
	for i := range s.Up {
		bit := uint32(0)
		if up(i) {
			bit = 1
		}
		s.put(i, r, bit)
	}
	g := s.graph
	scale := g.scale()
	sum := int64(0)
	for i, h := range g.field {
		f := h
		for e := g.ends[2*i]; e < g.ends[2*i+2]; e++ {
			f += g.weight[e] * s.spin(int(g.at[e]/scale), r)
		}
		if g.wide {
			s.f32[Lanes*i+r] = f
		} else {
			s.f16[Lanes*i+r] = int16(f)
		}
		sum += int64(s.spin(i, r)) * (int64(f) + int64(h))
	}
	s.Energy[r] = sum / 2
}

func (s *State) spin(i, r int) int32 { return int32(2*(s.Up[i]>>r&1)) - 1 }

// Change is what a change of spin i in lane r adds to the energy.
func (s *State) Change(i, r int) int64 {
	f := int32(0)
	if s.graph.wide {
		f = s.f32[Lanes*i+r]
	} else {
		f = int32(s.f16[Lanes*i+r])
	}
	return -2 * int64(s.spin(i, r)*f)
}

// Turn changes spin i in lane r.
func (s *State) Turn(i, r int) {
	s.Energy[r] += s.Change(i, r)
	s.put(i, r, s.Up[i]>>r&1^1)
	if s.graph.wide {
		turn(s.graph, s.f32[r:], i, 2*s.spin(i, r))
	} else {
		turn(s.graph, s.f16[r:], i, 2*int16(s.spin(i, r)))
	}
}

func turn[F Field](g *Graph, f []F, i int, step F) {
	scale := g.scale()
	for e := g.ends[2*i]; e < g.ends[2*i+2]; e++ {
		f[Lanes*(g.at[e]/scale)] += F(g.weight[e]) * step
	}
}
