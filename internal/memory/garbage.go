package memory

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// The collector runs when garbage is so many percent of what is in use. What that costs goes with the part of it that holds pointers, a small one where models and
// their data are numbers: so garbage may be as much as that part, and a little of the rest. A job that takes no more than [firstHeap] has none collected.
const (
	anyway      = 7 << 20 // bytes of garbage that there may be
	ofTheRest   = 1. / 20
	mostPercent = 1000

	firstHeap = 24 << 20 // bytes in use when the collector first runs
	leastHeap = 4 << 20  // at which it would for 100 per cent: the runtime's
)

// garbage sets the percentage as the heap changes, unless GOGC asks for one.
type garbage struct {
	mu      sync.Mutex
	percent int
	at      [3]metrics.Sample
}

// newGarbage is nil where GOGC is set.
func newGarbage() *garbage {
	if os.Getenv("GOGC") != "" {
		return nil
	}
	g := &garbage{percent: 100 * (firstHeap / leastHeap), at: [...]metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}, {Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/heap:bytes"}}}
	debug.SetGCPercent(g.percent)
	// So high a percentage is for the first collection alone: what that one finds unused tells of its end.
	runtime.AddCleanup(new(garbage), func(g *garbage) { g.look() }, g)
	return g
}

// look adjusts the percentage after a collection, when it is off by an eighth.
func (g *garbage) look() {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	before := g.at[0].Value
	metrics.Read(g.at[:])
	live := float64(g.at[1].Value.Uint64())
	if live == 0 || before.Kind() == metrics.KindUint64 && before.Uint64() == g.at[0].Value.Uint64() {
		return
	}
	if p := percent(live, float64(g.at[2].Value.Uint64())); 8*max(p-g.percent, g.percent-p) > g.percent {
		g.percent = p
		debug.SetGCPercent(p)
	}
}

// percent is for a heap with so many bytes in use, and so many of them scanned for pointers.
func percent(live, scanned float64) int {
	return min(int(100*(anyway+scanned+float64(ofTheRest*live))/live), mostPercent)
}
