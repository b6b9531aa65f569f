package lda

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ergodic-mcmc/ergodic/internal/fanout"
)

// Distances gives the Jensen–Shannon divergence of the shares of words of every two of n topics, in nats,
//
//	JS(φ_j, φ_k) = ½ Σ_w φ_jw log(φ_jw / m_w) + ½ Σ_w φ_kw log(φ_kw / m_w),   m = (φ_j + φ_k) / 2,
//
// from 0 to log 2. It takes O(n²·(different counts of a topic) + Σ_w K_w²) time, for words that K_w topics have, and 8 n² bytes.
func (r *Rankings) Distances(topics []int, threads int) *mat.SymDense {
	if len(topics) == 0 {
		return &mat.SymDense{}
	}
	d := mat.NewSymDense(len(topics), nil)
	l := r.levels(topics)
	// A task writes the row of its topic, and no other.
	fanout.Each(threads, len(topics), func() *divergences { return newDivergences(l) }, func(v *divergences, j int) {
		for k, js := range v.from(j) {
			if k > j {
				d.SetSym(j, k, js)
			}
		}
	})
	return d
}

// levels are the different counts that words have in a topic, 0 first: there are few of them, and words of one count have one share.
type levels struct {
	*Rankings
	list   []int // the topics
	place  []int // of each topic in the list, −1 for others
	topics []topicLevels
	of     []int32 // level of each entry of Counts
}

type topicLevels struct {
	share []float64 // φ of a word at each level
	words []float64 // how many there are
	self  float64   // Σ_w φ log φ
}

func (r *Rankings) levels(topics []int) *levels {
	f := r.Fitted
	l := &levels{Rankings: r, list: topics, place: slices.Repeat([]int{-1}, f.K()), topics: make([]topicLevels, len(topics)),
		of: make([]int32, len(f.Counts.Entries))}
	known := make([]map[uint32]int32, len(topics))
	for i, k := range topics {
		none, _ := f.Shares(k)
		l.place[k], known[i] = i, map[uint32]int32{}
		l.topics[i] = topicLevels{share: []float64{none}, words: []float64{float64(f.Words - (r.starts[k+1] - r.starts[k]))}}
	}
	for i, e := range f.Counts.Entries {
		k := l.place[e.Topic]
		if k < 0 {
			continue
		}
		t := &l.topics[k]
		at, there := known[k][e.N]
		if !there {
			none, factor := f.Shares(int(e.Topic))
			at = int32(len(t.share))
			known[k][e.N] = at
			t.share, t.words = append(t.share, none+float64(factor*float64(e.N))), append(t.words, 0)
		}
		t.words[at]++
		l.of[i] = at
	}
	for k := range l.topics {
		t := &l.topics[k]
		for i, x := range t.share {
			t.self += float64(t.words[i] * xlogx(x))
		}
	}
	return l
}

func xlogx(x float64) float64 { return float64(x * math.Log(x)) }

// divergences are those from one topic.
type divergences struct {
	*levels
	here, there [][]float64 // for each other topic k: m log m of words at the levels of this one that k has not, and the other way round
	js          []float64
}

func newDivergences(l *levels) *divergences {
	n := len(l.topics)
	return &divergences{l, make([][]float64, n), make([][]float64, n), make([]float64, n)}
}

// from gives the divergences of the topics after j from it. Σ_w m log m is first that of two topics without a word in common,
// and then mended for those that they have.
func (v *divergences) from(j int) []float64 {
	this := &v.topics[j]
	for k := j + 1; k < len(v.topics); k++ {
		other := &v.topics[k]
		v.here[k] = middles(v.here[k], this.share, other.share[0])
		v.there[k] = middles(v.there[k], other.share, this.share[0])
		sum := float64((this.words[0] + other.words[0] - float64(v.Words)) * v.here[k][0])
		for i, n := range this.words[1:] {
			sum += float64(n * v.here[k][i+1])
		}
		for i, n := range other.words[1:] {
			sum += float64(n * v.there[k][i+1])
		}
		v.js[k] = float64((this.self+other.self)/2) - sum
	}
	topic := v.list[j]
	for _, w := range v.words[v.starts[topic]:v.starts[topic+1]] {
		first := v.Counts.Starts[w]
		row := v.Counts.Word(int(w))
		a := v.of[first+int64(entryOf(row, topic))]
		for i, e := range row {
			if k := v.place[e.Topic]; k > j {
				b := v.of[first+int64(i)]
				v.js[k] -= xlogx((this.share[a]+v.topics[k].share[b])/2) - v.here[k][a] - v.there[k][b] + v.here[k][0]
			}
		}
	}
	for k := j + 1; k < len(v.js); k++ {
		v.js[k] = max(v.js[k], 0)
	}
	return v.js
}

// middles are m log m for m halfway between each of the shares and none.
func middles(to, shares []float64, none float64) []float64 {
	to = to[:0]
	for _, s := range shares {
		to = append(to, xlogx((s+none)/2))
	}
	return to
}

// PrincipalCoordinates places points in a plane so that their distances are near those given: classical multidimensional
// scaling (Torgerson, 1952; Gower, 1966). The columns x and y are the first two eigenvectors of −½ J D² J, J = I − 11ᵀ/n, each times the root of its
// eigenvalue, 0 where that is not positive; in each the number that is farthest from 0 is positive.
func PrincipalCoordinates(distances mat.Symmetric) (x, y []float64) {
	if distances.SymmetricDim() == 0 {
		return nil, nil
	}
	b := mat.NewSymDense(distances.SymmetricDim(), nil)
	b.CopySym(distances)
	return principalCoordinates(b)
}

// Coordinates is PrincipalCoordinates of the Distances, in the memory of these.
func (r *Rankings) Coordinates(topics []int, threads int) (x, y []float64) {
	if len(topics) == 0 {
		return nil, nil
	}
	return principalCoordinates(r.Distances(topics, threads))
}

// principalCoordinates overwrites the distances.
func principalCoordinates(b *mat.SymDense) (x, y []float64) {
	n := b.SymmetricDim()
	means, mean := make([]float64, n), 0.0
	for i := range n {
		for j := range n {
			means[i] += b.At(i, j) * b.At(i, j) / float64(n)
		}
		mean += means[i] / float64(n)
	}
	for i := range n {
		for j := i; j < n; j++ {
			b.SetSym(i, j, -(float64(b.At(i, j)*b.At(i, j))-means[i]-means[j]+mean)/2)
		}
	}
	values, vectors, ok := leadingPair(b)
	axis := func(of int) []float64 {
		a := make([]float64, n)
		if !ok || values[of] <= 1e-12*values[0] {
			return a
		}
		mat.Col(a, of, vectors)
		far := slices.MaxFunc(a, func(x, y float64) int { return cmp.Compare(math.Abs(x), math.Abs(y)) })
		for i := range a {
			a[i] *= math.Copysign(math.Sqrt(values[of]), far)
		}
		return a
	}
	return axis(0), axis(1)
}
