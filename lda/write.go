package lda

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/ergodic-mcmc/ergodic/lda/corpus"
)

// Word is the name of a word, or its number, from 1, where the vocabulary is not known.
func (m *Model) Word(w int32) string { return wordName(m.corpus.Vocabulary, w) }

func wordName(vocabulary []string, w int32) string {
	if vocabulary != nil {
		return without(unicode.IsControl, vocabulary[w], ' ')
	}
	return strconv.Itoa(int(w) + 1)
}

// without puts another character for those that would end a field or a line, or command a terminal.
func without(some func(rune) bool, name string, instead rune) string {
	return strings.Map(func(r rune) rune {
		if some(r) {
			return instead
		}
		return r
	}, name)
}

// document is the name of a document, or its number, from 1.
func (m *Model) document(d int) string { return documentName(m.corpus, d) }

func documentName(c *corpus.Corpus, d int) string {
	if c.Documents != nil {
		return without(unicode.IsControl, c.Documents[d], ' ')
	}
	return strconv.Itoa(d + 1)
}

// WriteTopicWords writes a line for each word and topic that have tokens in common: the topic, from 1, the word, and how many.
func (m *Model) WriteTopicWords(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "topic\tword\ttokens")
	m.EachWord(func(word int32, topics []uint16, counts []int32) {
		for i, z := range topics {
			fmt.Fprintf(b, "%d\t%s\t%d\n", int(z)+1, m.Word(word), counts[i])
		}
	})
	return b.Flush()
}

const documentTopicsHeader = "document\ttopic\ttokens\tshare\n"

// WriteDocumentTopics writes a line for each document and topic that have tokens in common, topics ascending: the document,
// the topic, from 1, how many, and its expected share (n_dk + α_k) / (N_d + Σα). A topic without tokens in a document has
// the share α_k / (N_d + Σα) there.
func (m *Model) WriteDocumentTopics(w io.Writer) error {
	b := bufio.NewWriter(w)
	b.WriteString(documentTopicsHeader)
	var own []uint16
	var line []byte
	m.eachDocument(func(d int, topics []uint16) {
		own = append(own[:0], topics...)
		slices.Sort(own)
		total := float64(len(own)) + m.sum
		for len(own) > 0 {
			z, n := own[0], 1
			for n < len(own) && own[n] == z {
				n++
			}
			own = own[n:]
			line = append(append(line[:0], m.document(d)...), '\t')
			line = append(strconv.AppendInt(line, int64(z)+1, 10), '\t')
			line = append(strconv.AppendInt(line, int64(n), 10), '\t')
			line = append(strconv.AppendFloat(line, (float64(n)+m.alpha[z])/total, 'g', 6, 64), '\n')
			b.Write(line)
		}
	})
	return b.Flush()
}

// WriteState writes the topic of every token in the form of MALLET's state files, gzip'ed: comments with α and β, then document,
// source, position, word number, word and topic, all numbers from 0.
func (m *Model) WriteState(w io.Writer) error {
	z := gzip.NewWriter(w)
	b := bufio.NewWriter(z)
	b.WriteString("#doc source pos typeindex type topic\n#alpha :")
	for _, a := range m.alpha {
		fmt.Fprintf(b, " %v", a)
	}
	fmt.Fprintf(b, "\n#beta : %v\n", m.beta)
	line := []byte(nil)
	words := make([]string, m.corpus.Words)
	for v := range words {
		words[v] = without(isBlank, m.Word(int32(v)), '_')
	}
	m.eachDocument(func(d int, topics []uint16) {
		source := m.source(d)
		for i, word := range m.corpus.Document(d) {
			line = strconv.AppendInt(line[:0], int64(d), 10)
			line = append(append(append(line, ' '), source...), ' ')
			line = append(strconv.AppendInt(line, int64(i), 10), ' ')
			line = append(strconv.AppendInt(line, int64(word), 10), ' ')
			line = append(append(line, words[word]...), ' ')
			line = append(strconv.AppendInt(line, int64(topics[i]), 10), '\n')
			b.Write(line)
		}
	})
	if err := b.Flush(); err != nil {
		return err
	}
	return z.Close()
}

// source is the name of a document in a state, NA where it has none, as MALLET writes it.
func (m *Model) source(d int) string {
	if m.corpus.Documents == nil {
		return "NA"
	}
	return without(isBlank, m.corpus.Documents[d], '_')
}

// isBlank is of what would end a field of a state.
func isBlank(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }
