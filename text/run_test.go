package text

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// someCases are two tasks over a table of five words.
func someCases(t testing.TB, m Model) []Case {
	t.Helper()
	keywords, err := NewTarget(m, 2, 6, Hard(NewKeywords(m, []int32{0, 3}, true)))
	if err != nil {
		t.Fatal(err)
	}
	rhyme, err := NewTarget(m, 0, MostWords, form("_level/A _ _ _/A")(m)...)
	if err != nil {
		t.Fatal(err)
	}
	return []Case{{Name: "keywords", Target: keywords, Hints: NewHints(m, []int32{0, 3})}, {Name: "rhyme", Target: rhyme}}
}

func mustLists(t testing.TB, m Model, most int) *Lists {
	t.Helper()
	l, err := NewLists(m, most)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// ways are the settings under which chains walk differently.
func ways() map[string]Settings {
	return map[string]Settings{"plain": {}, "annealed": {Temperature: 2, Cold: 0.1}, "tempered": {Replicas: 3}, "by word": {PerWord: true, Samples: 7}}
}

// Results depend neither on threads nor on interruptions, of which there is one after every save here.
func TestRunIsReproducible(t *testing.T) {
	m := newTable(5, 20, false)
	cases, lists := someCases(t, m), mustLists(t, m, 3)
	for name, set := range ways() {
		set.Seed, set.Chains, set.Steps, set.Threads = 3, 2, 20_000, 1
		want, err := Run(context.Background(), lists, cases, set)
		if err != nil {
			t.Fatal(name, err)
		}
		set.Threads = 3
		set.File, set.Fingerprint, set.Resume, set.Every = filepath.Join(t.TempDir(), "state"), "a", true, time.Microsecond
		var got []Result
		cuts := 0
		for {
			ctx, cancel := context.WithTimeout(context.Background(), 4*time.Millisecond)
			got, err = Run(ctx, lists, cases, set)
			cancel()
			if err == nil {
				break
			}
			if cuts++; !errors.Is(err, mcmc.ErrInterrupted) || cuts > 10_000 {
				t.Fatal(name, err)
			}
		}
		if cuts == 0 {
			t.Errorf("%s: was never interrupted", name)
		}
		if a, b := fmt.Sprintf("%+v", want), fmt.Sprintf("%+v", got); a != b {
			t.Errorf("%s, %d interruptions:\n%s\n%s", name, cuts, a, b)
		}
		set.Fingerprint = "b"
		if _, err := Run(context.Background(), lists, cases, set); err == nil || !strings.Contains(err.Error(), "the model differs") {
			t.Errorf("%s: %v for another run's file", name, err)
		}
	}
}

// The best sentences that annealing finds are those of the enumerated target, in order, and the samples of chains have its mean score.
func TestRunFindsTheBest(t *testing.T) {
	m := newTable(5, 21, false)
	target, err := NewTarget(m, 1, 4, Hard(NewKeywords(m, []int32{2}, false)))
	if err != nil {
		t.Fatal(err)
	}
	f := finite(target, 5, 1, nil)
	all := sentences(5, 4)
	var list []Found
	b := batch{set: Settings{Best: 4}}
	mean, square, total := 0.0, 0.0, 0.0
	for i, w := range f.LogWeight {
		if math.IsInf(w, -1) {
			continue
		}
		list = b.keep(&Case{}, list, Found{Words: all[i], Model: w})
		p := math.Exp(w)
		mean, square, total = mean+p*w, square+p*w*w, total+p
	}
	mean /= total
	sd := math.Sqrt(square/total - mean*mean)
	res, err := Run(context.Background(), mustLists(t, m, 3), []Case{{Target: target}}, Settings{Seed: 1, Chains: 3, Steps: 20_000, Best: 4, Cold: 0.2})
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range res[0].Best {
		if !reflect.DeepEqual(f.Words, list[i].Words) || math.Abs(f.Model-list[i].Model) > 1e-9 {
			t.Errorf("best %d: %+v, enumerated %+v", i+1, f, list[i])
		}
	}
	for name, set := range map[string]Settings{"plain": {}, "tempered": {Replicas: 3}} {
		set.Seed, set.Chains, set.Steps, set.Samples, set.Threads = 2, 8, 40_000, 500, 2
		res, err = Run(context.Background(), mustLists(t, m, 3), []Case{{Target: target}}, set)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, f := range res[0].Samples {
			sum += f.Model
		}
		n := float64(len(res[0].Samples))
		// 5.5 standard errors are a false alarm in 4e7; the samples' effective size is taken as half that of the trace, which is as long.
		if limit := 5.5 * sd / math.Sqrt(res[0].ESS/2); n != 4000 || math.Abs(sum/n-mean) > limit {
			t.Errorf("%s: mean score %v of %v samples, exactly %v ± %v", name, sum/n, n, mean, limit)
		}
		if !(res[0].Rhat < 1.05) {
			t.Errorf("%s: R-hat %v", name, res[0].Rhat)
		}
	}
}

// From the farthest sentence, the default moves come to the distribution of the whole space: nothing is cut off.
func TestReaches(t *testing.T) {
	for _, c := range []struct {
		name        string
		words       int
		least, most int
		moves       Moves
		conditions  func(m Model) []Condition
	}{
		{"no room but the order", 3, 3, 3, Sentences(), func(m Model) []Condition { return []Condition{Hard(NewKeywords(m, []int32{0, 1, 2}, false))} }},
		{"keywords in order", 3, 2, 4, Sentences(), func(m Model) []Condition { return []Condition{Hard(NewKeywords(m, []int32{0, 1}, true))} }},
		{"a rhyme", 5, 3, 3, Moves{Replace: 1, Gibbs: 1, Group: 1}, form("_/A _ _/A")},
		{"the empty sentence", 3, 0, 3, Sentences(), func(m Model) []Condition { return nil }},
	} {
		m := newTable(c.words, 22, false)
		target, err := NewTarget(m, c.least, c.most, c.conditions(m)...)
		if err != nil {
			t.Fatal(err)
		}
		k, err := NewWalk(target, mustLists(t, m, 2), Hints{}, c.moves)
		if err != nil {
			t.Fatal(err)
		}
		f := finite(target, c.words, 1, k)
		from := 0
		for i, w := range f.LogWeight {
			if !math.IsInf(w, -1) && (math.IsInf(f.LogWeight[from], -1) || w < f.LogWeight[from]) {
				from = i
			}
		}
		if err := kerneltest.Reaches(f, from, kerneltest.Settings{Seed: 4, Steps: 600, Replicates: 5000}); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// Each kind of move, and steps after the first, allocate nothing.
func TestStepAllocatesNothing(t *testing.T) {
	m := newTable(5, 23, false)
	for _, c := range someCases(t, m) {
		k, err := NewWalk(c.Target, mustLists(t, m, 4), c.Hints, Moves{1, 1, 1, 1, 1, 1, 1, 1})
		if err != nil {
			t.Fatal(err)
		}
		r := rng.New(1, "alloc").Rand
		words, err := c.Target.Start(k.lists, c.Hints, r)
		if err != nil {
			t.Fatal(err)
		}
		s := c.Target.NewSentence(words)
		for range 1000 {
			k.Step(s, r)
		}
		if n := testing.AllocsPerRun(2000, func() { k.Step(s, r) }); n != 0 {
			t.Errorf("%s: %v allocations in a step", c.Name, n)
		}
	}
}

// Starts meet all hard conditions; what cannot be met is an error that names it.
func TestStart(t *testing.T) {
	m := newTable(5, 24, true)
	lists := mustLists(t, m, 3)
	edits, err := NewEdits([]int32{0, 1, 2, 3}, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	for i, conditions := range [][]Condition{
		nil, {Hard(NewKeywords(m, []int32{4, 4, 1, 0, 2}, true))}, form("* d _ * b *")(m), append(form("_ _level/A _oblique/B c _/A _/B")(m), Hard(NewKeywords(m, []int32{3}, false))),
		{Hard(edits), Hard(NewForbidden(m, []int32{1})), Hard(Length{3, 3})},
	} {
		target, err := NewTarget(m, 1, 9, conditions...)
		if err != nil {
			t.Fatal(i, err)
		}
		for seed := range uint64(20) {
			words, err := target.Start(lists, Hints{}, rng.New(seed, "start").Rand)
			if err != nil {
				t.Fatal(i, err)
			}
			if s := target.NewSentence(words); math.IsInf(s.Score(), -1) {
				t.Errorf("%d: %s is none", i, Join(m, words))
			}
		}
	}
	target, err := NewTarget(m, 1, 3, Hard(edits), Hard(mustEdits(t, []int32{4, 4, 4, 4, 4, 4}, 0, 1)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := target.Start(lists, Hints{}, rng.New(1, "start").Rand); err == nil || !strings.Contains(err.Error(), "0 to 1 edits of the source") {
		t.Error(err)
	}
}

func mustEdits(t testing.TB, source []int32, least, most int) *Edits {
	t.Helper()
	e, err := NewEdits(source, least, most)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// What no sentence can meet is refused before any search.
func TestImpossible(t *testing.T) {
	m := newTable(5, 25, false)
	abc := NewKeywords(m, []int32{0, 1, 2}, false)
	for want, c := range map[string]struct {
		least, most int
		conditions  []Condition
	}{
		"needs 3 words, and the sentence may have 2 at most": {1, 2, []Condition{Hard(abc)}},
		"exclude each other: \"b\" has no place":             {1, 5, []Condition{Hard(abc), Hard(NewForbidden(m, []int32{1}))}},
		"leaves room for 2 words":                            {3, 5, form("a _")(m)},
		"exclude each other: \"c\" has no place":             {1, 5, append(form("b _ a")(m), Hard(NewKeywords(m, []int32{0, 2, 2}, false)))},
		"it must be from 0 to 250":                           {4, 3, nil},
		"has the weight NaN":                                 {1, 3, []Condition{{abc, math.NaN()}}},
		"exclude each other: \"a\" has no place":             {1, 5, append(form("_oblique c")(m), Hard(NewKeywords(m, []int32{0}, false)))},
	} {
		if _, err := NewTarget(m, c.least, c.most, c.conditions...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := NewTarget(m, 1, 5, append(form("_ c _")(m), Hard(NewKeywords(m, []int32{0, 2, 3}, false)))...); err != nil {
		t.Error(err)
	}
}
