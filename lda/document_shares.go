package lda

import (
	"bufio"
	"io"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/lda/corpus"
)

// DocumentShares is what Infer found of each document: the tokens of its topics, summed over samples.
type DocumentShares struct {
	corpus  *corpus.Corpus
	alpha   []float64
	sum     float64 // of alpha
	samples int
	counts  [][]Count // of each document, topics ascending
}

// Of fills shares, which grows where it is too short, with the expected shares of the topics of document d,
//
//	E[(n_dk + α_k) / (N_d + Σα)],
//
// the mean over samples of the mean of θ given the topics of the tokens. Those of a document without tokens are α_k / Σα.
func (s *DocumentShares) Of(d int, shares []float64) []float64 {
	shares = append(shares[:0], s.alpha...)
	for _, e := range s.counts[d] {
		shares[e.Topic] += s.tokens(e)
	}
	total := s.total(d)
	for k := range shares {
		shares[k] /= total
	}
	return shares
}

// tokens is the expected number of tokens of a topic.
func (s *DocumentShares) tokens(e Count) float64 { return float64(e.N) / float64(s.samples) }

// total is N_d + Σα.
func (s *DocumentShares) total(d int) float64 {
	return float64(len(s.corpus.Document(d))) + s.sum
}

// Write writes a line for each document and topic that had tokens in common in a sample, and at least this many tokens are
// expected to have, topics ascending: the document, the topic, from 1, the expected number of tokens, and the expected share. It is
// the form of Model.WriteDocumentTopics, whose tokens are those of one sample. With a least of 0, a topic without a line
// has the share α_k / (N_d + Σα); there are hundreds of others in each document, where the samples are many and the topics a thousand.
func (s *DocumentShares) Write(w io.Writer, least float64) error {
	b := bufio.NewWriter(w)
	b.WriteString(documentTopicsHeader)
	var line []byte
	for d := range s.counts {
		total := s.total(d)
		for _, e := range s.counts[d] {
			n := s.tokens(e)
			if n < least {
				continue
			}
			line = append(append(line[:0], documentName(s.corpus, d)...), '\t')
			line = append(strconv.AppendInt(line, int64(e.Topic)+1, 10), '\t')
			line = append(strconv.AppendFloat(line, n, 'g', 6, 64), '\t')
			line = append(strconv.AppendFloat(line, (n+s.alpha[e.Topic])/total, 'g', 6, 64), '\n')
			b.Write(line)
		}
	}
	return b.Flush()
}
