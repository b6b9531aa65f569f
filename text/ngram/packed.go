package ngram

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/checksummed"
	"github.com/ergodic-mcmc/ergodic/internal/mapped"
	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// kind is that of packed models. Behind a header are the words and records of the tree, as they are in memory.
var kind = checksummed.Kind{Name: "language model", Version: 1}

// header is what a packed model is beside its records.
type header struct {
	Counts               []int
	Words                []string
	Backward, Characters bool
	Books                [][]float32 // of a model of codes
}

// Write writes the model to a file that [Open] maps into memory. The file is there whole or not at all.
func (m *Model) Write(path string) error {
	h := header{Counts: m.counts, Words: m.vocabulary.words, Backward: m.Backward, Characters: m.Characters}
	if m.quantised {
		h.Books = m.books[:]
	}
	return kind.WriteLong(path, &h, func(w io.Writer) error {
		for _, part := range [][]byte{m.tree.words, m.inners, m.outers} {
			if _, err := w.Write(part); err != nil {
				return err
			}
		}
		return nil
	})
}

// Open opens a model: a file of [Model.Write], whose records are the file, mapped into memory where the system can, or one in the ARPA format. It reads a packed file
// once to verify it.
func Open(ctx context.Context, path string) (*Model, error) {
	if !isPacked(path) {
		return ReadARPA(ctx, path)
	}
	b, unmap, err := mapped.Open(path, "a packed model")
	if err != nil {
		return nil, err
	}
	m, err := unpack(b)
	if err != nil {
		if unmap != nil {
			_ = unmap()
		}
		return nil, fmt.Errorf("%s %w", wording.Brief(path), err)
	}
	m.unmap = unmap
	return m, nil
}

// isPacked tells whether the file begins as one of this program's.
func isPacked(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false // what is read from a pipe is gone
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	const ours = "ergodic "
	b := make([]byte, len(ours))
	_, err = io.ReadFull(f, b)
	return err == nil && string(b) == ours
}

var errDamaged = errors.New("is damaged: its numbers are not those of a model")

// unpack is the model that a file's bytes are. Its errors follow the file's name.
func unpack(b []byte) (*Model, error) {
	rest, err := kind.DecodeBytes(b)
	if err != nil {
		return nil, err
	}
	var h header
	from := bytes.NewReader(rest)
	if err := gob.NewDecoder(from).Decode(&h); err != nil {
		return nil, fmt.Errorf("cannot be read: %w", err)
	}
	records := rest[len(rest)-from.Len():]
	if err := h.check(); err != nil {
		return nil, err
	}
	m := &Model{tree: newTree(h.Counts, h.Books != nil), Backward: h.Backward, Characters: h.Characters}
	words, inners, outers := m.sizes()
	if len(records) != words+inners+outers {
		return nil, errDamaged
	}
	m.tree.words, m.inners, m.outers = records[:words:words], records[words:words+inners:words+inners], records[words+inners:]
	copy(m.books[:], h.Books)
	if !m.sound() {
		return nil, errDamaged
	}
	return m, m.name(h.Words)
}

// check tells whether a header may be that of a model.
func (h *header) check() error {
	if len(h.Counts) < 1 || len(h.Counts) > MostOrder || h.Counts[0] != len(h.Words) || len(h.Words) < special {
		return errDamaged
	}
	total := 0
	for _, n := range h.Counts {
		if n < 0 || n > most {
			return errDamaged
		}
		total += n
	}
	if total > mostNodes || h.Books != nil && len(h.Books) != 2*MostOrder {
		return errDamaged
	}
	for k, book := range h.Books {
		if k < 2*len(h.Counts) && len(book) != codes || slices.ContainsFunc(book, func(x float32) bool { return !finite(float64(x)) || x > 0 && k%2 == 0 }) {
			return errDamaged
		}
	}
	return nil
}

// name gives the words to the model.
func (m *Model) name(words []string) error {
	if err := memory.Room(80 * float64(len(words))); err != nil {
		return fmt.Errorf("does not fit: %w", err)
	}
	m.vocabulary.words, m.numbers = words, make(map[string]int32, len(words))
	for n, w := range words {
		m.numbers[w] = int32(n)
	}
	if len(m.numbers) != len(words) || words[unknown] != unknownWord || words[begin] != beginWord || words[end] != endWord {
		return errDamaged
	}
	return nil
}
