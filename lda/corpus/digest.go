package corpus

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
)

// header is what a packed file says of its sections.
type header struct {
	words, documents, tokens uint64
	has                      uint64 // hasVocabulary, hasNames, isBag
	vocabulary, names        uint64 // bytes of these sections
}

const (
	hasVocabulary = 1 << iota
	hasNames
	isBag
)

func (h *header) append(b []byte) []byte {
	for _, v := range []uint64{h.words, h.documents, h.tokens, h.has, h.vocabulary, h.names} {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b
}

// sums are the checksums of the sections: starts, tokens, vocabulary, names.
type sums [4]hash.Hash

func newSums() (s sums) {
	for k := range s {
		s[k] = sha256.New()
	}
	return s
}

// digest is that of a collection.
func (s *sums) digest(h *header) [sha256.Size]byte {
	b := h.append(nil)
	for _, sum := range s {
		b = sum.Sum(b)
	}
	return sha256.Sum256(b)
}

// Digest is a checksum of all that c holds, in hexadecimal: two collections that differ in a token, a word of the vocabulary or the name of a
// document have different ones. It is the same on every machine, and that of the packed file.
func (c *Corpus) Digest() string {
	s := newSums()
	_ = writeStarts(s[0], c.Starts) // a hash takes all
	_ = (&tokenWriter{Writer: s[1]}).write(c.Tokens)
	vocabulary, names := &counted{Writer: s[2]}, &counted{Writer: s[3]}
	_ = writeStrings(vocabulary, c.Vocabulary...)
	_ = writeStrings(names, c.Documents...)
	h := header{words: uint64(c.Words), documents: uint64(c.Len()), tokens: uint64(len(c.Tokens)), vocabulary: vocabulary.n, names: names.n}
	if c.Vocabulary != nil {
		h.has |= hasVocabulary
	}
	if c.Documents != nil {
		h.has |= hasNames
	}
	if c.Bag {
		h.has |= isBag
	}
	sum := s.digest(&h)
	return hex.EncodeToString(sum[:])
}
