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
type tally [MaxTopics]float32

// pass is the side of one pass over rows of cells, of words or of documents: the prior of its counts and what all rows share.
type pass struct {
	prior  *tally  // α, or β for all
	totals *tally  // n_k + Vβ at the start of the pass
	own    float32 // what the token itself counts in the target: 1 is taken off, 0 for Options.CountSelf
	draw   mixture
}

// count adds the topics of a row.
func (n *tally) count(row []cell) {
	for _, c := range row {
		n[c.topic()]++
	}
}

// judge accepts or refuses the proposals of a row, whose counts follow, and leaves the old topic in place of the proposal. A
// proposal of the token's own topic changes nothing, accepted or not. The topics that come out are added to totals.
func (p *pass) judge(row []cell, n, totals *tally, r streams.Stream) {
	var u uint64
	for i, c := range row {
		s, t := c.topic(), c.proposal()
		u, r = r.Next()
		x := float32(u>>40) * 0x1p-24
		here := float32(float32(x*(n[s]-p.own+p.prior[s])) * p.totals[t])
		there := float32((n[t] + p.prior[t]) * (p.totals[s] - p.own))
		// The sign of the difference as a mask: a branch on it could not be predicted where s = t.
		change := (s ^ t) & uint16(int32(math.Float32bits(here-there))>>31)
		if change != 0 { // for one token in ten or fewer
			n[s]--
			n[t]++
		}
		totals[s^change]++
		row[i] = cellOf(s^change, s)
	}
}

// propose gives each token of a row a proposal, and clears the counts that judge left behind.
func (p *pass) propose(row []cell, n *tally, r streams.Stream) {
	var u uint64
	tokens := uint64(len(row)) << fraction
	for i, c := range row {
		n[c.topic()], n[c.proposal()] = 0, 0
		u, r = r.Next()
		at, rest := bits.Mul64(u, tokens+p.draw.mass)
		if at < tokens {
			row[i] = cellOf(c.topic(), row[at>>fraction].topic())
		} else {
			row[i] = cellOf(c.topic(), p.draw.topic(rest))
		}
	}
}
