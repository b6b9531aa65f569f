// Command hostile runs ergodic on inputs that ask for too much: short models
// with endless loops, files that claim what they do not hold, compressed
// zeros, damaged runs. Each input is less than 1 MB, and a seed makes all of
// them. None may take more memory than --memory allows or more than ten
// seconds of a processor, end in a stack trace, hang, or say it in a message
// that is longer than a screen or holds control bytes.
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
)

func main() {
	n := flag.Int("n", 1000, "how many inputs")
	seed := flag.Uint64("seed", 1, "which inputs")
	only := flag.Int("only", -1, "run this one alone, and show what it says")
	keep := flag.String("keep", "", "folder for the inputs that fail")
	memory := flag.String("memory", "1G", "what each process may hold")
	at := flag.Int("at", 1, "how many run at a time")
	flag.Parse()
	if err := attemptAll(*n, *seed, *only, *keep, *memory, *at); err != nil {
		fmt.Fprintln(os.Stderr, "hostile:", err)
		os.Exit(1)
	}
}

func attemptAll(n int, seed uint64, only int, keep, memory string, at int) error {
	dir, err := os.MkdirTemp("", "hostile")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program, err := run.Build(dir)
	if err != nil {
		return err
	}
	base, err := baseRun(program, dir)
	if err != nil {
		return err
	}
	fmt.Printf("%s\n%d inputs of seed %d, --memory %s\n", run.Machine(), n, seed, memory)
	t := totals{by: map[string]*kindTotals{}}
	var workers sync.WaitGroup
	numbers := make(chan int)
	for range max(1, at) {
		workers.Go(func() {
			for k := range numbers {
				in := makeInput(rand.New(rand.NewPCG(seed, uint64(k))), base)
				work := filepath.Join(dir, fmt.Sprint(k))
				o, err := attempt(program, work, memory, in)
				if err != nil {
					o.faults = append(o.faults, "is not run: "+err.Error())
				}
				t.add(k, in, o)
				if only >= 0 {
					fmt.Printf("%q\n%s\n", in.args, o.said)
				}
				if len(o.faults) > 0 && keep != "" {
					if err := os.Rename(work, filepath.Join(keep, fmt.Sprint(k))); err != nil {
						fmt.Fprintln(os.Stderr, "hostile:", err)
					}
				}
				os.RemoveAll(work)
			}
		})
	}
	for k := range n {
		if only < 0 || k == only {
			numbers <- k
		}
	}
	close(numbers)
	workers.Wait()
	t.print()
	if t.failed > 0 {
		return fmt.Errorf("%d inputs are not taken as they should be", t.failed)
	}
	return nil
}

// totals are the results so far.
type totals struct {
	mu     sync.Mutex
	by     map[string]*kindTotals
	failed int
}

type kindTotals struct {
	n, done, refused, failed int
	peak                     int64 // MB
	cpu                      time.Duration
}

func (t *totals) add(k int, in input, o outcome) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.by[in.kind]
	if s == nil {
		s = &kindTotals{}
		t.by[in.kind] = s
	}
	s.n++
	s.peak, s.cpu = max(s.peak, o.peakMB), max(s.cpu, o.cpu)
	if o.status == 0 {
		s.done++
	} else {
		s.refused++
	}
	if len(o.faults) > 0 {
		s.failed++
		t.failed++
		fmt.Printf("%d %s: %s; %q: status %d, %.1f s, %d MB: %.200q\n", k, in.kind, strings.Join(o.faults, ", "), in.args, o.status, o.cpu.Seconds(), o.peakMB, o.said)
	}
}

func (t *totals) print() {
	fmt.Printf("%-12s %6s %6s %8s %7s %9s %10s\n", "kind", "inputs", "done", "refused", "failed", "peak MB", "longest s")
	var kinds []string
	for k := range t.by {
		kinds = append(kinds, k)
	}
	slices.Sort(kinds)
	for _, k := range kinds {
		s := t.by[k]
		fmt.Printf("%-12s %6d %6d %8d %7d %9d %10.1f\n", k, s.n, s.done, s.refused, s.failed, s.peak, s.cpu.Seconds())
	}
	fmt.Printf("%d failed\n", t.failed)
}
