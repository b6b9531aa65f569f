package markov

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// edgeReader reads a list of transitions.
type edgeReader struct {
	*lines
	normalise bool
	columns   columns
	header    int // the line of headings; 0 without

	list  []Transition
	jumps []jump
	names map[string]int32 // nil while all states are numbers
	order []string
}

// jump says that the transitions from one on stand on consecutive lines.
type jump struct{ transition, line int }

func (e *edgeReader) read() (Chain, error) {
	for first := true; ; first = false {
		ok, err := e.nextUneven()
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		if len(e.fields) != 3 {
			return nil, e.unequal()
		}
		if first && e.isHeader() {
			if err := e.takeHeader(); err != nil {
				return nil, err
			}
			continue
		}
		if err := e.take(); err != nil {
			return nil, err
		}
	}
	if len(e.list) == 0 && e.header > 0 {
		return nil, &ReadError{File: e.name, Line: e.header, Msg: "the file has a line of headings and no transition under it"}
	}
	if len(e.list) == 0 {
		return nil, fmt.Errorf("markov: the file is empty; it should hold a transition matrix or a list of transitions")
	}
	return e.finish()
}

// unequal is the fault of a line that has more or fewer than three fields.
func (e *edgeReader) unequal() error {
	const form = "a transition has three: from, to, probability"
	if n := len(e.fields); n == 2 {
		return e.fault(0, "this line has 2 fields: it lacks its probability; %s", form)
	}
	return e.fault(0, "this line has %s; %s", count(len(e.fields), "field", "fields"), form)
}

// isHeader reports whether the line cannot be a transition: no field has a digit.
func (e *edgeReader) isHeader() bool {
	return !bytes.ContainsAny(e.text, "0123456789") && !e.numeric(2)
}

func (e *edgeReader) take() error {
	numbers := e.names == nil
	from, err := e.state(e.columns[0])
	if err != nil {
		return err
	}
	to, err := e.state(e.columns[1])
	if err != nil {
		return err
	}
	if numbers && e.names != nil {
		from, _ = e.state(e.columns[0]) // states turned from numbers into names with this line
	}
	p, err := e.probability(e.columns[2], e.normalise)
	if err != nil {
		return err
	}
	e.keep(Transition{from, to, p})
	return nil
}

// keep appends a transition of the line at hand.
func (e *edgeReader) keep(t Transition) {
	if k := len(e.jumps); k == 0 || e.jumps[k-1].line+len(e.list)-e.jumps[k-1].transition != e.number {
		e.jumps = append(e.jumps, jump{len(e.list), e.number})
	}
	e.list = append(e.list, t)
}

// lineOf is where a transition stands.
func (e *edgeReader) lineOf(transition int) int {
	k := sort.Search(len(e.jumps), func(k int) bool { return e.jumps[k].transition > transition }) - 1
	return e.jumps[k].line + transition - e.jumps[k].transition
}

// state is the number of the state in field k: the number it has in the file as long as all states are numbers, from
// then on the place of its name.
func (e *edgeReader) state(k int) (int32, error) {
	b := e.get(k)
	if len(b) == 0 {
		return 0, e.fault(e.fields[k].from, "the name of a state is missing here")
	}
	if e.names == nil {
		if v, ok := number(b); ok {
			return v, nil
		}
		e.nameAll()
		if k != e.columns[0] {
			_, _ = e.state(e.columns[0]) // comes before this one
		}
	}
	if i, ok := e.names[string(b)]; ok {
		return i, nil
	}
	return e.add(string(b)), nil
}

func (e *edgeReader) add(name string) int32 {
	i := int32(len(e.order))
	e.names[name] = i
	e.order = append(e.order, name)
	return i
}

// nameAll turns the numbers so far into names.
func (e *edgeReader) nameAll() {
	e.names = map[string]int32{}
	index := map[int32]int32{}
	place := func(v int32) int32 {
		i, ok := index[v]
		if !ok {
			i = e.add(strconv.Itoa(int(v)))
			index[v] = i
		}
		return i
	}
	for k, t := range e.list {
		e.list[k].From = place(t.From)
		e.list[k].To = place(t.To)
	}
}

func (e *edgeReader) finish() (Chain, error) {
	if e.names == nil {
		e.rank()
	}
	n := len(e.order)
	if err := checkStates(n); err != nil {
		return nil, err
	}
	c, err := compress(n, e.list, e.order, e.normalise)
	var sum *SumError
	var twice *DuplicateError
	switch {
	case errors.As(err, &sum):
		from := slices.IndexFunc(e.list, func(t Transition) bool { return int(t.From) == sum.State })
		if from < 0 {
			from = slices.IndexFunc(e.list, func(t Transition) bool { return int(t.To) == sum.State })
		}
		return nil, e.sumFault(e.lineOf(from), err)
	case errors.As(err, &twice):
		return nil, &ReadError{File: e.name, Line: e.lineOf(twice.Second), Err: err,
			Msg: fmt.Sprintf("the transition from state %s to state %s is given a second time, first in line %d; keep one, or add the two up", wording.Brief(twice.FromName), wording.Brief(twice.ToName), e.lineOf(twice.First))}
	case err != nil:
		return nil, err
	}
	return c, nil
}

// rank replaces numbers by their ranks, and names states by their numbers.
func (e *edgeReader) rank() {
	top := int32(0)
	for _, t := range e.list {
		top = max(top, t.From, t.To)
	}
	var rank func(v int32) int32
	if int(top) <= 8*len(e.list)+1<<16 {
		rank = e.rankByTable(top)
	} else {
		rank = e.rankBySorting()
	}
	for k, t := range e.list {
		e.list[k].From, e.list[k].To = rank(t.From), rank(t.To)
	}
}

func (e *edgeReader) rankByTable(top int32) func(int32) int32 {
	place := make([]int32, int(top)+1)
	for _, t := range e.list {
		place[t.From], place[t.To] = 1, 1
	}
	for v, there := range place {
		if there == 1 {
			place[v] = int32(len(e.order))
			e.order = append(e.order, strconv.Itoa(v))
		}
	}
	return func(v int32) int32 { return place[v] }
}

func (e *edgeReader) rankBySorting() func(int32) int32 {
	all := make([]int32, 0, 2*len(e.list))
	for _, t := range e.list {
		all = append(all, t.From, t.To)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	for _, v := range all {
		e.order = append(e.order, strconv.Itoa(int(v)))
	}
	return func(v int32) int32 {
		i, _ := slices.BinarySearch(all, v)
		return int32(i)
	}
}
