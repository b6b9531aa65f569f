package ngram

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/text"
)

var _ text.Paired = (*Model)(nil)

// plain is the formulas of the package's comment, over maps from sequences to counts.
type plain struct {
	order, words int
	times        []map[string]int // by length less one
	adjusted     []map[string]int
	least        []int
	off          []Discounts
}

func newPlain(sentences [][]int32, order, words int, least []int) *plain {
	p := &plain{order: order, words: words, least: least}
	for k := 1; k <= order; k++ {
		times, before := map[string]int{}, map[string]map[int32]bool{}
		for _, s := range sentences {
			for at := 0; at+k <= len(s); at++ {
				g := fmt.Sprint(s[at : at+k])
				times[g]++
				if before[g] == nil {
					before[g] = map[int32]bool{}
				}
				if at > 0 {
					before[g][s[at-1]] = true
				}
			}
		}
		adjusted := map[string]int{}
		for g, n := range times {
			if k < p.order && !strings.HasPrefix(g, "[1 ") {
				n = len(before[g])
			}
			adjusted[g] = n
		}
		delete(adjusted, "[1]")
		var counts []uint32
		for _, n := range adjusted {
			counts = append(counts, uint32(n))
		}
		p.times, p.adjusted, p.off = append(p.times, times), append(p.adjusted, adjusted), append(p.off, discounts(counts))
	}
	return p
}

// prob is p(w | h), of the last order−1 words of h.
func (p *plain) prob(h []int32, w int32) float64 {
	h = h[max(0, len(h)-p.order+1):]
	lower := func() float64 {
		if len(h) == 0 {
			return 1 / float64(p.words-1)
		}
		return p.prob(h[1:], w)
	}
	k := len(h)
	least := 1
	if k > 0 && len(p.least) > 0 {
		least = p.least[min(k-1, len(p.least)-1)]
	}
	sum, left, own := 0.0, 0.0, 0.0
	for v := range int32(p.words) {
		g := fmt.Sprint(append(append([]int32{}, h...), v))
		n := p.adjusted[k][g]
		taken := p.off[k].of(uint32(n))
		if p.times[k][g] < least {
			taken = float64(n)
		}
		sum += float64(n)
		left += taken
		if v == w {
			own = float64(n) - taken
		}
	}
	if sum == 0 {
		return lower()
	}
	return own/sum + left/sum*lower()
}

// corpus is sentences drawn from a chain of words, in numbers with the special words about them, and as a text.
func corpus(t testing.TB, seed uint64, sentences, words int) ([][]int32, *Text) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 14))
	x := NewText()
	var b strings.Builder
	for range sentences {
		w := r.IntN(words)
		for range r.IntN(9) {
			fmt.Fprintf(&b, "w%d ", w)
			w = (w + r.IntN(3)*r.IntN(words)) % words
		}
		b.WriteString("\n")
	}
	if err := x.Read(context.Background(), strings.NewReader(b.String()), "drawn"); err != nil {
		t.Fatal(err)
	}
	var all [][]int32
	from := 0
	for at, w := range x.tokens {
		if w == end {
			all = append(all, append([]int32{}, x.tokens[from:at+1]...))
			from = at + 1
		}
	}
	return all, x
}

// Every probability of small models is that of the formulas, and after every context the probabilities sum to 1.
func TestAgainstTheFormulas(t *testing.T) {
	for _, c := range []struct {
		sentences, words, order int
		least                   []int
		backward                bool
	}{
		{60, 5, 3, nil, false}, {60, 5, 3, nil, true}, {40, 4, 1, nil, false}, {40, 4, 2, nil, false}, {50, 3, 5, nil, false},
		{200, 6, 4, []int{2, 3}, false}, {200, 6, 3, []int{1, 2}, true}, {1, 1, 3, nil, false}, {3, 2, 8, nil, false},
	} {
		sentences, x := corpus(t, uint64(c.sentences+c.order), c.sentences, c.words)
		if c.backward {
			for _, s := range sentences {
				for i, j := 1, len(s)-2; i < j; i, j = i+1, j-1 {
					s[i], s[j] = s[j], s[i]
				}
			}
		}
		before := fmt.Sprint(x.tokens)
		m, err := Train(context.Background(), x, Settings{Order: c.order, Backward: c.backward, MinCounts: c.least})
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(x.tokens) != before {
			t.Error("the text has changed")
		}
		p := newPlain(sentences, c.order, x.Size(), c.least)
		for k, n := range m.Seen {
			if want := len(p.times[k]); k > 0 && n != want {
				t.Errorf("%+v: %d sequences of %d words, not %d", c, n, k+1, want)
			}
		}
		agree(t, m.Model, p)
	}
}

// agree compares a model with the formulas after every context of up to three words, and some beyond.
func agree(t *testing.T, m *Model, p *plain) {
	t.Helper()
	contexts := [][]int32{{}}
	for at := 0; at < len(contexts) && len(contexts[at]) < 3; at++ {
		for w := range int32(m.Size()) {
			if w != end && (w != begin || len(contexts[at]) == 0) {
				contexts = append(contexts, append(append([]int32{}, contexts[at]...), w))
			}
		}
	}
	for a, b := range m.Pairs() {
		if p.times[1][fmt.Sprint([]int32{a, b})] == 0 {
			t.Errorf("%d %d is a pair", a, b)
		}
	}
	contexts = append(contexts, []int32{begin, 3, 3, 3, 3, 3}, []int32{3, 0, 3, 3, 3, 3})
	for _, h := range contexts {
		sum := 0.0
		s := m.Empty()
		for _, w := range h {
			_, s = m.Next(s, w)
		}
		for w := range int32(m.Size()) {
			if w == begin {
				continue
			}
			got, want := m.LogProb(h, w), math.Log(p.prob(h, w))
			if math.Abs(got-want) > 2e-6 { // float32 holds seven digits, of up to four numbers
				t.Fatalf("order %d: log p(%d | %d) = %v, not %v", m.Order(), w, h, got, want)
			}
			if by, _ := m.Next(s, w); by != got {
				t.Fatalf("order %d: log p(%d | %d) = %v by states, not %v", m.Order(), w, h, by, got)
			}
			sum += math.Exp(got)
		}
		if math.Abs(sum-1) > 1e-5 {
			t.Fatalf("order %d: the probabilities after %d sum to %v", m.Order(), h, sum)
		}
	}
}
