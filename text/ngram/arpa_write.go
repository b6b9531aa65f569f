package ngram

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/atomicfile"
)

// WriteARPA writes the model in the ARPA format: log10 probabilities and backoffs with as many digits as tell them apart from other float32. A file whose name
// ends in .gz is compressed. The file is there whole or not at all.
func (m *Model) WriteARPA(path string) error {
	return atomicfile.WriteFrom(path, func(w io.Writer) error {
		if !strings.HasSuffix(path, ".gz") {
			return m.EncodeARPA(w)
		}
		z := gzip.NewWriter(w)
		if err := m.EncodeARPA(z); err != nil {
			return err
		}
		return z.Close()
	})
}

// EncodeARPA writes the model as WriteARPA does, to a stream.
func (m *Model) EncodeARPA(to io.Writer) error {
	w := bufio.NewWriterSize(to, 1<<18)
	fmt.Fprintln(w, `\data\`)
	for k, n := range m.counts {
		fmt.Fprintf(w, "ngram %d=%d\n", k+1, n)
	}
	for k := range m.counts {
		fmt.Fprintf(w, "\n\\%d-grams:\n", k+1)
		m.writeSequences(w, k+1)
	}
	fmt.Fprint(w, "\n\\end\\\n")
	return w.Flush() // which has the first error
}

// writeSequences writes the sequences of so many words.
func (m *Model) writeSequences(w *bufio.Writer, words int) {
	var path [MostOrder + 1]uint32 // the nodes of the sequence's beginnings
	for k := 1; k < words; k++ {
		path[k] = m.starts[k]
	}
	var number []byte
	for node := m.starts[words]; node < m.starts[words+1]; node++ {
		path[words] = node
		for k := words - 1; k > 0; k-- {
			for m.first(path[k]+1) <= path[k+1] {
				path[k]++
			}
		}
		number = strconv.AppendFloat(number[:0], m.log10(node), 'f', -1, 32)
		w.Write(number)
		for k, sep := 1, "\t"; k <= words; k, sep = k+1, " " {
			w.WriteString(sep)
			w.WriteString(m.vocabulary.words[m.word(path[k])])
		}
		if words < len(m.counts) {
			number = strconv.AppendFloat(append(number[:0], '\t'), m.backoff(m.inner(node), node), 'f', -1, 32)
			w.Write(number)
		}
		w.WriteByte('\n')
	}
}
