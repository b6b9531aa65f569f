package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"path/filepath"

	"github.com/ergodic-mcmc/ergodic/internal/ldareport"
	"github.com/ergodic-mcmc/ergodic/internal/npyheader"
)

// topics converts the topics of lda train.
func (c *exportCmd) topics() error {
	if c.Monitor != "*" {
		return usage("export: --monitor chooses among draws; --format %s has all topics", c.Format)
	}
	f, err := openLDA(c.Dir)
	if err != nil {
		return err
	}
	if c.Format == "pyldavis" {
		return c.single(func(w io.Writer) error {
			n, err := f.frequencies()
			if err != nil {
				return err
			}
			return ldareport.WritePyLDAvis(w, f.model, n, cores(0))
		})
	}
	dir, err := c.folder("npy")
	if err != nil {
		return err
	}
	paths := []string{filepath.Join(dir, "topic_words.npy"), filepath.Join(dir, "document_topics.npy"), filepath.Join(dir, "vocabulary.txt")}
	return c.files(paths, func(w []io.Writer) error {
		for i, write := range []func(io.Writer) error{f.writeTopicWords, f.writeDocumentTopics, f.writeVocabulary} {
			b := bufio.NewWriterSize(w[i], 1<<16)
			if err := write(b); err != nil {
				return err
			}
			if err := b.Flush(); err != nil {
				return err
			}
		}
		return nil
	})
}

// frequencies are the expected tokens of each topic, Σ_d N_d θ_dk.
func (f *ldaFolder) frequencies() ([]float64, error) {
	n, theta := make([]float64, f.model.K()), make([]float64, f.model.K())
	err := f.documents(func(_ int, topics []uint16) error {
		f.theta(topics, theta)
		for k, x := range theta {
			n[k] += x * float64(len(topics))
		}
		return nil
	})
	return n, err
}

// theta is a document's expected shares of topics, (n_dk + α_k) / (N_d + Σα).
func (f *ldaFolder) theta(topics []uint16, to []float64) {
	sum := float64(len(topics))
	for k, a := range f.model.Alpha {
		to[k] = a
		sum += a
	}
	for _, z := range topics {
		to[z]++
	}
	for k := range to {
		to[k] /= sum
	}
}

// float32s is the type of the arrays: half of the bytes, and seven digits of what is known to two.
const float32s = "<f4"

func writeFloats(w io.Writer, row []float64, buffer []byte) ([]byte, error) {
	buffer = buffer[:0]
	for _, x := range row {
		buffer = binary.LittleEndian.AppendUint32(buffer, math.Float32bits(float32(x)))
	}
	_, err := w.Write(buffer)
	return buffer, err
}

// writeTopicWords writes φ, a row for each topic.
func (f *ldaFolder) writeTopicWords(w io.Writer) error {
	if _, err := w.Write(npyheader.Of(float32s, false, f.model.K(), f.model.Words)); err != nil {
		return err
	}
	ranks, phi := f.model.Rankings(), make([]float64, f.model.Words)
	var buffer []byte
	var err error
	for k := range f.model.K() {
		ranks.Phi(k, phi)
		if buffer, err = writeFloats(w, phi, buffer); err != nil {
			return err
		}
	}
	return nil
}

// writeDocumentTopics writes θ, a row for each document of the collection; one without tokens has the shares of α.
func (f *ldaFolder) writeDocumentTopics(w io.Writer) error {
	if _, err := w.Write(npyheader.Of(float32s, false, f.result.Documents, f.model.K())); err != nil {
		return err
	}
	next, theta := 0, make([]float64, f.model.K())
	var buffer []byte
	put := func(topics []uint16) (err error) {
		f.theta(topics, theta)
		next++
		buffer, err = writeFloats(w, theta, buffer)
		return err
	}
	upTo := func(d int) error {
		for next < d {
			if err := put(nil); err != nil {
				return err
			}
		}
		return nil
	}
	err := f.documents(func(d int, topics []uint16) error {
		if err := upTo(d); err != nil {
			return err
		}
		return put(topics)
	})
	if err != nil {
		return err
	}
	return upTo(f.result.Documents)
}

// writeVocabulary writes the words of the columns, one a line.
func (f *ldaFolder) writeVocabulary(w io.Writer) error {
	for v := range f.model.Words {
		if _, err := fmt.Fprintln(w, f.model.Word(int32(v))); err != nil {
			return err
		}
	}
	return nil
}
