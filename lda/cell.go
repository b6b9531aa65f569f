package lda

import (
	"math"
	"math/bits"

	"github.com/ergodic-mcmc/ergodic/internal/streams"
)

// cell is a token's topic in its lower half and the proposal in the upper.
type cell uint32

func cellOf(topic, proposal uint16) cell { return cell(topic) | cell(proposal)<<16 }

func (c cell) topic() uint16    { return uint16(c) }
func (c cell) proposal() uint16 { return uint16(c >> 16) }

// tally is a number for each topic. Its length is that of all 16-bit indices, so that none needs a check; only the pages
// with topics of the model are ever touched.
type tally[T any] [MaxTopics]T

// pass is the side of one pass over rows of cells, of words or of documents: the prior of its counts and what all rows share.
type pass struct {
	prior  *tally[float32] // α, or β for all
	totals *tally[float32] // n_k + Vβ at the start of the pass
	own    float32         // what the token itself counts in the target: 1 is taken off, 0 for Options.CountSelf
	draw   mixture
}

// judge counts the topics of a row in n, which is zero before, and accepts or refuses its proposals; counts follow. Tokens
// that topics gain are added to gained.
func (p *pass) judge(row []cell, n *tally[uint32], gained *tally[int64], r streams.Stream) {
	for _, c := range row {
		n[c.topic()]++
	}
	var u uint64
	prior, totals, own := p.prior, p.totals, p.own
	for i, c := range row {
		s, t := c.topic(), c.proposal()
		u, r = r.Next()
		x := float32(uint32(u>>40)) * 0x1p-24
		here := float32(float32(x*(float32(n[s])-own+prior[s])) * totals[t])
		there := float32((float32(n[t]) + prior[t]) * (totals[s] - own))
		// The sign of the difference as a mask: a branch on it could not be predicted where s = t.
		if (s^t)&uint16(int32(math.Float32bits(here-there))>>31) != 0 { // for one token in ten or fewer
			n[s]--
			n[t]++
			gained[s]--
			gained[t]++
			row[i] = cellOf(t, t)
		}
	}
}

// propose gives each token of a row a proposal, and clears the counts that judge left behind.
func (p *pass) propose(row []cell, n *tally[uint32], r streams.Stream) {
	tokens := uint64(len(row)) << fraction
	all := tokens + p.draw.mass
	if p.draw.table == nil && tokens/16 < p.draw.mass {
		proposeEvenly(row, n, tokens, all, p.draw.k, r)
		return
	}
	var u uint64
	for i, c := range row {
		n[c.topic()] = 0
		u, r = r.Next()
		at, rest := bits.Mul64(u, all)
		if at < tokens {
			row[i] = cellOf(c.topic(), row[at>>fraction].topic())
		} else {
			row[i] = cellOf(c.topic(), p.draw.topic(rest))
		}
	}
}

// proposeEvenly is propose for k topics that are as likely in the prior. It has no branch on who proposes, the row or the prior:
// in short rows that could not be predicted.
func proposeEvenly(row []cell, n *tally[uint32], tokens, all, k uint64, r streams.Stream) {
	var u uint64
	for i, c := range row {
		n[c.topic()] = 0
		u, r = r.Next()
		at, rest := bits.Mul64(u, all)
		prior, _ := bits.Mul64(rest, k)
		_, mine := bits.Sub64(at, tokens, 0) // 1 where at < tokens
		own := uint64(row[at>>fraction&-mine])
		row[i] = cellOf(c.topic(), uint16(prior^(prior^own)&-mine))
	}
}
