package lda

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/lda/corpus"
)

// Coherence tells how much the first words of a topic belong together, by how often they occur together in a collection.
// Numbers that fewer than two words have none of are NaN.
type Coherence struct {
	// UMass is that of Mimno et al. (2011), over pairs of words, the more frequent in the topic first:
	// Σ_{i<j} log((D(w_i, w_j) + 1) / D(w_i)), where D counts documents. The sum and not the mean; at most a little above 0.
	UMass float64

	// NPMI is the mean over pairs of the normalised pointwise mutual information (Bouma, 2009; Aletras and Stevenson, 2013),
	//
	//	NPMI(v, w) = log((P(v, w) + ε) / (P(v) P(w))) / −log(P(v, w) + ε),   ε = 10⁻¹²,
	//
	// where P is the share of windows of 10 tokens. From −1, never together, by 0, independent, to 1, always together.
	NPMI float64

	// CV is that of Röder, Both and Hinneburg (2015), with windows of 110 tokens: the mean over words of the cosine between the vector of a
	// word's NPMI with all of them, itself included, and the sum of these vectors.
	CV float64
}

// windows of NPMI and of CV.
const (
	npmiWindow window = 10
	cvWindow   window = 110
)

// Coherences gives those of lists of words, the most frequent first, in a collection. In one of bags, windows are documents.
func Coherences(c *corpus.Corpus, lists [][]int32) []Coherence {
	near, far := npmiWindow, cvWindow
	if c.Bag {
		near, far = wholeDocument, wholeDocument
	}
	whole := occur(c, lists, wholeDocument)
	short := whole
	if near != wholeDocument {
		short = occur(c, lists, near)
	}
	long := whole
	if far != wholeDocument {
		long = occur(c, lists, far)
	}
	all := make([]Coherence, len(lists))
	for k, words := range lists {
		all[k] = Coherence{UMass: whole.uMass(k, len(words)), NPMI: short.meanNPMI(k, len(words)), CV: long.cv(k, len(words))}
	}
	return all
}

func (o *occurrences) uMass(list, words int) (sum float64) {
	if words < 2 {
		return math.NaN()
	}
	for j := range words {
		for i := range j {
			if d := o.in(list, words, i, i); d > 0 {
				sum += math.Log((o.in(list, words, i, j) + 1) / d)
			}
		}
	}
	return sum
}

// npmi is 1 for words that all windows have: the limit of words that occur only together. One that no window has tells nothing: 0.
func (o *occurrences) npmi(list, words, i, j int) float64 {
	const epsilon = 1e-12
	n := float64(o.windows)
	a, b, both := o.in(list, words, i, i)/n, o.in(list, words, j, j)/n, o.in(list, words, i, j)/n
	switch {
	case !(a > 0 && b > 0):
		return 0
	case both == 1:
		return 1
	}
	return math.Log((both+epsilon)/(a*b)) / -math.Log(both+epsilon)
}

func (o *occurrences) meanNPMI(list, words int) float64 {
	sum := 0.0
	for j := range words {
		for i := range j {
			sum += o.npmi(list, words, i, j)
		}
	}
	return sum / float64(words*(words-1)/2)
}

func (o *occurrences) cv(list, words int) float64 {
	if words < 2 {
		return math.NaN()
	}
	vectors, total := make([][]float64, words), make([]float64, words)
	for i := range vectors {
		vectors[i] = make([]float64, words)
		for j := range words {
			vectors[i][j] = o.npmi(list, words, i, j)
			total[j] += vectors[i][j]
		}
	}
	sum := 0.0
	for _, v := range vectors {
		sum += cosine(v, total)
	}
	return sum / float64(words)
}

// cosine is 0 for a vector without a direction.
func cosine(a, b []float64) float64 {
	var ab, aa, bb float64
	for i, x := range a {
		ab += float64(x * b[i])
		aa += float64(x * x)
		bb += float64(b[i] * b[i])
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / math.Sqrt(aa*bb)
}
