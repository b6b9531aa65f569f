package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/runner"
	"github.com/ergodic-mcmc/ergodic/rng"
	"github.com/ergodic-mcmc/ergodic/text"
	"github.com/ergodic-mcmc/ergodic/text/ngram"
)

var _ text.Whole = (*Model)(nil)

// bigrams is a model of a few sentences.
func bigrams(t testing.TB) *ngram.Model {
	t.Helper()
	x := ngram.NewText()
	if err := x.Read(t.Context(), strings.NewReader("the cat sat\nthe dog sat\nthe cat ran\n"), "x"); err != nil {
		t.Fatal(err)
	}
	m, err := ngram.Train(t.Context(), x, ngram.Settings{Order: 2})
	if err != nil {
		t.Fatal(err)
	}
	return m.Model
}

func serve(t testing.TB, h http.Handler) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// A model that is served is the model.
func TestServed(t *testing.T) {
	own := bigrams(t)
	var requests atomic.Int32
	h := Handler(own)
	m, err := Open(t.Context(), serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		h.ServeHTTP(w, r)
	}))+"/", Settings{Batch: 10})
	if err != nil {
		t.Fatal(err)
	}
	if m.Size() != own.Size() || m.Begin() != own.Begin() || m.End() != own.End() || m.Unknown() != own.Unknown() || m.Order() != 2 {
		t.Errorf("%+v", m.about)
	}
	for w := range int32(m.Size()) {
		if n, ok := m.Number(m.Word(w)); !ok || n != w || m.Word(w) != own.Word(w) {
			t.Errorf("word %d is %s", w, m.Word(w))
		}
		if got, want := m.LogProb([]int32{1, 3}, w), own.LogProb([]int32{1, 3}, w); got != want {
			t.Errorf("log p(%d) = %v, not %v", w, got, want)
		}
	}
	if _, ok := m.Number("zebra"); ok {
		t.Error("zebra is a word")
	}
	requests.Store(0)
	var queries []Query
	for k := range int32(25) {
		queries = append(queries, Query{Text: []int32{1, 3 + k%4, 4, 2}, From: 1 + int(k)%3})
	}
	got, err := m.Ask(t.Context(), queries)
	if err != nil || requests.Load() != 3 {
		t.Fatalf("%d requests, %v", requests.Load(), err)
	}
	for k, q := range queries {
		for i := q.From; i < len(q.Text); i++ {
			if want := own.LogProb(q.Text[:i], q.Text[i]); got[k][i-q.From] != want {
				t.Errorf("query %d: %v, not %v", k, got[k], want)
			}
		}
	}
}

// plainly hides what else a model can do.
type plainly struct{ text.Model }

// Sentences drawn from a model on a server are those drawn from the model itself, with a request or two a step.
func TestSentencesFromAServer(t *testing.T) {
	own := plainly{bigrams(t)}
	var requests atomic.Int32
	h := Handler(own)
	there, err := Open(t.Context(), serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		h.ServeHTTP(w, r)
	})), Settings{})
	if err != nil {
		t.Fatal(err)
	}
	const steps = 300
	draw := func(m text.Model) string {
		target, err := text.NewTarget(m, 1, 5)
		if err != nil {
			t.Fatal(err)
		}
		lists, err := text.NewLists(m, 0)
		if err != nil {
			t.Fatal(err)
		}
		walk, err := text.NewWalk(target, lists, text.Hints{}, text.Moves{Replace: 1, Insert: 1, Delete: 1, Swap: 1, Shift: 1, Gibbs: 0.1})
		if err != nil {
			t.Fatal(err)
		}
		requests.Store(0)
		s, r := target.NewSentence([]int32{3, 4, 5}), rng.New(1, "remote").Rand
		var all strings.Builder
		for range steps {
			walk.Step(s, r)
			fmt.Fprintln(&all, s.Words(), s.Score())
		}
		return all.String()
	}
	if draw(own) != draw(there) {
		t.Error("other sentences")
	}
	if n := requests.Load(); n < steps/2 || n > 30*steps {
		t.Errorf("%d requests in %d steps", n, steps)
	} else {
		t.Logf("%d requests in %d steps", n, steps)
	}
}

// canned answers each request with a status and a text.
func canned(model, probs string, status int) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/model", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, model) })
	mux.HandleFunc("/log-probs", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		fmt.Fprint(w, probs)
	})
	return mux
}

const words = `{"words": ["<s>", "</s>", "a"], "begin": 0, "end": 1, "unknown": null, "order": 0}`

func TestWrongAnswers(t *testing.T) {
	for answer, says := range map[string]string{
		"":                      "no description of a model",
		"[]":                    "no description",
		`{"words": ["a", "b"]}`: "the vocabulary has 2 words",
		strings.Replace(words, `"end": 1`, `"end": 0`, 1):      "begin is 0 and end 0",
		strings.Replace(words, `"end": 1`, `"end": 3`, 1):      "begin is 0 and end 3",
		strings.Replace(words, `null`, `1`, 1):                 "unknown is 1",
		strings.Replace(words, `"order": 0`, `"order": -1`, 1): "order is -1",
		strings.Replace(words, `"a"`, `"<s>"`, 1):              `word 2, "<s>", is empty or there twice`,
	} {
		url := serve(t, canned(answer, "", 200))
		if _, err := Open(t.Context(), url, Settings{}); err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), url) {
			t.Errorf("%s: %v", answer, err)
		}
	}
	for _, c := range []struct {
		answer string
		status int
		says   string
	}{
		{"out of\nmemory", 500, `it answers 500 Internal Server Error: "out of\nmemory"`},
		{"", 200, "no list of log probabilities"},
		{`{"log_probs": []}`, 200, "0 queries are answered, of 1"},
		{`{"log_probs": [[-1]]}`, 200, "asks for 2 numbers, and the answer has 1"},
		{`{"log_probs": [[-1, 0.5]]}`, 200, "0.5 is no logarithm of a probability"},
		{`{"log_probs": [[-1, "NaN"]]}`, 200, "no list"},
		{`{"log_probs": [[-1, -1]]}` + strings.Repeat(" ", 5000), 200, "longer than"},
	} {
		m, err := Open(t.Context(), serve(t, canned(words, c.answer, c.status)), Settings{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Ask(t.Context(), []Query{{Text: []int32{0, 2, 1}, From: 1}}); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.answer, err)
		}
		func() {
			defer func() {
				if f, ok := recover().(runner.Failure); !ok || f.Err == nil {
					t.Errorf("%s: LogProbs does not fail", c.answer)
				}
			}()
			m.LogProbs([]int32{0, 2, 1}, 1, make([]float64, 2))
		}()
	}
	m, err := Open(t.Context(), serve(t, canned(words, `{"log_probs": [[null, 1e-9]]}`, 200)), Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := m.Ask(t.Context(), []Query{{Text: []int32{0, 2, 1}, From: 1}}); err != nil || !math.IsInf(got[0][0], -1) || got[0][1] != 0 || m.Unknown() != -1 {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := m.Ask(t.Context(), []Query{{From: 1}}); err == nil {
		t.Error("a query beyond its text")
	}
}

func TestAddresses(t *testing.T) {
	for _, address := range []string{"", "lm.arpa", "ftp://x", "http://", "http://127.0.0.1:1"} {
		if _, err := Open(t.Context(), address, Settings{}); err == nil || !strings.Contains(err.Error(), address) {
			t.Errorf("%q: %v", address, err)
		}
	}
	for _, set := range []Settings{{Timeout: -1}, {Batch: -1}, {Retries: -1}, {Retries: 100}} {
		if _, err := Open(t.Context(), "http://x", set); err == nil || !strings.Contains(err.Error(), "must") {
			t.Errorf("%+v: %v", set, err)
		}
	}
}

// A server that is busy is asked again, one that is wrong is not, and one that hangs is left.
func TestRetriesAndTime(t *testing.T) {
	var asked atomic.Int32
	busy := func(status int) http.Handler {
		asked.Store(0)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if asked.Add(1) == 1 {
				w.WriteHeader(status)
				return
			}
			fmt.Fprint(w, words)
		})
	}
	if _, err := Open(t.Context(), serve(t, busy(503)), Settings{Retries: 1}); err != nil || asked.Load() != 2 {
		t.Errorf("%d requests, %v", asked.Load(), err)
	}
	if _, err := Open(t.Context(), serve(t, busy(400)), Settings{Retries: 1}); err == nil || asked.Load() != 1 {
		t.Errorf("%d requests, %v", asked.Load(), err)
	}
	hangs := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-time.After(10 * time.Second):
		}
	})
	if _, err := Open(t.Context(), serve(t, hangs), Settings{Timeout: 20 * time.Millisecond}); err == nil || !strings.Contains(err.Error(), "not answered within 20ms") {
		t.Error(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := Open(ctx, serve(t, hangs), Settings{Retries: 3}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// What others ask is answered with what is wrong.
func TestWrongQuestions(t *testing.T) {
	url := serve(t, Handler(bigrams(t)))
	for body, says := range map[string]string{
		"": "no list of queries",
		`{"queries": [{"text": [1], "from": 2}]}`:  "from is 2",
		`{"queries": [{"text": [99], "from": 0}]}`: "99 is no word",
	} {
		r, err := http.Post(url+"/log-probs", "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		_, err = b.ReadFrom(r.Body)
		r.Body.Close()
		if err != nil || r.StatusCode != 400 || !strings.Contains(b.String(), says) {
			t.Errorf("%s: %s %s", body, r.Status, b.String())
		}
	}
}

// Whatever a server answers is an error or as many numbers as were asked for, none above 0.
func FuzzAnswers(f *testing.F) {
	f.Add([]byte(`{"log_probs": [[-1, null], [0]]}`))
	f.Add([]byte(`{"log_probs": [[1e999]]}`))
	f.Add([]byte(words))
	f.Fuzz(func(t *testing.T, b []byte) {
		queries := []Query{{Text: []int32{0, 2, 1}, From: 1}, {Text: []int32{0}, From: 0}}
		got, err := parse(b, queries)
		if err == nil {
			for k := range queries {
				for _, x := range got[k] {
					if !(x <= 0) || len(got[k]) != queries[k].terms() {
						t.Fatalf("%v", got)
					}
				}
			}
		}
		m := &Model{}
		if m.describe(b) == nil && (m.Size() < 3 || m.Word(m.Begin()) == m.Word(m.End())) {
			t.Fatal("no vocabulary")
		}
		var q questions
		if json.Unmarshal(b, &q) == nil {
			for k := range q.Queries {
				_, _ = score(three{}, &q.Queries[k])
			}
		}
	})
}

// three is a model of three words that are equally likely.
type three struct{}

func (three) Size() int                          { return 3 }
func (three) Word(w int32) string                { return []string{"<s>", "</s>", "a"}[w] }
func (three) Number(string) (int32, bool)        { return 0, false }
func (three) Begin() int32                       { return 0 }
func (three) End() int32                         { return 1 }
func (three) Unknown() int32                     { return -1 }
func (three) Order() int                         { return 1 }
func (three) LogProb(_ []int32, w int32) float64 { return -math.Ln2 }
