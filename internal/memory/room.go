package memory

import (
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// small is what is granted without a look: the watch accounts for it.
const small = 1 << 20

// most is the limit where none is set. More can be neither had nor counted in an int.
const most = 1 << 46

// Error says that there is no room.
type Error struct {
	Need, Left float64 // bytes
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s of memory would be needed, and %s are left", wording.Bytes(e.Need), wording.Bytes(e.Left))
}

// Room fails with an [*Error] when so many bytes more would pass the limit of
// memory, the one that [debug.SetMemoryLimit] and GOMEMLIMIT set. It keeps
// nothing: ask for all that will be held at one time, right before taking it.
// A library's user who sets no limit has none.
func Room(bytes float64) error {
	if bytes < small {
		return nil
	}
	limit := min(float64(debug.SetMemoryLimit(-1)), most)
	if bytes <= limit-held() {
		return nil
	}
	if bytes <= limit {
		runtime.GC() // what was held may be garbage
	}
	left := max(0, limit-held())
	if bytes <= left {
		return nil
	}
	return &Error{Need: bytes, Left: left}
}

// held is how many bytes the process holds, and does not keep free for use.
func held() float64 {
	total, unused := usage()
	return total - unused
}

// usage is how many bytes the process has of the system, and how many of these
// the heap has ready.
func usage() (total, unused float64) {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}, {Name: "/memory/classes/heap/free:bytes"}}
	metrics.Read(s)
	return float64(s[0].Value.Uint64() - s[1].Value.Uint64()), float64(s[2].Value.Uint64())
}

// Product multiplies counts as numbers that do not overflow.
func Product(counts ...int) float64 {
	p := 1.0
	for _, n := range counts {
		p *= float64(n)
	}
	return min(p, math.MaxFloat64)
}
