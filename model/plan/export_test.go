package plan

// ShortenBlocks makes approximating blocks, and the joint moves with them, move in short
// steps, as they learn to where fresh draws are accepted too rarely. It returns how many there are.
func (s *Sweep) ShortenBlocks() int {
	n := 0
	for _, k := range s.kernels {
		if b, ok := k.(*glmBlock); ok {
			b.logStep = -0.7
			n++
		}
	}
	return n
}

// MoveFewShares makes the kernels of Dirichlet nodes move so many elements a step, as they
// do of long nodes. It returns how many there are.
func (s *Sweep) MoveFewShares(most int) int {
	n := 0
	for _, k := range s.kernels {
		if b, ok := k.(*simplexSlice); ok {
			b.most = most
			n++
		}
	}
	return n
}
