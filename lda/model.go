package lda

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/streams"
	"github.com/ergodic-mcmc/ergodic/lda/corpus"
)

// MaxTopics is the greatest number of topics: a token's takes two bytes.
const MaxTopics = 1 << 16

// Settings say what a model is. Alpha and Beta are needed.
type Settings struct {
	Alpha []float64 // parameter of the documents' shares, one a topic: its length is K. Symmetric(50, K) is Griffiths and Steyvers' (2004) choice
	Beta  float64   // parameter of the topics' shares of words; 0.01 is usual
	Seed  uint64

	// Scratch is a folder for files that hold what is of two bytes a token, so that it need not fit into memory: they are
	// mapped, and gone from the folder as soon as they are made. Empty for memory.
	Scratch string
}

// Symmetric is a parameter whose K elements are alike and have this sum.
func Symmetric(sum float64, topics int) []float64 {
	alpha := make([]float64, max(topics, 0))
	for k := range alpha {
		alpha[k] = sum / float64(topics)
	}
	return alpha
}

// Model is the state of a topic model: a topic for each token of a corpus. The corpus must not change while the model lives.
// Models may share it. A model is for one goroutine at a time, to read from too: a sampler may have the topics in another order, and what reads them
// moves them or walks through them.
type Model struct {
	corpus *corpus.Corpus
	alpha  []float64
	sum    float64 // of alpha
	beta   float64
	seed   uint64
	topics []uint16     // of each token, in the order of the corpus: stale, or nil, while byWord is not
	byWord topicsByWord // has the topics in place of topics; nil: nobody
	sweeps uint64       // done

	scratch string // folder
	release func() // of topics

	owner Sampler // whose counts are those of the topics; nil: nobody's
}

// New is a model whose tokens have topics drawn uniformly. The error says what is wrong with the corpus or the settings.
func New(c *corpus.Corpus, set Settings) (*Model, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	m := &Model{corpus: c, seed: set.Seed, scratch: set.Scratch}
	if err := m.setPriors(set.Alpha, set.Beta); err != nil {
		return nil, err
	}
	var err error
	if m.topics, m.release, err = allocate(len(c.Tokens), set.Scratch); err != nil {
		return nil, err
	}
	start := streams.New(set.Seed, "lda start")
	for d := range c.Len() {
		s, u := start.Stream(uint64(d)), uint64(0)
		own := m.topics[c.Starts[d]:c.Starts[d+1]]
		for i := range own {
			u, s = s.Next()
			own[i] = uint16(streams.Below(u, len(m.alpha)))
		}
	}
	return m, nil
}

// Close gives the memory of a model with a scratch folder back. The model must not be used after.
func (m *Model) Close() {
	m.release()
	*m = Model{release: func() {}}
}

// SetPriors changes the priors, for the sweeps that follow. The number of topics must stay.
func (m *Model) SetPriors(alpha []float64, beta float64) error {
	if len(alpha) != len(m.alpha) {
		return fmt.Errorf("lda: a prior for %d topics is given to a model with %d", len(alpha), len(m.alpha))
	}
	return m.setPriors(alpha, beta)
}

func (m *Model) setPriors(alpha []float64, beta float64) error {
	sum, err := priorSum(alpha, beta)
	if err != nil {
		return err
	}
	if vb := float64(m.corpus.Words) * beta; math.IsInf(vb, 1) {
		return fmt.Errorf("lda: beta is %v; times the %d words it is no finite number", beta, m.corpus.Words)
	}
	m.alpha, m.sum, m.beta, m.owner = slices.Clone(alpha), sum, beta, nil
	return nil
}

// priorSum is the sum of alpha, or what is wrong with the priors.
func priorSum(alpha []float64, beta float64) (sum float64, err error) {
	for k, a := range alpha {
		if !(a > 0) || math.IsInf(a, 1) {
			return 0, fmt.Errorf("lda: alpha of topic %d is %v; it must be positive", k+1, a)
		}
		sum += a
	}
	switch {
	case len(alpha) == 0 || len(alpha) > MaxTopics:
		return 0, fmt.Errorf("lda: %d topics; there must be 1 to %d", len(alpha), MaxTopics)
	case math.IsInf(sum, 1):
		return 0, errors.New("lda: alpha has no finite sum")
	case !(beta > 0) || math.IsInf(beta, 1):
		return 0, fmt.Errorf("lda: beta is %v; it must be positive", beta)
	}
	return sum, nil
}

// Corpus is the corpus that the model is of.
func (m *Model) Corpus() *corpus.Corpus { return m.corpus }

// K is the number of topics.
func (m *Model) K() int { return len(m.alpha) }

// Alpha is the parameter of the documents' shares. It must not be changed.
func (m *Model) Alpha() []float64 { return m.alpha }

// Beta is the parameter of the topics' shares of words.
func (m *Model) Beta() float64 { return m.beta }

// Sweeps is the number of sweeps done.
func (m *Model) Sweeps() int { return int(m.sweeps) }

// tokens is the number of tokens.
func (m *Model) tokens() int { return len(m.corpus.Tokens) }

// Topics is the topic of each token, in the order of the corpus, until the next sweep. It must not be changed: SetTopics does.
// After a sweep of light or warp, which have another order, it takes O(tokens) and two bytes a token.
func (m *Model) Topics() []uint16 {
	m.fetch()
	return m.topics
}

// Document is the topics of the tokens of document d. What is said of Topics holds.
func (m *Model) Document(d int) []uint16 {
	m.fetch()
	return m.topics[m.corpus.Starts[d]:m.corpus.Starts[d+1]]
}

// longest is the most tokens that a document has.
func (m *Model) longest() (n int) {
	for d := range m.corpus.Len() {
		n = max(n, len(m.corpus.Document(d)))
	}
	return n
}

// SetTopics gives each token its topic.
func (m *Model) SetTopics(topics []uint16) error {
	if err := m.checkTopics(topics); err != nil {
		return err
	}
	if m.topics == nil {
		m.topics = memory.Large[uint16](m.tokens())
	}
	copy(m.topics, topics)
	m.owner, m.byWord = nil, nil
	return nil
}

func (m *Model) checkTopics(topics []uint16) error {
	if len(topics) != m.tokens() {
		return fmt.Errorf("lda: %d topics for %d tokens", len(topics), m.tokens())
	}
	for i, z := range topics {
		if int(z) >= len(m.alpha) {
			return fmt.Errorf("lda: token %d has topic %d of %d", i+1, int(z)+1, len(m.alpha))
		}
	}
	return nil
}

// MarshalBinary returns the number of sweeps and the topics: what a model with the same corpus and settings needs to go
// on, at any sweep, as if it had not been left. Priors that SetPriors changed are not in it.
func (m *Model) MarshalBinary() ([]byte, error) {
	var b bytes.Buffer
	b.Grow(16 + 2*m.tokens())
	err := m.writeState(&b)
	return b.Bytes(), err
}

// stateBlock is how many topics of a state are read at a time.
const stateBlock = 1 << 15

// writeState writes what MarshalBinary returns.
func (m *Model) writeState(w io.Writer) error {
	b := bufio.NewWriterSize(w, 1<<16)
	var z [16]byte
	binary.LittleEndian.PutUint64(z[:], m.sweeps)
	binary.LittleEndian.PutUint64(z[8:], uint64(m.tokens()))
	b.Write(z[:])
	m.eachDocument(func(_ int, topics []uint16) {
		for _, t := range topics {
			binary.LittleEndian.PutUint16(z[:], t)
			b.Write(z[:2])
		}
	})
	return b.Flush()
}

// UnmarshalBinary sets the topics and the number of sweeps to what MarshalBinary returned. On an error the model is left as
// it was.
func (m *Model) UnmarshalBinary(b []byte) error { return m.readState(bytes.NewReader(b)) }

// readState reads what writeState wrote, to the end.
func (m *Model) readState(r io.Reader) error {
	other := fmt.Errorf("lda: these bytes are not the state of a model with %d tokens; pass what MarshalBinary returned", m.tokens())
	var head [16]byte
	if _, err := io.ReadFull(r, head[:]); err != nil || binary.LittleEndian.Uint64(head[8:]) != uint64(m.tokens()) {
		return other
	}
	sweeps, topics := binary.LittleEndian.Uint64(head[:]), make([]uint16, m.tokens())
	b := make([]byte, 2*min(stateBlock, m.tokens()))
	for part := range slices.Chunk(topics, stateBlock) {
		if _, err := io.ReadFull(r, b[:2*len(part)]); err != nil {
			return other
		}
		for i := range part {
			part[i] = binary.LittleEndian.Uint16(b[2*i:])
		}
	}
	if n, _ := r.Read(head[:1]); n > 0 {
		return other
	}
	if err := m.checkTopics(topics); err != nil {
		return err
	}
	m.topics, m.byWord, m.owner, m.sweeps = topics, nil, nil, sweeps
	return nil
}
