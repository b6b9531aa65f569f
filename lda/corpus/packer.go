package corpus

import (
	"bufio"
	"errors"
	"io"
	"os"
)

// packer writes a packed file whose numbers of documents and tokens are known. Its sections are written side by side.
type packer struct {
	header
	sums
	file          *os.File
	starts, names *section
	text          tokenWriter

	kept     []int32 // tokens of the document at hand
	at, done uint64  // tokens and documents so far
}

// section is a part of the file.
type section struct {
	counted
	buffer *bufio.Writer
}

// section begins section k of the file.
func (p *packer) section(k int) *section {
	b := bufio.NewWriterSize(io.NewOffsetWriter(p.file, p.places()[k]), buffer)
	return &section{counted{Writer: io.MultiWriter(b, p.sums[k])}, b}
}

var errChanged = errors.New("corpus: the collection changed while it was read")

// write writes all of the file.
func (p *packer) write(src source, sel *selection) (e emptied, err error) {
	tokens := p.section(1)
	p.starts, p.text = p.section(0), tokenWriter{Writer: tokens}
	if sel.words != nil {
		p.has |= hasVocabulary
		words := p.section(2)
		if err = writeStrings(words, sel.words...); err == nil {
			err = words.buffer.Flush()
		}
		if err != nil {
			return e, err
		}
		p.vocabulary = words.n
	}
	if src.names() {
		p.has |= hasNames
	}
	if !src.sequence() {
		p.has |= isBag
	}
	p.names = p.section(3)
	if err = writeStarts(p.starts, []int64{0}); err != nil {
		return e, err
	}
	err = src.each(func(name string, tokens []int32) error {
		e.note(len(tokens), p.choose(sel, tokens))
		return p.document(name)
	})
	if err == nil && (p.at != p.tokens || p.done != p.documents) {
		err = errChanged
	}
	p.header.names = p.names.n
	for _, s := range []*section{p.starts, tokens, p.names} {
		if err == nil {
			err = s.buffer.Flush()
		}
	}
	if err != nil {
		return e, err
	}
	return e, p.finish()
}

// choose keeps the tokens of a document, and counts them.
func (p *packer) choose(sel *selection, tokens []int32) int {
	p.kept = p.kept[:0]
	for _, w := range tokens {
		if sel.to != nil && int(w) >= len(sel.to) {
			w = left // a word that the file did not have before
		}
		if w = sel.of(w); w != left {
			p.kept = append(p.kept, w)
		}
	}
	return len(p.kept)
}

// document writes the document at hand.
func (p *packer) document(name string) error {
	p.done++
	p.at += uint64(len(p.kept))
	if p.done > p.documents || p.at > p.tokens {
		return errChanged
	}
	if err := p.text.write(p.kept); err != nil {
		return err
	}
	if err := writeStarts(p.starts, []int64{int64(p.at)}); err != nil {
		return err
	}
	if p.has&hasNames == 0 {
		return nil
	}
	return writeStrings(p.names, name)
}

// finish writes the header, and makes the file as long as it says.
func (p *packer) finish() error {
	sum := p.digest(&p.header)
	b := make([]byte, numbersAt, headerBytes)
	copy(b, kind.Line())
	b = append(p.header.append(b), sum[:]...)
	if _, err := p.file.WriteAt(b[:headerBytes:headerBytes], 0); err != nil {
		return err
	}
	return p.file.Truncate(p.places()[4])
}
