package fanout

import (
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/runner"
)

func TestEachTaskRunsOnce(t *testing.T) {
	for _, threads := range []int{0, 1, 2, 3, 100} {
		ran := make([]int, 57)
		team := New(threads, func(i int) { ran[i]++ })
		for _, n := range []int{57, 0, 1, 2, 57} {
			clear(ran)
			team.Run(n)
			for i, k := range ran {
				if want := min(max(n-i, 0), 1); k != want {
					t.Fatalf("%d threads, %d tasks: task %d ran %d times", threads, n, i, k)
				}
			}
		}
	}
}

func TestWorkspacesAreNotShared(t *testing.T) {
	for _, threads := range []int{0, 1, 3, 100} {
		for _, n := range []int{0, 1, 2, 57} {
			var spaces atomic.Int64
			ran := make([]int, n)
			Each(threads, n, func() *int { spaces.Add(1); return new(int) }, func(w *int, i int) {
				*w++ // a race if two goroutines have it
				ran[i]++
			})
			for i, k := range ran {
				if k != 1 {
					t.Errorf("%d threads, %d tasks: task %d ran %d times", threads, n, i, k)
				}
			}
			if most := int64(min(max(threads, 1), n)); spaces.Load() > most {
				t.Errorf("%d threads, %d tasks: %d workspaces", threads, n, spaces.Load())
			}
		}
	}
}

func TestPanicReachesTheCaller(t *testing.T) {
	for _, threads := range []int{1, 4} {
		broken := true
		team := New(threads, func(i int) {
			if broken && i == 7 {
				panic("seven")
			}
		})
		func() {
			defer func() {
				if v := recover(); v == nil || !strings.HasPrefix(v.(string), "seven") || threads > 1 && !strings.Contains(v.(string), "fanout_test.go") {
					t.Errorf("%d threads: recovered %v", threads, v)
				}
			}()
			team.Run(20)
			t.Errorf("%d threads: no panic", threads)
		}()
		broken = false
		team.Run(20) // the panic is not remembered
	}
}

func TestFailureReachesTheCaller(t *testing.T) {
	for _, threads := range []int{1, 4} {
		func() {
			defer func() {
				if f, ok := recover().(runner.Failure); !ok || f.Error() != "no way on" {
					t.Errorf("%d threads: %v", threads, f)
				}
			}()
			New(threads, func(int) { panic(runner.Failure{Err: errors.New("no way on")}) }).Run(8)
		}()
	}
}

func TestAllocations(t *testing.T) {
	sum := make([]int, 64)
	for _, threads := range []int{1, 4} {
		team := New(threads, func(i int) { sum[i]++ })
		team.Run(64)
		if n := testing.AllocsPerRun(200, func() { team.Run(64) }); n != 0 {
			t.Errorf("%d threads: %v allocations", threads, n)
		}
	}
}

// Helpers that wait for the next run take part in it, and end where none comes; with one processor for all, too.
func TestRunsInARow(t *testing.T) {
	for _, processors := range []int{1, 2, 8} {
		func() {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
			before := runtime.NumGoroutine()
			sum := make([]int, 5)
			team := New(4, func(i int) { sum[i]++ })
			for run := range 2000 {
				team.Run(2 + run%4)
			}
			for i, k := range sum {
				if want := min(4-max(i-1, 0), 4) * 500; k != want {
					t.Errorf("%d processors: task %d ran %d times, not %d", processors, i, k, want)
				}
			}
			for deadline := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatalf("%d processors: %d goroutines are left", processors, runtime.NumGoroutine()-before)
				}
			}
		}()
	}
}
