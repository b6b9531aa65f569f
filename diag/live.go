package diag

import (
	"math"
	"sync"
)

const (
	liveElements = 1000    // watched at most, evenly spaced over all elements
	liveValues   = 1 << 17 // kept of a chain at most: a megabyte
	liveDraws    = 128     // kept of a chain, where many elements are watched
	liveMost     = 1024    // kept of a chain, where few are
)

// Live diagnoses chains that are still running, roughly and cheaply: it keeps
// thinned draws of at most a thousand elements, whatever the length of the
// run. Chains may add draws at the same time.
type Live struct {
	watched []int
	room    int // draws kept of a chain at most, a power of two
	chains  []liveChain
}

type liveChain struct {
	mu sync.Mutex
	thinned
}

// thinned holds the draws 0, stride, 2·stride, … of one chain, those of a
// watched element side by side.
type thinned struct {
	draws        []float64
	room, kept   int
	seen, stride int
}

// Worst are the greatest R-hat and the least bulk ESS so far and the elements
// that they belong to. NaN and -1 where no element has one. Once draws are
// Thinned the ESS is that of those that are kept, so a lower bound in all but
// antithetic chains.
type Worst struct {
	Rhat        float64
	RhatElement int
	ESS         float64
	ESSElement  int
	Thinned     bool
}

// NewLive watches chains whose draws have the given number of elements.
func NewLive(chains, elements int) *Live {
	l := &Live{chains: make([]liveChain, max(chains, 0))}
	n := min(max(elements, 0), liveElements)
	for i := range n {
		l.watched = append(l.watched, int(float64(i)*float64(elements)/float64(n)))
	}
	l.room = liveDraws
	for l.room < liveMost && 2*l.room*n <= liveValues {
		l.room *= 2
	}
	for c := range l.chains {
		l.chains[c].stride, l.chains[c].room = 1, l.room
		l.chains[c].draws = make([]float64, n*l.room)
	}
	return l
}

// Add takes a draw of a chain. It copies what it keeps; a draw that is too
// short and a chain that does not exist are ignored.
func (l *Live) Add(chain int, draw []float64) {
	if chain < 0 || chain >= len(l.chains) || len(l.watched) == 0 || len(draw) <= l.watched[len(l.watched)-1] {
		return
	}
	c := &l.chains[chain]
	c.mu.Lock()
	defer c.mu.Unlock()
	due := c.seen%c.stride == 0
	c.seen++
	if !due {
		return
	}
	if c.kept == l.room {
		c.thin(2)
		if (c.seen-1)%c.stride != 0 {
			return
		}
	}
	for k, element := range l.watched {
		c.draws[k*l.room+c.kept] = draw[element]
	}
	c.kept++
}

// thin keeps every step-th of the draws kept so far.
func (c *thinned) thin(step int) {
	c.kept = (c.kept + step - 1) / step
	c.stride *= step
	for at := 0; at < len(c.draws); at += c.room {
		for i := range c.kept {
			c.draws[at+i] = c.draws[at+i*step]
		}
	}
}

// Worst diagnoses what has been kept. It holds up each chain only while it
// copies that chain's draws.
func (l *Live) Worst() Worst {
	worst := Worst{Rhat: math.NaN(), RhatElement: -1, ESS: math.NaN(), ESSElement: -1}
	copies := l.copies()
	n := math.MaxInt
	for _, c := range copies {
		n = min(n, c.kept)
		worst.Thinned = c.stride > 1
	}
	if len(copies) == 0 || n < 6 {
		return worst
	}
	var w Work
	chains := make([][]float64, len(copies))
	for k, element := range l.watched {
		for c := range copies {
			chains[c] = copies[c].draws[k*l.room : k*l.room+n]
		}
		w.load(chains)
		bulk, e := w.bulk()
		if r := greater(bulk, w.folded(quantile(w.sorted, 0.5))); r > worst.Rhat || math.IsNaN(worst.Rhat) && !math.IsNaN(r) {
			worst.Rhat, worst.RhatElement = r, element
		}
		if e < worst.ESS || math.IsNaN(worst.ESS) && !math.IsNaN(e) {
			worst.ESS, worst.ESSElement = e, element
		}
	}
	return worst
}

// copies are the chains' draws, all thinned to the stride of the longest.
func (l *Live) copies() []thinned {
	copies := make([]thinned, len(l.chains))
	stride := 1
	for i := range l.chains {
		c := &l.chains[i]
		c.mu.Lock()
		copies[i] = c.thinned
		copies[i].draws = append([]float64(nil), c.draws...)
		c.mu.Unlock()
		stride = max(stride, copies[i].stride)
	}
	for i := range copies {
		copies[i].thin(stride / copies[i].stride)
	}
	return copies
}
