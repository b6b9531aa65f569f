//go:build !amd64 || noasm

package spinlanes

func best() set { return plainGo }

func (set) update16(s *State, from, to int, t *Thresholds, gen *Generator, sum *[Lanes]int16) int64 {
	return updateGo(s.graph, s.Up, s.f16, from, to, t, gen, sum)
}

func (set) update32(s *State, from, to int, t *Thresholds, gen *Generator, sum *[Lanes]int32) int64 {
	return updateGo(s.graph, s.Up, s.f32, from, to, t, gen, sum)
}
