package draws

import (
	"errors"
	"fmt"
)

// badChunk is a file of draws that is not as it was written.
type badChunk struct{ path, what string }

func (b *badChunk) Error() string { return b.path + " " + b.what }

// maxCounted bounds the files that are looked at to count lost draws.
const maxCounted = 1 << 17

// damage adds to an error in reading a piece how many draws of the variable
// are in files that are not as they were written.
func (r *Reader) damage(p Piece, err error) error {
	var bad *badChunk
	if !errors.As(err, &bad) {
		return err
	}
	g, a := r.groups[p.group], p.array
	lost, files := 0, 0
	counted := grid(a.meta.Shape[:2], a.meta.Chunks[:2], func(lead []int) error {
		whole := true
		err := grid(a.meta.Shape[2:], a.meta.Chunks[2:], func(trail []int) error {
			if files++; files > maxCounted {
				return errors.New("too many")
			}
			index := append(append([]int{}, lead...), trail...)
			f, err := r.openChunk(p.group, a, index)
			if f != nil {
				f.Close()
			}
			whole = whole && err == nil && r.chunkPath(p.group, a, index) != bad.path
			return nil
		})
		if !whole {
			w := a.window(lead, g)
			lost += w.chains * w.draws
		}
		return err
	})
	if counted != nil {
		return err
	}
	return fmt.Errorf("%w: %d of %d draws are lost; restore the file from a copy, or make the draws again", err, lost, g.chains*g.draws)
}
