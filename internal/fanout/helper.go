package fanout

import (
	"runtime"
	"sync/atomic"
	"time"
)

// linger bounds how long a goroutine looks out for others before it sleeps, since to wake a sleeping thread takes as long: some 70 µs on a
// virtual machine.
const linger = 50 * time.Microsecond

// helper is a goroutine beside the caller's. It ends with the run, or a little later: where runs follow one another closely it
// looks out for the next.
type helper struct {
	phase atomic.Uint32
	run   func() // kept, because a closure made in Run would be allocated there
}

// Phases of a helper.
const (
	absent uint32 = iota
	waiting
	working
)

func (h *helper) prepare(t *Team) {
	h.run = func() {
		for again := true; again; {
			t.work()
			again = h.leave(t)
		}
	}
}

// call has the helper work.
func (h *helper) call() {
	if h.phase.CompareAndSwap(waiting, working) {
		return
	}
	h.phase.Store(working)
	go h.run()
}

// leave tells the caller that the helper has ended, and says whether there was another call. A run begins only when all have told, so that
// what comes before is written by nobody else.
func (h *helper) leave(t *Team) (again bool) {
	stay := t.soon
	if stay {
		h.phase.Store(waiting)
	} else {
		h.phase.Store(absent)
	}
	t.busy.Add(-1)
	t.done.Done()
	if !stay {
		return false
	}
	await(func() bool { return h.phase.Load() == working })
	return !h.phase.CompareAndSwap(waiting, absent)
}

// await looks until there is what it waits for, or for as long as linger. In between other goroutines may have the processor.
func await(there func() bool) {
	const looks = 1 << 10
	for from := time.Now(); ; runtime.Gosched() {
		for range looks {
			if there() {
				return
			}
		}
		if time.Since(from) > linger {
			return
		}
	}
}
