package lda

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
)

// WriteTopics writes a line for each topic: its number, from 1, its parameter α_k, its number of tokens, the mean over the samples, its most
// frequent words between spaces, and its diagnosis. Fields are parted by tabs, and the first line names them; a number that
// there is none of is an empty field.
func (r *Rankings) WriteTopics(w io.Writer, words int, diagnoses []Diagnosis) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "topic\talpha\ttokens\twords\tu_mass\tc_npmi\tc_v\texclusivity\teffective_words\trank1_documents")
	for k, d := range diagnoses {
		fmt.Fprintf(b, "%d\t%.6g\t%.0f\t", k+1, r.Alpha[k], r.Tokens(k))
		for i, x := range r.Relevant(k, words, 1) {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(r.Word(x.Word))
		}
		for _, x := range []float64{d.UMass, d.NPMI, d.CV, d.Exclusivity, d.EffectiveWords} {
			b.WriteByte('\t')
			if !math.IsNaN(x) {
				b.WriteString(strconv.FormatFloat(x, 'g', 6, 64))
			}
		}
		fmt.Fprintf(b, "\t%d\n", d.RankOneDocuments)
	}
	return b.Flush()
}

// Tokens is the number of tokens of topic k, the mean over the samples.
func (f *Fitted) Tokens(k int) float64 { return float64(f.Counts.Totals[k]) / float64(f.Samples) }
