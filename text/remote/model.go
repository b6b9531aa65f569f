package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/runner"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Settings say how the server is asked. The zero value works.
type Settings struct {
	Timeout time.Duration // of a request; 0: 30 s
	Batch   int           // most queries in a request; 0: 64
	Retries int           // of a request that does not get through or that the server puts off (429, 502, 503, 504), after ¼ s, ½ s, 1 s, …
	Header  http.Header   // of each request, for what a server wants to know of its users
	Client  *http.Client  // nil: http.DefaultClient
}

// Model is a language model on a server. It may be used by several goroutines.
type Model struct {
	ctx     context.Context // ends all requests: LogProb has none of its own
	url     string
	set     Settings
	words   []string
	numbers map[string]int32
	about   description
}

const (
	mostWords  = 1 << 24
	mostHead   = 1 << 30 // bytes of a description
	perNumber  = 40      // bytes of an answer, white space among them
	mostRetry  = 10
	roundingUp = 1e-6 // by which a sum of float32 may be above 0
)

// Open asks the server for its vocabulary. All requests of the model end with ctx.
func Open(ctx context.Context, address string, set Settings) (*Model, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("%s is no address of a model; it begins with http:// or https://", wording.Quote(address))
	}
	if set.Timeout < 0 || set.Batch < 0 || set.Retries < 0 || set.Retries > mostRetry {
		return nil, fmt.Errorf("remote: a time of %v, %d queries in a request, %d retries: the first two must not be below 0, the last be from 0 to %d", set.Timeout, set.Batch, set.Retries, mostRetry)
	}
	if set.Timeout == 0 {
		set.Timeout = 30 * time.Second
	}
	if set.Batch == 0 {
		set.Batch = 64
	}
	if set.Client == nil {
		set.Client = http.DefaultClient
	}
	m := &Model{ctx: ctx, url: strings.TrimSuffix(address, "/"), set: set}
	b, err := m.request(ctx, http.MethodGet, modelPath, nil, mostHead)
	if err != nil {
		return nil, err
	}
	if err := m.describe(b); err != nil {
		return nil, m.fault(modelPath, err)
	}
	return m, nil
}

// describe takes the server's description.
func (m *Model) describe(b []byte) error {
	if err := json.Unmarshal(b, &m.about); err != nil {
		return fmt.Errorf("the answer is no description of a model: %w", err)
	}
	d := &m.about
	n := len(d.Words)
	if err := memory.Room(memory.Product(n, 80)); err != nil {
		return fmt.Errorf("the vocabulary does not fit: %w", err)
	}
	outside := func(w int32) bool { return w < 0 || int(w) >= n }
	switch {
	case n < 3 || n > mostWords:
		return fmt.Errorf("the vocabulary has %s; it must have 3 to %d", wording.Count(n, "word", "words"), mostWords)
	case outside(d.Begin) || outside(d.End) || d.Begin == d.End:
		return fmt.Errorf("begin is %d and end %d: they must be two words, from 0 to %d", d.Begin, d.End, n-1)
	case d.Unknown != nil && (outside(*d.Unknown) || *d.Unknown == d.Begin || *d.Unknown == d.End):
		return fmt.Errorf("unknown is %d: it must be null or a word other than begin and end, from 0 to %d", *d.Unknown, n-1)
	case d.Order < 0:
		return fmt.Errorf("order is %d: it must be 0 or more", d.Order)
	}
	m.words, m.numbers = d.Words, make(map[string]int32, n)
	for k, w := range d.Words {
		if _, twice := m.numbers[w]; twice || w == "" {
			return fmt.Errorf("word %d, %s, is empty or there twice", k, wording.Quote(w))
		}
		m.numbers[w] = int32(k)
	}
	return nil
}

// Size is the number of words.
func (m *Model) Size() int { return len(m.words) }

// Word spells a word.
func (m *Model) Word(number int32) string { return m.words[number] }

// Number finds a word.
func (m *Model) Number(word string) (number int32, ok bool) {
	number, ok = m.numbers[word]
	return number, ok
}

// Begin stands before each sentence.
func (m *Model) Begin() int32 { return m.about.Begin }

// End ends each sentence.
func (m *Model) End() int32 { return m.about.End }

// Unknown stands for words that are not in the vocabulary; −1 where nothing does.
func (m *Model) Unknown() int32 {
	if m.about.Unknown == nil {
		return -1
	}
	return *m.about.Unknown
}

// Order is the length of the longest dependence, 0 for all words.
func (m *Model) Order() int { return m.about.Order }

// LogProb asks for one word. Where the server does not answer it panics with a [runner.Failure], which ends a run with that error;
// other callers ask by [Model.Ask].
func (m *Model) LogProb(context []int32, word int32) float64 {
	var out [1]float64
	text := append(append(make([]int32, 0, len(context)+1), context...), word)
	m.LogProbs(text, len(context), out[:])
	return out[0]
}

// LogProbs asks in one request for the words of text from number from on, each given those before it. It panics as LogProb does.
func (m *Model) LogProbs(text []int32, from int, out []float64) {
	got, err := m.Ask(m.ctx, []Query{{Text: text, From: from}})
	if err != nil {
		panic(runner.Failure{Err: err})
	}
	copy(out, got[0])
}

// Ask answers queries, in as few requests as Settings.Batch allows.
func (m *Model) Ask(ctx context.Context, queries []Query) ([][]float64, error) {
	all := make([][]float64, 0, len(queries))
	for len(queries) > 0 {
		n := min(len(queries), m.set.Batch)
		got, err := m.batch(ctx, queries[:n])
		if err != nil {
			return nil, err
		}
		all = append(all, got...)
		queries = queries[n:]
	}
	return all, nil
}

func (m *Model) batch(ctx context.Context, queries []Query) ([][]float64, error) {
	terms := 0
	for k := range queries {
		if q := &queries[k]; q.From < 0 || q.From > len(q.Text) {
			return nil, fmt.Errorf("remote: a query of %s from number %d on", wording.Count(len(q.Text), "word", "words"), q.From)
		}
		terms += queries[k].terms()
	}
	body, err := json.Marshal(questions{queries})
	if err != nil {
		return nil, err
	}
	b, err := m.request(ctx, http.MethodPost, logProbsPath, body, int64(1024+perNumber*(terms+len(queries))))
	if err != nil {
		return nil, err
	}
	got, err := parse(b, queries)
	if err != nil {
		return nil, m.fault(logProbsPath, err)
	}
	return got, nil
}

// parse reads the answers to queries.
func parse(b []byte, queries []Query) ([][]float64, error) {
	var a answers
	if err := json.Unmarshal(b, &a); err != nil {
		return nil, fmt.Errorf("the answer is no list of log probabilities: %w", err)
	}
	if len(a.LogProbs) != len(queries) {
		return nil, fmt.Errorf("%s answered, of %d", wording.Count(len(a.LogProbs), "query is", "queries are"), len(queries))
	}
	out := make([][]float64, len(queries))
	for k, row := range a.LogProbs {
		if want := queries[k].terms(); len(row) != want {
			return nil, fmt.Errorf("query %d asks for %s, and the answer has %d", k, wording.Count(want, "number", "numbers"), len(row))
		}
		out[k] = make([]float64, len(row))
		for i, x := range row {
			switch {
			case x == nil:
				out[k][i] = math.Inf(-1)
			case *x > roundingUp:
				return nil, fmt.Errorf("query %d: %v is no logarithm of a probability: it is above 0", k, *x)
			default:
				out[k][i] = min(*x, 0)
			}
		}
	}
	return out, nil
}

// fault is an error with the address.
func (m *Model) fault(path string, err error) error {
	return fmt.Errorf("the model at %s: %w", wording.Brief(m.url+path), err)
}

// request makes a request, again where it may be worth it, and gives the answer, of so many bytes at most.
func (m *Model) request(ctx context.Context, method, path string, body []byte, most int64) ([]byte, error) {
	wait := 250 * time.Millisecond
	for retry := 0; ; retry++ {
		b, again, err := m.once(ctx, method, path, body, most)
		if err == nil {
			return b, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !again || retry == m.set.Retries {
			return nil, m.fault(path, err)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(wait):
		}
		wait *= 2
	}
}

// once makes a request. again tells whether another may fare better.
func (m *Model) once(ctx context.Context, method, path string, body []byte, most int64) (b []byte, again bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, m.set.Timeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, m.url+path, bytes.NewReader(body))
	if err != nil {
		return nil, false, err
	}
	for k, v := range m.set.Header {
		r.Header[k] = v
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	got, err := m.set.Client.Do(r)
	if err != nil {
		return nil, true, m.late(ctx, err)
	}
	defer got.Body.Close()
	if got.StatusCode != http.StatusOK {
		said, _ := io.ReadAll(io.LimitReader(got.Body, 1024))
		again = got.StatusCode == http.StatusTooManyRequests || got.StatusCode >= http.StatusBadGateway && got.StatusCode <= http.StatusGatewayTimeout
		return nil, again, fmt.Errorf("it answers %s: %s", wording.Brief(got.Status), wording.Quote(bytes.TrimSpace(said)))
	}
	b, err = m.body(got.Body, most)
	if err != nil {
		return nil, false, m.late(ctx, err)
	}
	return b, false, nil
}

// body reads an answer.
func (m *Model) body(from io.Reader, most int64) ([]byte, error) {
	var b bytes.Buffer
	for {
		if err := memory.Room(2 * float64(b.Len())); err != nil {
			return nil, err
		}
		_, err := io.CopyN(&b, from, 1<<20)
		switch {
		case int64(b.Len()) > most:
			return nil, fmt.Errorf("the answer is longer than the %s that it can have", wording.Bytes(float64(most)))
		case errors.Is(err, io.EOF):
			return b.Bytes(), nil
		case err != nil:
			return nil, err
		}
	}
}

// late says that time is up where it is.
func (m *Model) late(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("it has not answered within %v", m.set.Timeout)
	}
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err // without the address, which the message has already
	}
	return err
}
