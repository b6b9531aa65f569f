package ldareport

import (
	"cmp"
	"encoding/json"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/internal/best"
	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/lda"
)

// pyLDAvis is what pyLDAvis (3.4.1) draws: the fields of PreparedData.to_dict. Topics are numbered from 1, the most frequent first.
type pyLDAvis struct {
	Coordinates coordinates       `json:"mdsDat"`
	Terms       terms             `json:"tinfo"`
	Tokens      tokenTable        `json:"token.table"`
	R           int               `json:"R"`
	Step        float64           `json:"lambda.step"`
	Options     map[string]string `json:"plot.opts"`
	Order       []int             `json:"topic.order"`
}

type coordinates struct {
	X       []float64 `json:"x"`
	Y       []float64 `json:"y"`
	Topics  []int     `json:"topics"`
	Cluster []int     `json:"cluster"`
	Freq    []float64 // percent
}

type terms struct {
	Term     []string
	Freq     []float64
	Total    []float64
	Category []string
	LogProb  []float64 `json:"logprob"`
	LogLift  []float64 `json:"loglift"`
}

type tokenTable struct {
	Topic []int
	Freq  []float64
	Term  []string
}

const (
	pyTerms = 30
	pySteps = 100
)

// WritePyLDAvis writes the JSON that pyLDAvis draws, what its prepare makes of the shares of f. frequencies are the expected tokens of each topic, Σ_d N_d θ_dk.
// Frequencies of words follow from these and f, as prepare has it, not from the collection.
func WritePyLDAvis(w io.Writer, f *lda.Fitted, frequencies []float64, threads int) error {
	if err := memory.Room(float64(8 * f.K() * f.K())); err != nil { // of the distances
		return err
	}
	p := newPrepared(f, frequencies)
	v := &pyLDAvis{R: min(pyTerms, f.Words), Step: 1.0 / pySteps, Options: map[string]string{"xlab": "PC1", "ylab": "PC2"}}
	v.Coordinates.X, v.Coordinates.Y = p.Coordinates(p.order, threads)
	total := 0.0
	for _, x := range frequencies {
		total += x
	}
	for i, k := range p.order {
		v.Order = append(v.Order, k+1)
		v.Coordinates.Topics = append(v.Coordinates.Topics, i+1)
		v.Coordinates.Cluster = append(v.Coordinates.Cluster, 1)
		v.Coordinates.Freq = append(v.Coordinates.Freq, 100*frequencies[k]/total)
	}
	used := map[int]bool{}
	for i, w := range p.salient(v.R) {
		used[w] = true
		n := math.Floor(p.words[w])
		v.Terms.add(f.Word(int32(w)), n, n, "Default", float64(v.R-i), float64(v.R-i))
	}
	for i, k := range p.order {
		row := p.topic(k)
		for _, w := range p.relevant(row, v.R) {
			used[w] = true
			v.Terms.add(f.Word(int32(w)), row[w]*frequencies[k], p.words[w], topicName(i+1), round4(math.Log(row[w])), round4(p.lift(row, w)))
		}
	}
	v.Tokens = p.table(used)
	return json.NewEncoder(w).Encode(v)
}

func (t *terms) add(term string, freq, total float64, category string, logProb, logLift float64) {
	t.Term, t.Freq, t.Total = append(t.Term, term), append(t.Freq, freq), append(t.Total, total)
	t.Category, t.LogProb, t.LogLift = append(t.Category, category), append(t.LogProb, logProb), append(t.LogLift, logLift)
}

func topicName(i int) string { return "Topic" + strconv.Itoa(i) }

func round4(x float64) float64 { return math.Round(x*1e4) / 1e4 }

// prepared is a model as pyLDAvis.prepare sees it.
type prepared struct {
	*lda.Rankings
	frequencies []float64 // of topics
	order       []int     // of topics, the most frequent first
	words       []float64 // expected tokens of each word, Σ_k φ_kw frequencies_k
	tokens      float64   // their sum
	rare        []int     // words, the one with fewest tokens first
	phi         []float64
}

func newPrepared(f *lda.Fitted, frequencies []float64) *prepared {
	p := &prepared{Rankings: f.Rankings(), frequencies: frequencies, order: make([]int, f.K()), words: make([]float64, f.Words),
		rare: make([]int, f.Words), phi: make([]float64, f.Words)}
	for k := range p.order {
		p.order[k] = k
		for w, x := range p.topic(k) {
			p.words[w] += float64(x * frequencies[k])
		}
	}
	slices.SortStableFunc(p.order, func(a, b int) int { return cmp.Compare(frequencies[b], frequencies[a]) })
	for w, n := range p.words {
		p.tokens += n
		p.rare[w] = w
	}
	slices.SortStableFunc(p.rare, func(a, b int) int { return cmp.Compare(p.words[a], p.words[b]) })
	return p
}

// topic is the shares of words of a topic, until the next call.
func (p *prepared) topic(k int) []float64 {
	p.Phi(k, p.phi)
	return p.phi
}

func (p *prepared) lift(phi []float64, w int) float64 {
	return math.Log(phi[w] / (p.words[w] / p.tokens))
}

// column is the shares that a word has of the topics.
func (p *prepared) column(w int, to []float64) {
	for k := range to {
		to[k], _ = p.Shares(k)
	}
	for _, e := range p.Counts.Word(w) {
		_, factor := p.Shares(int(e.Topic))
		to[e.Topic] += float64(factor * float64(e.N))
	}
}

// salient is the first n words by p_w Σ_k q_k log(q_k / p_k), q_k = φ_kw / Σ_j φ_jw.
func (p *prepared) salient(n int) (words []int) {
	first, phi, all := make([]best.Scored, 0, n), make([]float64, p.K()), 0.0
	for _, x := range p.frequencies {
		all += x
	}
	for w, tokens := range p.words {
		p.column(w, phi)
		sum, s := 0.0, 0.0
		for _, x := range phi {
			sum += x
		}
		for k, x := range phi {
			q := x / sum
			s += float64(q * math.Log(q/(p.frequencies[k]/all)))
		}
		first = best.Keep(first, best.Scored{At: w, Score: s * (tokens / p.tokens)})
	}
	for _, x := range first {
		words = append(words, x.At)
	}
	return words
}

// relevant is the words that are among the first n of a topic at any λ, words without a token in the topic included.
func (p *prepared) relevant(phi []float64, n int) (words []int) {
	candidates := p.candidates(phi, n)
	logPhi, lift, had := make([]float64, len(candidates)), make([]float64, len(candidates)), make([]bool, len(candidates))
	for i, w := range candidates {
		logPhi[i], lift[i] = math.Log(phi[w]), p.lift(phi, w)
	}
	first := make([]best.Scored, 0, n)
	for step := range pySteps + 1 {
		lambda := float64(step) / pySteps
		first = first[:0]
		for i := range candidates {
			first = best.Keep(first, best.Scored{At: i, Score: float64(lambda*logPhi[i]) + float64((1-lambda)*lift[i])})
		}
		for _, x := range first {
			if !had[x.At] {
				had[x.At] = true
				words = append(words, candidates[x.At])
			}
		}
	}
	return words
}

// candidates are the words that may be among the first n at some λ, in the order of the vocabulary: those with tokens in the topic, and of the others,
// which have one φ, the n that are rarest and, for λ = 1, where all are equal, the first n.
func (p *prepared) candidates(phi []float64, n int) (words []int) {
	none := slices.Min(phi)
	isIn := make([]bool, len(phi))
	early := 0
	for w, x := range phi {
		if x > none || early < n {
			isIn[w] = true
		}
		if x == none {
			early++
		}
	}
	rare := 0
	for _, w := range p.rare {
		if phi[w] == none && rare < n {
			isIn[w] = true
			rare++
		}
	}
	for w, in := range isIn {
		if in {
			words = append(words, w)
		}
	}
	return words
}

// table is how the tokens of words spread over topics, where a topic has at least half a token of one.
func (p *prepared) table(used map[int]bool) (t tokenTable) {
	words := slices.SortedFunc(maps.Keys(used), func(a, b int) int {
		return cmp.Compare(p.Word(int32(a)), p.Word(int32(b)))
	})
	phi := make([]float64, p.K())
	for _, w := range words {
		p.column(w, phi)
		for i, k := range p.order {
			if n := phi[k] * p.frequencies[k]; n >= 0.5 {
				t.Topic = append(t.Topic, i+1)
				t.Freq = append(t.Freq, math.RoundToEven(n)/p.words[w])
				t.Term = append(t.Term, p.Word(int32(w)))
			}
		}
	}
	return t
}
