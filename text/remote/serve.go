package remote

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"

	"github.com/ergodic-mcmc/ergodic/text"
)

// mostAsked is the most bytes of a request that Handler reads.
const mostAsked = 16 << 20

// Handler serves a model by the package's protocol.
func Handler(m text.Model) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+modelPath, func(w http.ResponseWriter, _ *http.Request) { answer(w, describe(m)) })
	mux.HandleFunc("POST "+logProbsPath, func(w http.ResponseWriter, r *http.Request) {
		var asked questions
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, mostAsked)).Decode(&asked); err != nil {
			http.Error(w, "the request is no list of queries: "+err.Error(), http.StatusBadRequest)
			return
		}
		var a answers
		for k := range asked.Queries {
			row, err := score(m, &asked.Queries[k])
			if err != nil {
				http.Error(w, fmt.Sprintf("query %d: %v", k, err), http.StatusBadRequest)
				return
			}
			a.LogProbs = append(a.LogProbs, row)
		}
		answer(w, a)
	})
	return mux
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // who has gone reads nothing
}

func describe(m text.Model) description {
	d := description{Begin: m.Begin(), End: m.End(), Order: m.Order()}
	if u := m.Unknown(); u >= 0 {
		d.Unknown = &u
	}
	for w := range int32(m.Size()) {
		d.Words = append(d.Words, m.Word(w))
	}
	return d
}

// score answers a query.
func score(m text.Model, q *Query) ([]*float64, error) {
	if q.From < 0 || q.From > len(q.Text) {
		return nil, fmt.Errorf("from is %d, and the text has %d words", q.From, len(q.Text))
	}
	for _, w := range q.Text {
		if w < 0 || int(w) >= m.Size() {
			return nil, fmt.Errorf("%d is no word: they are from 0 to %d", w, m.Size()-1)
		}
	}
	row := make([]*float64, 0, q.terms())
	for i := q.From; i < len(q.Text); i++ {
		x := m.LogProb(q.Text[:i], q.Text[i])
		if math.IsInf(x, -1) {
			row = append(row, nil)
			continue
		}
		row = append(row, &x)
	}
	return row, nil
}
