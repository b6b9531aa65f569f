package corpus

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/ergodic-mcmc/ergodic/internal/atomicfile"
	"github.com/ergodic-mcmc/ergodic/internal/checksummed"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// kind is that of packed collections. A file is the header, 128 bytes: the kind's line, from byte 32 on six numbers and
// the digest; then the starts of documents, the tokens and zeros up to a multiple of 8 bytes, the vocabulary, and the
// names of documents.
var kind = checksummed.Kind{Name: "corpus", Version: 1}

const (
	headerBytes = 128
	numbersAt   = 32 // of the header
	digestAt    = numbersAt + 6*8
)

// places are where the sections begin, and where the file ends.
func (h *header) places() (at [5]int64) {
	at[0] = headerBytes
	at[1] = at[0] + 8*int64(h.documents+1)
	at[2] = at[1] + (4*int64(h.tokens)+7)/8*8
	at[3] = at[2] + int64(h.vocabulary)
	at[4] = at[3] + int64(h.names)
	return at
}

// counted counts the bytes that are written.
type counted struct {
	io.Writer
	n uint64
}

func (w *counted) Write(b []byte) (int, error) {
	n, err := w.Writer.Write(b)
	w.n += uint64(n)
	return n, err
}

// Pack reads the collection at path from into a packed file at path to, which [OpenPacked] opens without reading it
// into memory. It reads from twice, or with phrases 2 + 2·Rounds times, and holds of it the vocabulary alone. A bag of words must
// have its entries by document. The file is there whole or not at all.
func Pack(to, from string, set Settings) (warnings []string, err error) {
	if err := set.Rules.check(); err != nil {
		return nil, err
	}
	if a, err := os.Stat(to); err == nil {
		if b, err := os.Stat(from); err == nil && os.SameFile(a, b) {
			return nil, fmt.Errorf("corpus: %s would be packed into itself; name another file", wording.Brief(from))
		}
	}
	in, err := fromFile(from, set, true)
	if err != nil {
		return nil, err
	}
	src, sel, c, err := in.chosen(in.source)
	if err != nil {
		return nil, err
	}
	e, err := pack(to, src, sel, c.documents, sel.tokens(c))
	if err != nil {
		return nil, err
	}
	return append(append(in.warned, in.warnings()...), e.warnings()...), nil
}

// Pack writes c as a packed file.
func (c *Corpus) Pack(to string) error {
	if err := c.Check(); err != nil {
		return err
	}
	h := &held{source: &texts{named: c.Documents != nil}, Corpus: *c}
	_, err := pack(to, h, &selection{words: c.Vocabulary, n: c.Words}, c.Len(), int64(len(c.Tokens)))
	return err
}

// pack writes so many documents and tokens to a file beside the one at path, and gives it its name when it is whole.
func pack(path string, src source, sel *selection, documents int, tokens int64) (e emptied, err error) {
	if documents == 0 {
		return e, fmt.Errorf("corpus: the collection has no documents")
	}
	tmp := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".tmp")
	f, err := os.Create(tmp)
	if err != nil {
		return e, err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(tmp)
		}
	}()
	p := &packer{file: f, sums: newSums(), header: header{words: uint64(sel.n), documents: uint64(documents), tokens: uint64(tokens)}}
	if e, err = p.write(src, sel); err != nil {
		return e, err
	}
	if err = f.Sync(); err != nil {
		return e, err
	}
	if err = f.Close(); err != nil {
		return e, err
	}
	if err = os.Rename(tmp, path); err != nil {
		return e, err
	}
	return e, atomicfile.SyncFolder(filepath.Dir(path))
}
