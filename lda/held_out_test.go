package lda

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/streams"
	"github.com/ergodic-mcmc/ergodic/lda/corpus"
)

// known are fitted models small enough to list the topics of documents: several samples, words without counts, topics without
// tokens, parameters that differ.
func known(t testing.TB) map[string]*Fitted {
	t.Helper()
	counts := func(topics int, rows ...[]Count) *Counts {
		c := &Counts{Starts: []int64{0}, Totals: make([]int64, topics)}
		for _, row := range rows {
			c.Entries = append(c.Entries, row...)
			c.Starts = append(c.Starts, int64(len(c.Entries)))
			for _, e := range row {
				c.Totals[e.Topic] += int64(e.N)
			}
		}
		return c
	}
	models := map[string]*Fitted{
		"two topics, two samples": {Words: 3, Alpha: []float64{0.3, 1.1}, Beta: 0.2, Samples: 2,
			Counts: counts(2, []Count{{0, 5}, {1, 1}}, []Count{{1, 7}}, nil)},
		"three topics, one empty": {Words: 4, Alpha: []float64{0.1, 0.5, 0.2}, Beta: 0.05, Samples: 3,
			Counts: counts(3, []Count{{0, 9}, {2, 2}}, []Count{{2, 6}}, nil, []Count{{0, 1}})},
	}
	for name, f := range models {
		if err := f.check(); err != nil {
			t.Fatal(name, err)
		}
	}
	return models
}

// newDocuments are over the words of all known models.
func newDocuments() *corpus.Corpus {
	return gather([][]int32{{0, 0, 1, 2, 1, 0}, {}, {2}, {1, 1, 1, 1}, {0, 1, 0, 1, 0, 1, 2, 0}}, 3)
}

// fitted gives the corpus as many words as the model has.
func (f *Fitted) fitted(c *corpus.Corpus) *corpus.Corpus {
	d := *c
	d.Words = f.Words
	return &d
}

// enumerate sums over all topics of a document: log p(w | φ, α), and E[θ | w]. Pólya's urn gives p(z | α).
func (f *Fitted) enumerate(words []int32) (logp float64, theta []float64) {
	k := f.K()
	phi, sum := make([][]float64, k), 0.0
	for z := range phi {
		sum += f.Alpha[z]
		phi[z] = make([]float64, f.Words)
		for w := range phi[z] {
			n := 0.0
			for _, e := range f.Counts.Word(w) {
				if int(e.Topic) == z {
					n = float64(e.N)
				}
			}
			s := float64(f.Samples)
			phi[z][w] = (n/s + f.Beta) / (float64(f.Counts.Totals[z])/s + float64(f.Words)*f.Beta)
		}
	}
	theta = make([]float64, k)
	all := 0.0
	for i := range int(math.Pow(float64(k), float64(len(words)))) {
		p, n := 1.0, make([]float64, k)
		for j, z := range assignment(i, len(words), k) {
			p *= (n[z] + f.Alpha[z]) / (float64(j) + sum) * phi[z][words[j]]
			n[z]++
		}
		all += p
		for z := range theta {
			theta[z] += p * (n[z] + f.Alpha[z]) / (float64(len(words)) + sum)
		}
	}
	for z := range theta {
		theta[z] /= all
	}
	return math.Log(all), theta
}

// The mean of left-to-right's estimates is the enumerated probability, for one particle as for many. Eight settings of the
// three documents of more than one token at 5.5 standard errors: a false-alarm rate of 9e-7 in all. Without the selection of
// particles most fail, by up to a quarter of the probability.
func TestLeftToRightIsUnbiased(t *testing.T) {
	for name, f := range known(t) {
		c := f.fitted(newDocuments())
		for _, e := range []Evaluation{{Runs: 1, Particles: 1}, {Runs: 1, Particles: 2}, {Runs: 1, Particles: 5}, {Runs: 2, Particles: 3}} {
			e.Method = "left-to-right"
			ratios := make([][]float64, c.Len())
			for e.Seed = range uint64(20_000) {
				h, err := f.Evaluate(context.Background(), c, e)
				if err != nil {
					t.Fatal(err)
				}
				for d, s := range h.Documents {
					ratios[d] = append(ratios[d], s.LogP)
				}
			}
			for d, x := range ratios {
				want, _ := f.enumerate(c.Document(d))
				for i := range x {
					x[i] = math.Exp(x[i] - want)
				}
				if mean, se := meanSE(x); math.Abs(mean-1) > 5.5*se+1e-12 {
					t.Errorf("%s, %d runs of %d particles, document %d: estimates are %.5f ± %.5f of the probability", name, e.Runs, e.Particles, d+1, mean, se)
				}
			}
		}
	}
}

// The standard error is that of the logarithm: over seeds, the mean of its square is the variance. Each of the two estimates
// has a standard error of at most 3 %, and the first order of the error leaves out a twentieth: the bounds are 6 of these.
func TestLeftToRightSE(t *testing.T) {
	for name, f := range known(t) {
		c := f.fitted(newDocuments())
		var logp []float64
		mean := 0.0
		const seeds = 4000
		for seed := range uint64(seeds) {
			h, err := f.Evaluate(context.Background(), c, Evaluation{Method: "left-to-right", Runs: 4, Particles: 40, Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			logp = append(logp, h.LogP)
			mean += h.SE * h.SE / seeds
		}
		_, se := meanSE(logp)
		if ratio := mean / (se * se * seeds); math.Abs(ratio-1) > 0.25 {
			t.Errorf("%s: the squares of the errors are %.3f of the variance", name, ratio)
		}
	}
}

// Shares are the enumerated E[θ | w]: 18 of them at 6 standard errors over 400 seeds, a false-alarm rate of 1e-7.
func TestInferIsExact(t *testing.T) {
	for name, f := range known(t) {
		c := f.fitted(newDocuments())
		got := make([][][]float64, c.Len())
		for seed := range uint64(400) {
			s, err := f.Infer(context.Background(), c, Inference{Chains: 2, Sweeps: 500, BurnIn: 300, Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			for d := range got {
				got[d] = append(got[d], s.Of(d, nil))
			}
		}
		for d, all := range got {
			_, want := f.enumerate(c.Document(d))
			for k := range want {
				x := make([]float64, len(all))
				for i := range all {
					x[i] = all[i][k]
				}
				if mean, se := meanSE(x); math.Abs(mean-want[k]) > 6*se+1e-12 {
					t.Errorf("%s, document %d, topic %d: share %.5f ± %.5f, not %.5f", name, d+1, k+1, mean, se, want[k])
				}
			}
		}
	}
}

// The scored half of each document has the probability that the enumerated shares of the given half say. Ten documents at 6
// standard errors from 200 runs, a false-alarm rate of 1e-7.
func TestCompletionIsExact(t *testing.T) {
	for name, f := range known(t) {
		c := f.fitted(newDocuments())
		e := Evaluation{Method: "completion", Runs: 200, Sweeps: 600, BurnIn: 300, Seed: 3}
		h, err := f.Evaluate(context.Background(), c, e)
		if err != nil {
			t.Fatal(err)
		}
		total, tokens := 0.0, 0
		for d, s := range h.Documents {
			words := slices.Clone(c.Document(d))
			shuffle(words, streams.New(e.Seed, "lda completion split").Stream(uint64(d)))
			given, scored := words[:len(words)/2], words[len(words)/2:]
			_, theta := f.enumerate(given)
			want := 0.0
			for _, w := range scored {
				want += math.Log(f.mixed(theta, w))
			}
			if s.Tokens != len(scored) || math.Abs(s.LogP-want) > 6*s.SE+1e-12 {
				t.Errorf("%s, document %d: %d tokens, %.5f ± %.5f, not %d, %.5f", name, d+1, s.Tokens, s.LogP, s.SE, len(scored), want)
			}
			total += s.LogP
			tokens += s.Tokens
		}
		if math.Abs(h.LogP-total) > 1e-12 || h.Tokens != int64(tokens) || h.Tokens != 10 {
			t.Errorf("%s: in all %d tokens, %v, not %d, %v", name, h.Tokens, h.LogP, tokens, total)
		}
	}
}

// mixed is Σ_k θ_k φ_kw.
func (f *Fitted) mixed(theta []float64, w int32) (p float64) {
	for k := range theta {
		none, factor := f.Shares(k)
		p += theta[k] * none
		for _, e := range f.Counts.Word(int(w)) {
			if int(e.Topic) == k {
				p += theta[k] * factor * float64(e.N)
			}
		}
	}
	return p
}

// Neither shares nor likelihoods depend on threads.
func TestNewDocumentsOnThreads(t *testing.T) {
	f, c := barsModel(t, 20, 40)
	var shares []string
	var scores []*HeldOut
	for threads := 1; threads <= 3; threads++ {
		s, err := f.Infer(context.Background(), c, Inference{Chains: 2, Sweeps: 5, BurnIn: 1, Seed: 7, Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := s.Write(&b, 0); err != nil {
			t.Fatal(err)
		}
		shares = append(shares, b.String())
		for _, e := range []Evaluation{{Method: "left-to-right", Runs: 2, Particles: 3}, {Method: "completion", Runs: 2, Sweeps: 5}} {
			e.Threads, e.Seed = threads, 7
			h, err := f.Evaluate(context.Background(), c, e)
			if err != nil {
				t.Fatal(err)
			}
			scores = append(scores, h)
		}
	}
	for i := 1; i < 3; i++ {
		if shares[i] != shares[0] || !reflect.DeepEqual(scores[2*i:2*i+2], scores[:2]) {
			t.Errorf("%d threads: other numbers than one", i+1)
		}
	}
}

// barsModel is a model of 10 topics, and its documents.
func barsModel(t testing.TB, documents, length int) (*Fitted, *corpus.Corpus) {
	t.Helper()
	c := bars(5, documents, length)
	m, err := New(c, Settings{Alpha: Symmetric(1, 10), Beta: 0.1, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSampler("sparse", m, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		s.Sweep()
	}
	return m.Fitted(), c
}

// One long document tells how far it is: tokens rise in many small steps, to all of them, on one thread and on several.
func TestLongDocumentsTell(t *testing.T) {
	f, c := barsModel(t, 1, 5000)
	c.Tokens = append(c.Tokens, c.Tokens[:10]...)
	c.Starts = append(c.Starts, int64(len(c.Tokens)))
	for name, do := range map[string]func(threads int, tell func(int, int64)) error{
		"inference": func(threads int, tell func(int, int64)) error {
			_, err := f.Infer(t.Context(), c, Inference{Chains: 2, Sweeps: 50, Threads: threads, Progress: tell})
			return err
		},
		"left-to-right": func(threads int, tell func(int, int64)) error {
			_, err := f.Evaluate(t.Context(), c, Evaluation{Method: "left-to-right", Runs: 2, Particles: 1, Threads: threads, Progress: tell})
			return err
		},
		"completion": func(threads int, tell func(int, int64)) error {
			_, err := f.Evaluate(t.Context(), c, Evaluation{Method: "completion", Runs: 2, Sweeps: 50, Threads: threads, Progress: tell})
			return err
		},
	} {
		for _, threads := range []int{1, 2} {
			told, documents, tokens := 0, 0, int64(0)
			err := do(threads, func(d int, n int64) {
				if d < documents || n < tokens || n == tokens && d == documents || n > tokens+5000/50+1 { // a sweep, and rounding
					t.Errorf("%s: %d documents and %d tokens, then %d and %d", name, documents, tokens, d, n)
				}
				told, documents, tokens = told+1, d, n
			})
			if err != nil || told < 50 || documents != 2 || tokens != 5010 {
				t.Errorf("%s: %v, told %d times, at the end %d documents and %d tokens", name, err, told, documents, tokens)
			}
		}
	}
}

// A document does not allocate once there have been some.
func TestNewDocumentsDoNotAllocate(t *testing.T) {
	f, c := barsModel(t, 20, 40)
	x, err := f.fix(c)
	if err != nil {
		t.Fatal(err)
	}
	set := &Inference{Chains: 1, Sweeps: 3, BurnIn: 1}
	w, k := newInferrer(x), streams.New(1, "test")
	all := func() {
		w.room = w.room[:0] // what Infer keeps
		for d := range c.Len() {
			w.gather(context.Background(), c.Document(d), set, k.Stream(uint64(d)), portion{})
			w.take()
		}
	}
	all()
	if n := testing.AllocsPerRun(5, all); n != 0 {
		t.Errorf("inference allocates %v times", n)
	}
	for _, e := range []*Evaluation{{Method: "left-to-right", Runs: 2, Particles: 3}, {Method: "completion", Runs: 2, Sweeps: 3}} {
		w := evaluators[e.Method](e, x)
		all := func() {
			for d := range c.Len() {
				w.score(context.Background(), c.Document(d), uint64(d), portion{})
			}
		}
		all()
		if n := testing.AllocsPerRun(5, all); n != 0 {
			t.Errorf("%s allocates %v times", e.Method, n)
		}
	}
}

func TestNewDocumentsRefuse(t *testing.T) {
	f := known(t)["two topics, two samples"]
	c := newDocuments()
	more, other := *c, *c
	more.Words = 4
	named := *f
	named.Vocabulary, other.Vocabulary = []string{"a", "b", "c"}, []string{"a", "c", "b"}
	infer := func(f *Fitted, c *corpus.Corpus, set Inference) error {
		_, err := f.Infer(context.Background(), c, set)
		return err
	}
	evaluate := func(e Evaluation) error {
		_, err := f.Evaluate(context.Background(), c, e)
		return err
	}
	broken := *f
	broken.Samples = 0
	good := Inference{Chains: 1, Sweeps: 2, BurnIn: 1}
	for says, err := range map[string]error{
		"0 chains":                    infer(f, c, Inference{Sweeps: 1}),
		"2 sweeps with a burn-in":     infer(f, c, Inference{Chains: 1, Sweeps: 2, BurnIn: 2}),
		"a burn-in of -1":             infer(f, c, Inference{Chains: 1, Sweeps: 2, BurnIn: -1}),
		"more samples than":           infer(f, c, Inference{Chains: 1 << 16, Sweeps: 1 << 15}),
		"the 6 tokens of document 1":  infer(f, c, Inference{Chains: 1, Sweeps: 1 << 30}),
		"over 4 words and the model":  infer(f, &more, good),
		"words of the corpus are not": infer(&named, &other, good),
		"of no sample":                infer(&broken, c, good),
		"there are left-to-right":     evaluate(Evaluation{Method: "harmonic", Runs: 1}),
		"0 runs":                      evaluate(Evaluation{Method: "completion", Sweeps: 1}),
		"0 particles":                 evaluate(Evaluation{Method: "left-to-right", Runs: 1}),
		"0 sweeps":                    evaluate(Evaluation{Method: "completion", Runs: 1}),
		"samples of the 6 tokens":     evaluate(Evaluation{Method: "completion", Runs: 1, Sweeps: 1 << 30}),
	} {
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q is not in %v", says, err)
		}
	}
}

// A context that ends stops the work, in the middle of a document that would take for ever.
func TestNewDocumentsAreInterrupted(t *testing.T) {
	f := known(t)["two topics, two samples"]
	c := gather([][]int32{make([]int32, 1<<20)}, 3)
	for name, do := range map[string]func(context.Context) error{
		"infer": func(ctx context.Context) error {
			_, err := f.Infer(ctx, c, Inference{Chains: 1, Sweeps: 4000})
			return err
		},
		"left-to-right": func(ctx context.Context) error {
			_, err := f.Evaluate(ctx, c, Evaluation{Method: "left-to-right", Runs: 1, Particles: 1})
			return err
		},
		"completion": func(ctx context.Context) error {
			_, err := f.Evaluate(ctx, c, Evaluation{Method: "completion", Runs: 2, Sweeps: 1000})
			return err
		},
	} {
		ctx, stop := context.WithTimeout(context.Background(), 10*time.Millisecond)
		if err := do(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", name, err)
		}
		stop()
	}
}
