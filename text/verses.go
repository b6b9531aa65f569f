package text

import (
	"iter"
	"slices"
)

// Verses makes of a model of sentences one of texts of several sentences, in which Begin stands between two of them: each is as probable as by itself.
// Line breaks of a [Template] are such; no move inserts one.
func Verses(m Model) Model {
	v := verses{m}
	paired, ok := m.(Paired)
	if !ok {
		return v
	}
	p := pairedVerses{v, paired}
	if s, ok := m.(Stateful); ok {
		return statefulVerses{p, s}
	}
	return p
}

type verses struct{ Model }

// LogProb looks back to the last Begin; there, the one before has ended.
func (v verses) LogProb(context []int32, word int32) float64 {
	begin := v.Begin()
	for i := range slices.Backward(context) {
		if context[i] == begin {
			context = context[i:]
			break
		}
		if o := v.Order(); o > 0 && len(context)-i >= o {
			break
		}
	}
	if word == begin {
		word = v.End()
	}
	return v.Model.LogProb(context, word)
}

type pairedVerses struct {
	verses
	paired Paired
}

// Pairs are those of the model, and Begin after what may end a sentence.
func (v pairedVerses) Pairs() iter.Seq2[int32, int32] {
	return func(yield func(a, b int32) bool) {
		for a, b := range v.paired.Pairs() {
			if !yield(a, b) || b == v.End() && !yield(a, v.Begin()) {
				return
			}
		}
	}
}

type statefulVerses struct {
	pairedVerses
	stateful Stateful
}

func (v statefulVerses) Start() uint32 { return v.stateful.Start() }

func (v statefulVerses) Next(state uint32, word int32) (logProb float64, next uint32) {
	if word != v.Begin() {
		return v.stateful.Next(state, word)
	}
	logProb, _ = v.stateful.Next(state, v.End())
	return logProb, v.stateful.Start()
}
