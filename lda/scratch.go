package lda

import (
	"fmt"
	"os"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
)

// allocate is memory for n topics: in a file of the folder that is mapped, or where there is no folder, or no maps, in
// memory. done gives it back.
func allocate(n int, folder string) (topics []uint16, done func(), err error) {
	if folder != "" && n > 0 {
		b, done, err := scratch(folder, 2*int64(n))
		if err != nil {
			return nil, nil, fmt.Errorf("lda: the topics of %d tokens: %w", n, err)
		}
		if b != nil {
			return asTopics(b), done, nil
		}
	}
	if err := memory.Room(2 * float64(n)); err != nil {
		return nil, nil, fmt.Errorf("lda: the topics of %d tokens: %w", n, err)
	}
	return memory.Large[uint16](n), func() {}, nil
}

// fill makes a file so long, and all of it is there: a hole for which the disk has no room would end the process when it is written to.
func fill(f *os.File, size int64) error {
	zeros := make([]byte, 1<<20)
	for left := size; left > 0; {
		n, err := f.Write(zeros[:min(left, int64(len(zeros)))])
		if err != nil {
			return err
		}
		left -= int64(n)
	}
	return nil
}
