package ldareport

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"html/template"
	"io"
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/lda"
)

//go:embed page
var pageFiles embed.FS

// page is what the page of the topics draws. It has no times: equal runs have equal pages.
type page struct {
	Documents  int           `json:"documents"`
	Tokens     int           `json:"tokens"`
	Vocabulary int           `json:"vocabulary"`
	Topics     int           `json:"topics"`
	Sampler    string        `json:"sampler"`
	Sweeps     int           `json:"sweeps"`
	Beta       float64       `json:"beta"`
	Coherence  *Coherence    `json:"coherence"`
	Trace      [][2]float64  `json:"trace"` // sweep, log likelihood per token
	Words      []string      `json:"words"`
	Totals     []float64     `json:"totals"`  // tokens of each of the words
	Where      [][][2]int32  `json:"where"`   // of each of the words: topics that have most of it, with thousandths of its tokens
	Salient    []int         `json:"salient"` // words
	Shown      int           `json:"shown"`   // words of a topic at a time
	Map        []topicOnPage `json:"map"`
}

type topicOnPage struct {
	Topic
	Number int       `json:"number"`
	Alpha  float64   `json:"alpha"`
	X      float64   `json:"x"`
	Y      float64   `json:"y"`
	Has    []int     `json:"has"`    // words
	Counts []float64 `json:"counts"` // their tokens in the topic
	Top    any       `json:"words,omitempty"`
}

const (
	shownWords     = 30
	relevanceSteps = 100  // of λ from 0 to 1
	mostMapped     = 1000 // topics on the page, the largest: their distances are as many squared
	mostPlaces     = 8    // topics that a word is shown to be in
)

// WritePage writes an HTML page of the topics that needs nothing but itself: a map, their words by relevance, the trace.
func (r *Training) WritePage(w io.Writer, title string, f *lda.Rankings, threads int) error {
	t, err := template.ParseFS(pageFiles, "page/page.html")
	if err != nil {
		return err
	}
	style, err := pageFiles.ReadFile("page/page.css")
	if err != nil {
		return err
	}
	script, err := pageFiles.ReadFile("page/page.js")
	if err != nil {
		return err
	}
	const data = "<data>" // which no title has: it is escaped there
	var frame bytes.Buffer
	if err := t.Execute(&frame, map[string]any{"Title": title, "Style": template.CSS(style), "Script": template.JS(script), "Data": template.JS(data)}); err != nil {
		return err
	}
	// The data may be megabytes, so they do not go through the template.
	before, after, _ := bytes.Cut(frame.Bytes(), []byte(data))
	if _, err := w.Write(before); err != nil {
		return err
	}
	if err := json.NewEncoder(w).Encode(r.page(f, threads)); err != nil { // which writes <, > and & as escapes: no word ends the script
		return err
	}
	_, err = w.Write(after)
	return err
}

func (r *Training) page(f *lda.Rankings, threads int) *page {
	p := &page{Documents: r.Documents, Tokens: r.Tokens, Vocabulary: r.Vocabulary, Topics: r.Topics, Sampler: r.Sampler, Sweeps: r.Sweeps, Beta: r.Beta, Coherence: r.Coherence,
		Shown: shownWords, Trace: [][2]float64{}, Words: []string{}, Totals: []float64{}, Where: [][][2]int32{}, Salient: []int{}, Map: []topicOnPage{}}
	for _, s := range r.Trace {
		if x := float64(s.LogLikelihoodPerToken); !math.IsNaN(x) && !math.IsInf(x, 0) {
			p.Trace = append(p.Trace, [2]float64{float64(s.Sweep), x})
		}
	}
	lambdas := make([]float64, relevanceSteps+1)
	for i := range lambdas {
		lambdas[i] = float64(relevanceSteps-i) / relevanceSteps
	}
	known := map[int32]int{}
	number := func(w int32) int {
		at, there := known[w]
		if !there {
			at = len(known)
			known[w] = at
			p.Words = append(p.Words, f.Word(w))
			p.Totals = append(p.Totals, mean(f.Total(w), f))
			p.Where = append(p.Where, where(f, w, f.Total(w)))
		}
		return at
	}
	for _, x := range f.Salient(shownWords) {
		p.Salient = append(p.Salient, number(x.Word))
	}
	shown := largest(f)
	x, y := f.Coordinates(shown, threads)
	for i, k := range shown {
		t := topicOnPage{Topic: r.Top[k], Number: k + 1, Alpha: f.Alpha[k], X: round(x[i]), Y: round(y[i]), Has: []int{}, Counts: []float64{}}
		for _, x := range f.Relevant(k, shownWords, lambdas...) {
			t.Has = append(t.Has, number(x.Word))
			t.Counts = append(t.Counts, mean(x.Count, f))
		}
		p.Map = append(p.Map, t)
	}
	return p
}

// largest are the topics on the page, in ascending order.
func largest(f *lda.Rankings) []int {
	all := make([]int, f.K())
	for k := range all {
		all[k] = k
	}
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(f.Counts.Totals[b], f.Counts.Totals[a]) })
	all = all[:min(len(all), mostMapped)]
	slices.Sort(all)
	return all
}

// mean is a count of all samples as one of a sample.
func mean(count int, f *lda.Rankings) float64 {
	return math.Round(float64(count)/float64(f.Samples)*100) / 100
}

// round leaves five digits after the point, which no picture shows.
func round(x float64) float64 { return math.Round(x*1e5) / 1e5 }

// where are the topics with most tokens of a word, up to mostPlaces, that have a hundredth of them or more.
func where(f *lda.Rankings, w int32, total int) [][2]int32 {
	all := [][2]int32{}
	for _, e := range f.Counts.Word(int(w)) {
		if share := 1000 * int(e.N) / max(total, 1); share >= 10 {
			all = append(all, [2]int32{int32(e.Topic) + 1, int32(share)})
		}
	}
	slices.SortStableFunc(all, func(a, b [2]int32) int { return cmp.Compare(b[1], a[1]) })
	return slices.Clone(all[:min(len(all), mostPlaces)]) // the rest of all would stay in memory
}
