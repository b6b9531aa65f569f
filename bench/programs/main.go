// Programs judges the plans of random programs (package modeltest), shrinks those that
// fail, and prints them with their data.
package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/modeltest"
)

func main() {
	n := flag.Int("n", 200, "number of programs")
	seed := flag.Uint64("seed", 1, "seed of the first one; the others follow")
	threads := flag.Int("threads", runtime.GOMAXPROCS(0), "programs judged at the same time")
	tries := flag.Int("shrink", 60, "programs tried to make one that fails smaller")
	stop := flag.Bool("stop", false, "stop at the first one that fails, without making it smaller")
	verbose := flag.Bool("v", false, "print refused and doubtful programs too")
	flag.Parse()
	t := &tally{judged: map[string]int{}, seen: map[modeltest.Verdict]int{}, verbose: *verbose, stop: *stop, tries: *tries}
	start := time.Now()
	seeds := make(chan uint64)
	var wg sync.WaitGroup
	for range *threads {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for s := range seeds {
				t.judge(s)
			}
		}()
	}
	for i := range *n {
		if t.stopped() {
			break
		}
		seeds <- *seed + uint64(i)
	}
	close(seeds)
	wg.Wait()
	fmt.Printf("from seed %d in %.0f s:", *seed, time.Since(start).Seconds())
	for v := modeltest.Silent; v <= modeltest.Failed; v++ {
		fmt.Printf(" %d %s", t.seen[v], v)
	}
	fmt.Println()
	for _, k := range slices.Sorted(maps.Keys(t.judged)) {
		fmt.Printf("%6d %s\n", t.judged[k], k)
	}
	if t.seen[modeltest.Failed] > 0 {
		os.Exit(1)
	}
}

type tally struct {
	mu      sync.Mutex
	seen    map[modeltest.Verdict]int
	judged  map[string]int // programs in which a kernel or a judge took part
	verbose bool
	stop    bool
	tries   int
}

func (t *tally) stopped() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.stop && t.seen[modeltest.Failed] > 0
}

func (t *tally) judge(seed uint64) {
	start := time.Now()
	res := modeltest.Check(seed, modeltest.Short())
	took := time.Since(start).Seconds()
	small := ""
	if res.Verdict == modeltest.Failed && !t.stop {
		small = t.shrink(res)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seen[res.Verdict]++
	slices.Sort(res.Judged)
	for _, k := range slices.Compact(res.Judged) {
		t.judged[k]++
	}
	if took > 60 {
		fmt.Printf("seed %d took %.0f s\n", seed, took)
	}
	switch {
	case res.Verdict == modeltest.Failed:
		fmt.Printf("FAILED %v\n%v\n%s\n", res.Err, res.Case, small)
	case res.Verdict == modeltest.Doubtful && t.verbose:
		fmt.Printf("%s %v\n%v\n", res.Verdict, res.Err, res.Case)
	case res.Verdict == modeltest.Refusal && t.verbose:
		fmt.Printf("%s, seed %d: %v\n", res.Verdict, seed, res.Err)
	}
}

// shrink shows the smallest program that fails like the one found.
func (t *tally) shrink(res modeltest.Result) string {
	var last modeltest.Result
	modeltest.Shrink(res.Case.Program, t.tries, func(p *modeltest.Program) bool {
		r := modeltest.CheckProgram(p, res.Case.Seed, modeltest.Short())
		if r.Verdict == modeltest.Failed {
			last = r
			return true
		}
		return false
	})
	if last.Case == nil {
		return "(no smaller program fails)"
	}
	return fmt.Sprintf("smaller: %v\n%v", last.Err, last.Case)
}
