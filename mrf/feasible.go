package mrf

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
)

// ErrNoStart says that a search gave up before it found a state of positive probability. There may be one.
var ErrNoStart = errors.New("mrf: no state of positive probability was found, though there may be one")

const (
	firstNodes = 2000 // choices of the first search, and one for each variable; each one after it has twice as many
	searches   = 8
)

// Feasible searches for a state of positive probability: of the variables that zeros join, values are tried at random, the variable with
// the fewest left first, arc consistency is kept after each, and what has failed is taken back; others are drawn. It starts again with other random numbers when it has not found
// one after some choices, each time with twice as many. The error is an [*ImpossibleError] when a search has shown that there is
// none, and wraps [ErrNoStart] when all gave up.
func (f *Field) Feasible(ctx context.Context, r *rand.Rand) ([]int, error) {
	p := newPropagation(f.model)
	p.all() // as for NewField
	joined := p.joined()
	for n, nodes := 0, firstNodes+len(joined); n < searches; n, nodes = n+1, 2*nodes {
		s := search{p: p, r: r, ctx: ctx, joined: joined, nodes: nodes}
		if s.run() {
			x := make([]int, len(f.cards))
			for i := range x {
				x[i] = s.value(i)
			}
			return x, nil
		}
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		if s.nodes > 0 {
			return nil, &ImpossibleError{"every state has probability 0: a search through all values that the zeros of the factors allow found none"}
		}
	}
	return nil, ErrNoStart
}

// search is a search by depth.
type search struct {
	p      *propagation
	r      *rand.Rand
	ctx    context.Context
	joined []int
	nodes  int // that are left; 0: it gave up
	trail  []choice
}

// choice is a value that was given to a variable, and how much had been removed before.
type choice struct{ variable, value, mark int }

func (s *search) run() bool {
	start := len(s.p.trail)
	for ok := true; ; {
		if ok {
			i := s.next()
			if i < 0 {
				return true
			}
			if s.nodes--; s.nodes <= 0 || s.ctx.Err() != nil {
				s.nodes = 0
				s.p.back(start)
				return false
			}
			v := s.value(i)
			s.trail = append(s.trail, choice{i, v, len(s.p.trail)})
			ok = s.p.set(i, v)
			continue
		}
		if len(s.trail) == 0 {
			s.p.back(start)
			return false
		}
		last := s.trail[len(s.trail)-1]
		s.trail = s.trail[:len(s.trail)-1]
		s.p.back(last.mark)
		ok = s.p.without(last.variable, last.value)
	}
}

// next is a variable with the fewest values among those with several, −1 where there is none.
func (s *search) next() int {
	best, ties := -1, 0
	for _, i := range s.joined {
		switch n := s.p.left[i]; {
		case n < 2 || best >= 0 && n > s.p.left[best]:
		case best < 0 || n < s.p.left[best]:
			best, ties = i, 1
		default:
			if ties++; s.r.IntN(ties) == 0 {
				best = i
			}
		}
	}
	return best
}

// value is one of those that are left.
func (s *search) value(i int) int {
	if v := s.p.only(i); v >= 0 {
		return int(v)
	}
	n := s.r.IntN(s.p.left[i])
	return slices.IndexFunc(s.p.domain[i], func(in bool) bool {
		if in {
			n--
		}
		return in && n < 0
	})
}
