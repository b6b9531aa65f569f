package lda

import (
	"reflect"
	"slices"
	"testing"
)

// The topics depend on the number of parts and not on that of threads, nor on an interruption; the counts are those of
// the topics; and four parts find the bars.
func TestSparseParts(t *testing.T) {
	c := bars(5, 500, 50)
	set := Settings{Alpha: Symmetric(2, 10), Beta: 0.05, Seed: 2}
	want := sampled(t, "sparse", c, set, Options{Parts: 4}, 200)
	for threads := 2; threads <= 3; threads++ {
		m := sampled(t, "sparse", c, set, Options{Parts: 4, Threads: threads}, 120)
		state, err := m.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		again, _ := New(c, set)
		if err := again.UnmarshalBinary(state); err != nil {
			t.Fatal(err)
		}
		sweep(t, "sparse", again, Options{Parts: 4, Threads: 2}, 80)
		if !slices.Equal(again.Topics(), want.Topics()) {
			t.Errorf("%d threads: other topics", threads)
		}
	}
	kept := want.Counts()
	want.owner = nil
	if !reflect.DeepEqual(kept, want.Counts()) {
		t.Error("the counts are not those of the topics")
	}
	if n := barsFound(want); n != 10 {
		t.Errorf("%d of 10 bars", n)
	}
}

// Parts move as a Part of the same documents does, by the same stream.
func TestSparsePartsArePasses(t *testing.T) {
	c := bars(5, 60, 20)
	set := Settings{Alpha: Symmetric(2, 10), Beta: 0.05, Seed: 3}
	m := sampled(t, "sparse", c, set, Options{Parts: 2}, 7)
	sampler, err := NewSampler("sparse", m, Options{Parts: 2})
	if err != nil {
		t.Fatal(err)
	}
	parts := sampler.(*sparseParts[uint32])
	var want []uint16
	for i, p := range halves(m, parts.docs[0].end, 0) {
		own, err := New(p.Corpus, Settings{Alpha: p.Alpha, Beta: p.Beta})
		if err == nil {
			err = own.SetTopics(p.Topics)
		}
		if err != nil {
			t.Fatal(err)
		}
		s := p.sampler(own)
		s.begin()
		for d := range p.Corpus.Len() { // the streams have the numbers of the whole
			s.document(p.Corpus.Document(d), own.Document(d), parts.key.At(m.sweeps).Stream(uint64(parts.docs[i].first+d)))
		}
		want = append(want, own.Topics()...)
	}
	sampler.Sweep()
	if !slices.Equal(m.Topics(), want) {
		t.Error("other topics")
	}
}

func TestSparsePartsOfLittle(t *testing.T) {
	for _, docs := range [][][]int32{{{0}}, {{}, {}, {}}, {{0}, {1}}, {{}, {0, 1, 1}, {}}} {
		c := gather(docs, 2)
		m := sampled(t, "sparse", c, Settings{Alpha: Symmetric(2, 3), Beta: 0.05}, Options{Parts: 5, Threads: 2}, 3)
		kept := m.Counts()
		if m.owner = nil; !reflect.DeepEqual(kept, m.Counts()) {
			t.Errorf("%v: other counts", docs)
		}
	}
}
