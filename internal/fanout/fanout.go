// Package fanout runs the numbered tasks of one step of a kernel on several goroutines,
// without allocating. Which goroutine runs which task is left open: tasks must not share
// what they write, nor a random stream.
package fanout

import (
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/runner"
)

// Team runs one function over indices. It serves one caller at a time.
type Team struct {
	task    func(i int)
	threads int
	helpers []helper

	n      int
	next   atomic.Int64
	busy   atomic.Int32   // helpers that have not ended
	done   sync.WaitGroup // of the same, for a caller that has waited long enough
	failed atomic.Pointer[failure]

	ended time.Time // the run before
	soon  bool      // runs follow one another closely: helpers wait for the next
}

type failure struct {
	value any
	stack []byte
}

// New returns a team of this many goroutines, the caller's among them; 1 or fewer run the
// tasks in order where they are called from.
func New(threads int, task func(i int)) *Team {
	t := &Team{task: task, threads: threads, helpers: make([]helper, max(threads-1, 0))}
	for i := range t.helpers {
		t.helpers[i].prepare(t)
	}
	return t
}

// Run runs the tasks 0 to n-1 and returns when all have ended. Where a task panicked it panics too, in the
// caller's goroutine, where that can be recovered, with the words and the stack of the task; a runner.Failure as it is.
func (t *Team) Run(n int) {
	if min(t.threads, n) <= 1 {
		for i := range n {
			t.task(i)
		}
		return
	}
	t.n = n
	t.next.Store(0)
	t.soon = time.Since(t.ended) < linger
	helpers := t.helpers[:min(t.threads, n)-1]
	t.busy.Store(int32(len(helpers)))
	t.done.Add(len(helpers))
	for i := range helpers {
		helpers[i].call()
	}
	t.work()
	await(func() bool { return t.busy.Load() == 0 })
	t.done.Wait()
	t.ended = time.Now()
	if f := t.failed.Swap(nil); f != nil {
		if told, ok := f.value.(runner.Failure); ok {
			panic(told)
		}
		panic(fmt.Sprintf("%v\n%s", f.value, f.stack))
	}
}

// Each runs the tasks 0 to n-1 on this many goroutines, each of which has a workspace. It
// panics as [Team.Run] does.
func Each[W any](threads, n int, workspace func() W, task func(w W, i int)) {
	var next atomic.Int64
	New(threads, func(int) {
		w := workspace()
		for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
			task(w, int(i))
		}
	}).Run(min(max(threads, 1), n))
}

func (t *Team) work() {
	defer func() {
		if v := recover(); v != nil {
			t.failed.Store(&failure{v, debug.Stack()})
		}
	}()
	for i := t.next.Add(1) - 1; i < int64(t.n); i = t.next.Add(1) - 1 {
		t.task(int(i))
	}
}
