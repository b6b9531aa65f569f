package corpus

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/ergodic-mcmc/ergodic/internal/mapped"
	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Packed is a collection in a packed file. Where the system can, its starts and tokens are the file, mapped into memory: they must not be
// changed, nor may they be used after Close. Another process must not write to the file meanwhile.
type Packed struct {
	Corpus
	digest string
	unmap  func() error
}

// Digest is that of the corpus, which OpenPacked has verified.
func (p *Packed) Digest() string { return p.digest }

// Close gives the file back.
func (p *Packed) Close() error {
	p.Corpus = Corpus{}
	if p.unmap == nil {
		return nil
	}
	unmap := p.unmap
	p.unmap = nil
	return unmap()
}

// IsPacked tells whether the file at path begins as a packed collection.
func IsPacked(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false // what is read from a pipe is gone
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	b := make([]byte, len(kind.Line()))
	_, err = io.ReadFull(f, b)
	return err == nil && string(b) == kind.Line()
}

// OpenPacked opens a packed file. It reads the file once to verify its checksum and its words.
func OpenPacked(path string) (*Packed, error) {
	b, unmap, err := mapped.Open(path, "a packed collection")
	if err != nil {
		return nil, err
	}
	p, err := unpack(b)
	if err != nil {
		if unmap != nil {
			_ = unmap()
		}
		return nil, fmt.Errorf("%s %w", wording.Brief(path), err)
	}
	p.unmap = unmap
	return p, nil
}

var (
	errShort   = errors.New("is cut short")
	errDamaged = errors.New("is damaged: its checksum does not match")
)

// unpack is the collection that a file's bytes are. Its errors follow the file's name.
func unpack(b []byte) (*Packed, error) {
	if !bytes.HasPrefix(b, []byte(kind.Line())) {
		return nil, kind.OtherKind(b)
	}
	if len(b) < headerBytes {
		return nil, errShort
	}
	h := parseHeader(b)
	if err := h.check(uint64(len(b))); err != nil {
		return nil, err
	}
	parts := h.cut(b)
	s := newSums()
	for k, part := range parts[:len(s)] {
		s[k].Write(part)
	}
	sum := s.digest(&h)
	if !bytes.Equal(sum[:], b[digestAt:digestAt+sha256.Size]) {
		return nil, errDamaged
	}
	for _, gap := range parts[len(s):] {
		if len(bytes.Trim(gap, "\x00")) > 0 {
			return nil, errDamaged
		}
	}
	c, err := parse(&h, parts)
	if err != nil {
		return nil, err
	}
	if err := c.Check(); err != nil {
		return nil, fmt.Errorf("is no collection: %w", err)
	}
	return &Packed{Corpus: c, digest: hex.EncodeToString(sum[:])}, nil
}

// cut gives the sections, in the order of their sums, and then the zeros between them.
func (h *header) cut(b []byte) [][]byte {
	at := h.places()
	end := at[1] + 4*int64(h.tokens)
	return [][]byte{b[at[0]:at[1]], b[at[1]:end], b[at[2]:at[3]], b[at[3]:at[4]],
		b[len(kind.Line()):numbersAt], b[digestAt+sha256.Size : headerBytes], b[end:at[2]]}
}

// parse makes the collection of its sections.
func parse(h *header, parts [][]byte) (c Corpus, err error) {
	c.Words, c.Bag = int(h.words), h.has&isBag != 0
	if c.Starts, err = numbers(parts[0], func(b []byte) int64 { return int64(binary.LittleEndian.Uint64(b)) }); err != nil {
		return c, err
	}
	if c.Tokens, err = numbers(parts[1], func(b []byte) int32 { return int32(binary.LittleEndian.Uint32(b)) }); err != nil {
		return c, err
	}
	if h.has&hasVocabulary != 0 {
		if c.Vocabulary, err = parseStrings(parts[2], h.words); err != nil {
			return c, err
		}
	}
	if h.has&hasNames != 0 {
		c.Documents, err = parseStrings(parts[3], h.documents)
	}
	return c, err
}

func parseHeader(b []byte) (h header) {
	for k, v := range []*uint64{&h.words, &h.documents, &h.tokens, &h.has, &h.vocabulary, &h.names} {
		*v = binary.LittleEndian.Uint64(b[numbersAt+8*k:])
	}
	return h
}

// check tells whether the header may be that of a file of so many bytes.
func (h *header) check(size uint64) error {
	if h.words > most || h.documents > most || h.has > hasVocabulary|hasNames|isBag || h.tokens > math.MaxInt64/8 || h.vocabulary > math.MaxInt64/8 || h.names > math.MaxInt64/8 {
		return errDamaged
	}
	if h.has&hasVocabulary == 0 && h.vocabulary > 0 || h.has&hasNames == 0 && h.names > 0 {
		return errDamaged
	}
	switch whole := h.places()[4]; {
	case uint64(whole) > size:
		return errShort
	case uint64(whole) < size:
		return errors.New("is longer than its header says")
	}
	return nil
}

// parseStrings copies n strings out of a section.
func parseStrings(b []byte, n uint64) ([]string, error) {
	if n > uint64(len(b)) {
		return nil, errDamaged
	}
	if err := memory.Room(float64(16*float64(n)) + float64(len(b))); err != nil {
		return nil, fmt.Errorf("does not fit: %w", err)
	}
	list, text := make([]string, n), string(b)
	for k := range list {
		length, bytes := binary.Uvarint(b)
		if bytes <= 0 || length > uint64(len(b)-bytes) {
			return nil, errDamaged
		}
		from := len(text) - len(b) + bytes
		list[k] = text[from : from+int(length)]
		b = b[bytes+int(length):]
	}
	if len(b) > 0 {
		return nil, errDamaged
	}
	return list, nil
}
