package corpus

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// WriteUCI writes a docword file of UCI's bag of words. The order of the tokens in a document and the names of documents are
// not in it; WriteVocabulary writes the file of the words.
func (c *Corpus) WriteUCI(w io.Writer) error {
	entries := 0
	for d := range c.Len() {
		entries += len(runs(c.Document(d)))
	}
	b := bufio.NewWriterSize(w, buffer)
	fmt.Fprintf(b, "%d\n%d\n%d\n", c.Len(), c.Words, entries)
	var line []byte
	for d := range c.Len() {
		for _, r := range runs(c.Document(d)) {
			line = append(strconv.AppendInt(line[:0], int64(d+1), 10), ' ')
			line = append(strconv.AppendInt(line, int64(r.word)+1, 10), ' ')
			line = append(strconv.AppendInt(line, int64(r.count), 10), '\n')
			if _, err := b.Write(line); err != nil {
				return err
			}
		}
	}
	return b.Flush()
}

// WriteLDAC writes the bag of words of LDA-C. What WriteUCI leaves out, this does, and the number of words.
func (c *Corpus) WriteLDAC(w io.Writer) error {
	b := bufio.NewWriterSize(w, buffer)
	var line []byte
	for d := range c.Len() {
		counts := runs(c.Document(d))
		line = strconv.AppendInt(line[:0], int64(len(counts)), 10)
		for _, r := range counts {
			line = strconv.AppendInt(append(line, ' '), int64(r.word), 10)
			line = strconv.AppendInt(append(line, ':'), int64(r.count), 10)
		}
		if _, err := b.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return b.Flush()
}

// WriteVocabulary writes the words, one a line. A word that would not be read again as it is, because it is empty, holds
// the end of a line, has blanks around it, is not UTF-8 or begins the file with the mark of an encoding, is an error.
func (c *Corpus) WriteVocabulary(w io.Writer) error {
	if c.Vocabulary == nil {
		return fmt.Errorf("corpus: the names of the words are not known")
	}
	b := bufio.NewWriterSize(w, buffer)
	for k, word := range c.Vocabulary {
		marked := k == 0 && strings.HasPrefix(word, "\ufeff")
		if word == "" || marked || strings.TrimSpace(word) != word || strings.ContainsAny(word, "\n\x00") || !utf8.ValidString(word) {
			return fmt.Errorf("corpus: word %d, %s, does not fit into a line of its own", k+1, wording.Quote(word))
		}
		b.WriteString(word)
		b.WriteByte('\n')
	}
	return b.Flush()
}

// runs are the words of a document in their order, and how often each is there.
func runs(tokens []int32) []wordCount {
	if !slices.IsSorted(tokens) {
		tokens = slices.Clone(tokens)
		slices.Sort(tokens)
	}
	var list []wordCount
	for _, w := range tokens {
		if k := len(list); k > 0 && list[k-1].word == w {
			list[k-1].count++
			continue
		}
		list = append(list, wordCount{w, 1})
	}
	return list
}
