package memory

import (
	"math"
	"runtime/debug"
	"time"
)

// margin is the part of the limit that is left to the collector, which gives
// memory back a little late.
const margin = 1. / 16

// look is how often the watch looks: memory is taken at some GB a second.
const look = 20 * time.Millisecond

// Limit makes bytes the most that the process holds. The collector works
// harder as it comes near and [Room] refuses what would pass it. When the
// process passes it all the same, passed is called once, to end it. The
// collector's percentage follows the heap from then on, unless GOGC is set.
func Limit(bytes float64, passed func()) {
	soft := min(bytes-float64(margin*bytes), math.MaxInt64/2)
	debug.SetMemoryLimit(int64(soft))
	g := newGarbage()
	go func() {
		for {
			time.Sleep(look)
			g.look()
			if total, _ := usage(); total > bytes {
				passed()
				return
			}
		}
	}()
}
