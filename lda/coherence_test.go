package lda

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/lda/corpus"
)

// generator is a linear congruential one with Knuth's multiplier, which Python has as easily.
type generator uint64

func (g *generator) below(n int) int {
	*g = *g*6364136223846793005 + 1442695040888963407
	return int(uint64(*g) >> 33 % uint64(n))
}

// coherenceTexts are 12 documents of 1 to 200 tokens, with words that come again or without.
func coherenceTexts(again bool) *corpus.Corpus {
	c, r := &corpus.Corpus{Words: 220, Starts: []int64{0}}, generator(1)
	for d, n := range []int{130, 4, 9, 115, 60, 10, 11, 200, 1, 140, 12, 30} {
		tokens := make([]int32, 220)
		for i := range tokens {
			tokens[i] = int32(i)
		}
		if again {
			for i := range n {
				a, b := r.below(40), r.below(40)
				tokens[i] = int32((a*b/40 + 7*(d%3)) % 40)
			}
		} else {
			for i := 219; i > 0; i-- {
				j := r.below(i + 1)
				tokens[i], tokens[j] = tokens[j], tokens[i]
			}
		}
		c.Tokens = append(c.Tokens, tokens[:n]...)
		c.Starts = append(c.Starts, int64(len(c.Tokens)))
	}
	return c
}

// The numbers are those of gensim 4.4.0's CoherenceModel(…, processes=1, topn=10). Where words come again within a window, its count of windows
// (WordOccurrenceAccumulator._slide_window) forgets a word as soon as one of its tokens is left behind; there the numbers are those after
// _uniq_words is set anew from each window. Its u_mass is a mean with ε = 10⁻¹² for Mimno's 1: with EPSILON = 1/documents and times the number of pairs it
// is the sum. For bags, window_size is 10⁶.
func TestCoherencesAreGensims(t *testing.T) {
	lists := [][]int32{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {10, 3, 17, 20, 14, 21, 0, 33, 2, 11}, {30, 31, 32, 19}}
	for _, want := range []struct {
		again, bag      bool
		uMass, npmi, cv [3]float64
	}{
		{false, false, [3]float64{0.10423200227802662, 6.662863927085392, -0.16989903679539742}, [3]float64{-0.5735217482412883, -0.6128444731172168, -0.7620681121090623}, [3]float64{0.2082887179190532, 0.25789215293288364, 0.5175253531484969}},
		{false, true, [3]float64{0.10423200227802662, 6.662863927085392, -0.16989903679539742}, [3]float64{0.48956607707447397, 0.4384410316830675, 0.4773175744005213}, [3]float64{0.9016941970056711, 0.9042223570120618, 0.9251315487729678}},
		{true, false, [3]float64{-2.9685354899771172, -8.660990395674323, 0.6931471805599452}, [3]float64{0.025685697059948272, -0.07030371908372698, 0.009748580189766447}, [3]float64{0.7156891621818675, 0.6468629094019523, 0.7994064049178635}},
		{true, true, [3]float64{-2.9685354899771172, -8.660990395674323, 0.6931471805599452}, [3]float64{0.5168359221556583, 0.29049687406018854, 0.3623082974740249}, [3]float64{0.9196570010736297, 0.7830740017593272, 0.8702396849899469}},
	} {
		c := coherenceTexts(want.again)
		c.Bag = want.bag
		for k, got := range Coherences(c, lists) {
			for _, x := range []struct {
				name      string
				got, want float64
			}{{"u_mass", got.UMass, want.uMass[k]}, {"c_npmi", got.NPMI, want.npmi[k]}, {"c_v", got.CV, want.cv[k]}} {
				if !(math.Abs(x.got-x.want) < 1e-10) {
					t.Errorf("%v %v: %s of list %d is %v, not %v", want.again, want.bag, x.name, k, x.got, x.want)
				}
			}
		}
	}
}

// Windows are counted as one finds them by looking into each.
func TestOccurAgainstLooking(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		c := &corpus.Corpus{Words: 6, Starts: []int64{0}}
		for range 1 + r.IntN(4) {
			for range r.IntN(30) {
				c.Tokens = append(c.Tokens, int32(r.IntN(6)))
			}
			c.Starts = append(c.Starts, int64(len(c.Tokens)))
		}
		list, size := []int32{4, 0, 2}, 1+r.IntN(8)
		got := occur(c, [][]int32{{5}, list}, window(size))
		windows, both := int64(0), make([]int64, 9)
		for d := range c.Len() {
			tokens := c.Document(d)
			for from := 0; from < len(tokens) && (from == 0 || from+size <= len(tokens)); from++ {
				window := tokens[from:min(from+size, len(tokens))]
				windows++
				for i, v := range list {
					for j, w := range list {
						if slices.Contains(window, v) && slices.Contains(window, w) {
							both[3*i+j]++
						}
					}
				}
			}
		}
		if got.windows != windows || !slices.Equal(got.both[1], both) {
			t.Fatalf("windows of %d in %v: %d, %v; want %d, %v", size, c.Tokens, got.windows, got.both[1], windows, both)
		}
	}
}

// One word has no coherence, words of all documents have that of words which are always together, and a word that is
// nowhere tells nothing.
func TestCoherencesAtTheEdges(t *testing.T) {
	c := &corpus.Corpus{Words: 3, Starts: []int64{0, 2, 4, 4}, Tokens: []int32{0, 1, 1, 0}}
	got := Coherences(c, [][]int32{{0}, {0, 1}, {0, 2}, nil})
	if s := fmt.Sprintf("%.3f", got); s != "[{NaN NaN NaN} {0.405 1.000 1.000} {-0.693 0.000 0.500} {NaN NaN NaN}]" {
		t.Error(s)
	}
}
