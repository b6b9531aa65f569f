package draws

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// badChunk is a file of draws that is not as it was written.
type badChunk struct{ path, what string }

func (b *badChunk) Error() string { return b.path + " " + b.what }

// maxCounted bounds the files that are looked at to count lost draws.
const maxCounted = 1 << 17

// damage adds to an error in reading a piece which draws of the variable are in
// files that are not as they were written.
func (r *Reader) damage(p Piece, err error) error {
	var bad *badChunk
	if !errors.As(err, &bad) {
		return err
	}
	g, a := r.groups[p.group], p.array
	lost := make([]losses, g.chains)
	files := 0
	counted := grid(a.meta.Shape[:2], a.meta.Chunks[:2], func(lead []int) error {
		w := a.window(lead, g)
		return grid(a.meta.Shape[2:], a.meta.Chunks[2:], func(trail []int) error {
			if files++; files > maxCounted {
				return errors.New("too many")
			}
			index := append(append([]int{}, lead...), trail...)
			for i, broken := range r.broken(p.group, a, index, w, bad.path) {
				if broken {
					lost[w.chain+i].add(w.draw, w.draw+w.draws)
				}
			}
			return nil
		})
	})
	if counted != nil {
		return err
	}
	n, total := 0, g.chains*g.draws
	for _, l := range lost {
		n += l.draws
	}
	others := ", the others are good"
	if n == total {
		others = ""
	}
	return fmt.Errorf("%w: %d of %d draws of %s are lost (%s)%s; restore the file from a copy, or make the draws again",
		err, n, total, a.Name, whose(lost), others)
}

// whose names lost draws, those of chains that lost the same ones together.
func whose(lost []losses) string {
	const most = 8
	var parts []string
	for from := 0; from < len(lost); {
		to := from + 1
		for to < len(lost) && slices.Equal(lost[to].spans, lost[from].spans) {
			to++
		}
		switch {
		case lost[from].draws == 0:
		case len(parts) == most:
			return strings.Join(append(parts, "…"), ", ")
		case to == from+1:
			parts = append(parts, fmt.Sprintf("%s of chain %d", lost[from], to))
		default:
			parts = append(parts, fmt.Sprintf("%s of chains %d to %d", lost[from], from+1, to))
		}
		from = to
	}
	return strings.Join(parts, ", ")
}

// losses are the lost draws of a chain: ranges with gaps between them.
type losses struct {
	draws int
	spans []span
}

// add counts a range of draws, which come in order and may come again.
func (l *losses) add(from, to int) {
	last := len(l.spans) - 1
	switch {
	case last < 0 || from > l.spans[last].to:
		l.spans = append(l.spans, span{from, to})
	case from == l.spans[last].to:
		l.spans[last].to = to
	default:
		return
	}
	l.draws += to - from
}

// String counts draws from 1.
func (l losses) String() string {
	const most = 4
	var parts []string
	for i, s := range l.spans {
		if i == most {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, fmt.Sprintf("%d to %d", s.from+1, s.to))
	}
	return strings.Join(parts, ", ")
}

// broken says which chains of a chunk are not as they were written.
func (r *Reader) broken(group string, a readArray, index []int, w window, path string) []bool {
	all := make([]bool, w.chains)
	known := r.known(a, index, w)
	f, err := r.openChunk(group, a, index)
	if f != nil {
		defer f.Close()
	}
	whole := f == nil && err != nil || known == nil && r.chunkPath(group, a, index) == path
	var b []byte
	for i := range all {
		all[i] = whole
		if whole || known == nil || f == nil {
			continue
		}
		b = resize(b, known[i].values*itemSize(a.meta.Dtype))
		_, err := f.ReadAt(b, int64(i*(a.meta.chunkBytes()/a.meta.Chunks[0])))
		all[i] = err != nil || known[i].verify(path, b) != nil
	}
	return all
}
