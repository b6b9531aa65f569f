package lda

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/ergodic-mcmc/ergodic/lda/corpus"
)

// mixed is a model of n tokens over topics and words, some of which have none, with the sum of two samples.
func mixed(t testing.TB, n, topics, words int) (*Model, *Fitted) {
	t.Helper()
	r := rand.New(rand.NewPCG(3, uint64(n)))
	c := &corpus.Corpus{Words: words, Starts: []int64{0}}
	z := make([]uint16, n)
	for i := range n {
		z[i] = uint16(r.IntN(topics))
		c.Tokens = append(c.Tokens, int32((r.IntN(words)*r.IntN(words)/words+3*int(z[i]))%words))
	}
	for len(c.Starts) < n/20 {
		c.Starts = append(c.Starts, min(c.Starts[len(c.Starts)-1]+int64(r.IntN(40)), int64(n)))
	}
	c.Starts = append(c.Starts, int64(n))
	m, err := New(c, Settings{Alpha: Symmetric(1, topics), Beta: 0.1, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	f := m.Fitted()
	if err := m.SetTopics(z); err != nil {
		t.Fatal(err)
	}
	if err := f.Add(m); err != nil {
		t.Fatal(err)
	}
	return m, f
}

// dense is φ as the definition of Shares has it.
func dense(f *Fitted) [][]float64 {
	phi := make([][]float64, f.K())
	for k := range phi {
		none, factor := f.Shares(k)
		phi[k] = slices.Repeat([]float64{none}, f.Words)
		for w := range phi[k] {
			for _, e := range f.Counts.Word(w) {
				if int(e.Topic) == k {
					phi[k][w] += factor * float64(e.N)
				}
			}
		}
	}
	return phi
}

// What is computed from the counts that are not zero is what the definitions give from all shares.
func TestDefinitionsFromAllShares(t *testing.T) {
	m, f := mixed(t, 400, 7, 120)
	phi := dense(f)
	order := []int{3, 0, 6, 1, 2, 5}
	js := f.Rankings().Distances(order, 2)
	r := f.Rankings()
	tokens := 0.0
	for w := range f.Words {
		tokens += float64(r.Total(int32(w)))
	}
	diagnosis := f.Rankings().Diagnose(m, 10)
	for k, p := range phi {
		near := func(what string, got, want float64) {
			t.Helper()
			if !(math.Abs(got-want) < 1e-12*max(1, math.Abs(want))) {
				t.Errorf("topic %d: %s %v, not %v", k, what, got, want)
			}
		}
		for j, q := range phi {
			sum := 0.0
			for w := range p {
				m := (p[w] + q[w]) / 2
				sum += p[w]*math.Log(p[w]/m)/2 + q[w]*math.Log(q[w]/m)/2
			}
			if a, b := slices.Index(order, j), slices.Index(order, k); a >= 0 && b >= 0 {
				near("distance", js.At(a, b), sum)
			}
		}
		for _, lambda := range []float64{0, 0.3, 1} {
			relevance := func(w int) float64 {
				return lambda*math.Log(p[w]) + (1-lambda)*math.Log(p[w]/(float64(r.Total(int32(w)))/tokens))
			}
			var all []int
			for w := range p {
				if slices.ContainsFunc(f.Counts.Word(w), func(e Count) bool { return int(e.Topic) == k }) {
					all = append(all, w)
				}
			}
			slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(relevance(b), relevance(a)) })
			for i, got := range r.Relevant(k, 10, lambda) {
				near("relevance", relevance(int(got.Word)), relevance(all[i]))
			}
		}
		exclusive, squares := 0.0, 0.0
		top := r.Relevant(k, 10, 1)
		for _, x := range top {
			column := 0.0
			for _, q := range phi {
				column += q[x.Word]
			}
			exclusive += p[x.Word] / column / float64(len(top))
		}
		for _, x := range p {
			squares += x * x
		}
		near("exclusivity", diagnosis[k].Exclusivity, exclusive)
		near("effective words", diagnosis[k].EffectiveWords, 1/squares)
	}
	saliency := func(w int32) (s float64) {
		for _, e := range f.Counts.Word(int(w)) {
			pk := float64(e.N) / float64(r.Total(w))
			s += pk * math.Log(pk/(float64(f.Counts.Totals[e.Topic])/tokens))
		}
		return s * float64(r.Total(w)) / tokens
	}
	for i, x := range r.Salient(f.Words)[1:] {
		if before := r.Salient(f.Words)[i]; saliency(x.Word) > saliency(before.Word)+1e-12 {
			t.Errorf("%v is before %v", before, x)
		}
	}
}

// Several lambdas give the words of each.
func TestRelevantAtSeveral(t *testing.T) {
	_, f := mixed(t, 400, 7, 120)
	r := f.Rankings()
	got := r.Relevant(2, 5, 1, 0.5, 0)
	if !slices.Equal(got[:5], r.Relevant(2, 5, 1)) {
		t.Errorf("%v does not begin with the words of the first", got)
	}
	for _, lambda := range []float64{1, 0.5, 0} {
		for _, x := range r.Relevant(2, 5, lambda) {
			if !slices.Contains(got, x) {
				t.Errorf("%v is not in %v", x, got)
			}
		}
	}
	if len(got) < 7 || r.Relevant(2, 0, 1) != nil {
		t.Errorf("%v", got)
	}
}

// Threads share no divergence.
func TestDistancesOnThreads(t *testing.T) {
	_, f := mixed(t, 3000, 40, 120)
	all := make([]int, 40)
	for k := range all {
		all[k] = k
	}
	if r := f.Rankings(); !mat.Equal(r.Distances(all, 4), r.Distances(all, 1)) {
		t.Error("four threads find other distances than one")
	}
}

// Points of a plane come back with the distances that they have.
func TestPrincipalCoordinates(t *testing.T) {
	points := [][2]float64{{0, 0}, {3, 1}, {-2, 5}, {4, 4}, {1, -6}}
	d := mat.NewSymDense(5, nil)
	for i, p := range points {
		for j, q := range points {
			d.SetSym(i, j, math.Hypot(p[0]-q[0], p[1]-q[1]))
		}
	}
	x, y := PrincipalCoordinates(d)
	for i := range points {
		for j := range points {
			if got := math.Hypot(x[i]-x[j], y[i]-y[j]); math.Abs(got-d.At(i, j)) > 1e-12 {
				t.Errorf("%d and %d are %v apart, not %v", i, j, got, d.At(i, j))
			}
		}
	}
	if x, y := PrincipalCoordinates(mat.NewSymDense(1, nil)); x[0] != 0 || y[0] != 0 {
		t.Errorf("one point is at %v, %v", x, y)
	}
	if x, y := PrincipalCoordinates(mat.NewSymDense(2, []float64{0, 6, 6, 0})); math.Abs(math.Abs(x[0]-x[1])-6) > 1e-12 || y[0] != 0 || y[1] != 0 {
		t.Errorf("two points are at %v, %v", x, y)
	}
}

func TestRankOneDocuments(t *testing.T) {
	c := &corpus.Corpus{Words: 1, Starts: []int64{0, 3, 3, 7, 9}, Tokens: make([]int32, 9)}
	m, err := New(c, Settings{Alpha: Symmetric(1, 4), Beta: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.SetTopics([]uint16{2, 1, 2, 3, 1, 3, 1, 3, 3}); err != nil {
		t.Fatal(err)
	}
	if got := m.rankOneDocuments(); !slices.Equal(got, []int{0, 1, 1, 1}) {
		t.Errorf("%v; want one each of 2, 3 and, where it is before 4, 2", got)
	}
}

// BenchmarkReports is what a run's end costs on a collection with a thousand topics.
func BenchmarkReports(b *testing.B) {
	c := sharedCorpus(b, "20news")
	m, err := New(c, Settings{Alpha: Symmetric(50, 1000), Beta: 0.01, Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	s, err := NewSampler("warp", m, Options{Threads: 2})
	if err != nil {
		b.Fatal(err)
	}
	for range 100 {
		s.Sweep()
	}
	f := m.Fitted()
	all := make([]int, f.K())
	for k := range all {
		all[k] = k
	}
	b.Run("diagnose", func(b *testing.B) {
		for b.Loop() {
			f.Rankings().Diagnose(m, 10)
		}
	})
	b.Run("distances", func(b *testing.B) {
		for b.Loop() {
			f.Rankings().Distances(all, 1)
		}
	})
	d := f.Rankings().Distances(all, 2)
	b.Run("coordinates", func(b *testing.B) {
		for b.Loop() {
			PrincipalCoordinates(d)
		}
	})
	grid := make([]float64, 101)
	for i := range grid {
		grid[i] = float64(i) / 100
	}
	b.Run("relevant", func(b *testing.B) {
		n := 0
		for b.Loop() {
			n = 0
			r := f.Rankings()
			for k := range f.K() {
				n += len(r.Relevant(k, 30, grid...))
			}
		}
		b.ReportMetric(float64(n)/1000, "words/topic")
	})
}
