package ngram

import (
	"encoding/binary"
	"fmt"
	"math"
)

// mostNodes is the largest number of sequences in a model.
const mostNodes = math.MaxUint32 - 2

// shrink leaves out the sequences that occur too rarely.
func shrink(levels []level, kept []logs, set *Settings) {
	var numbers []uint32 // of the level before what it has become
	for k := range levels {
		l := &levels[k]
		least := set.least(k + 1)
		if least <= 1 {
			numbers = nil
			continue
		}
		now := make([]uint32, len(l.times))
		n := 0
		for i, times := range l.times {
			if times < least {
				continue
			}
			now[i] = uint32(n)
			l.prefix[n], l.word[n], l.suffix[n] = l.prefix[i], l.word[i], l.suffix[i]
			if numbers != nil {
				l.prefix[n], l.suffix[n] = numbers[l.prefix[i]], numbers[l.suffix[i]]
			}
			kept[k].prob[n], kept[k].backoff[n] = kept[k].prob[i], kept[k].backoff[i]
			n++
		}
		l.prefix, l.word, l.suffix = l.prefix[:n], l.word[:n], l.suffix[:n]
		kept[k].prob, kept[k].backoff = kept[k].prob[:n], kept[k].backoff[:n]
		numbers = now
	}
}

// build makes the tree. A level that knows no suffixes gets those that are there: the longest of each sequence.
func build(levels []level, values []logs) (*Model, error) {
	counts := make([]int, len(levels))
	total := 0
	for k := range levels {
		counts[k] = len(levels[k].word)
		total += counts[k]
	}
	if total > mostNodes {
		return nil, fmt.Errorf("ngram: %d sequences of words are more than a model can have", total)
	}
	t := newTree(counts, false)
	if err := t.room(0); err != nil {
		return nil, err
	}
	binary.LittleEndian.PutUint32(t.inners[childrenAt:], first)
	for k := range levels {
		t.fill(k, &levels[k], &values[k])
	}
	binary.LittleEndian.PutUint32(t.inners[t.wide*int(t.outer)+childrenAt:], t.nodes())
	for k := range levels {
		t.link(k, &levels[k])
	}
	return &Model{tree: t}, nil
}

// fill writes the records of the sequences of k+1 words, and where the children of those of k words begin.
func (t *tree) fill(k int, l *level, values *logs) {
	at := t.starts[k+1]
	for i, w := range l.word {
		node := at + uint32(i)
		r, prob := t.place(node)
		binary.LittleEndian.PutUint32(t.words[4*int(node):], w)
		binary.LittleEndian.PutUint32(r[prob:], math.Float32bits(values.prob[i]))
		if node < t.outer {
			binary.LittleEndian.PutUint32(r[prob+4:], math.Float32bits(values.backoff[i]))
		}
	}
	if k == 0 {
		return
	}
	child := 0
	for node := t.starts[k]; node < at; node++ {
		binary.LittleEndian.PutUint32(t.inner(node)[childrenAt:], at+uint32(child))
		for child < len(l.prefix) && l.prefix[child] == node-t.starts[k] {
			child++
		}
	}
}

// place is a node's record, and where its probability is.
func (t *tree) place(node uint32) (record []byte, prob int) {
	if node < t.outer {
		return t.inner(node), innerProbAt
	}
	return t.outerAt(node), outerProbAt
}

// link writes the suffixes of the sequences of k+1 words.
func (t *tree) link(k int, l *level) {
	for i, w := range l.word {
		to := uint32(root)
		switch {
		case k == 0:
		case l.suffix != nil:
			to = t.state(t.starts[k] + l.suffix[i])
		default:
			_, to = t.next(suffix(t.inner(t.starts[k]+l.prefix[i])), w)
		}
		r, _ := t.place(t.starts[k+1] + uint32(i))
		binary.LittleEndian.PutUint32(r, to)
	}
}
