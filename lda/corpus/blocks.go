package corpus

import "github.com/ergodic-mcmc/ergodic/internal/memory"

// blocks collects tokens whose number is not known before. An array that grows leaves several times its size to the
// collector; this has twice the size at its end, and nothing before.
type blocks struct {
	full [][]int32
	last []int32
	n    int
}

const (
	firstBlock = 1 << 12 // tokens
	block      = 1 << 20
)

func (b *blocks) add(tokens []int32) error {
	if len(tokens) > cap(b.last)-len(b.last) {
		size := max(len(tokens), min(max(firstBlock, b.n), block))
		if err := memory.Room(4 * float64(size)); err != nil {
			return err
		}
		if len(b.last) > 0 {
			b.full = append(b.full, b.last)
		}
		b.last = make([]int32, 0, size)
	}
	b.last = append(b.last, tokens...)
	b.n += len(tokens)
	return nil
}

// take gives all tokens in one array, and begins again.
func (b *blocks) take() ([]int32, error) {
	if len(b.full) == 0 {
		all := b.last
		*b = blocks{}
		return all, nil
	}
	if err := memory.Room(4 * float64(b.n)); err != nil {
		return nil, err
	}
	all := make([]int32, 0, b.n)
	b.full = append(b.full, b.last)
	for k, tokens := range b.full {
		all = append(all, tokens...)
		b.full[k] = nil // for the collector
	}
	*b = blocks{}
	return all, nil
}
