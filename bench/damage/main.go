// Command damage damages and mixes the folders of runs at random, and holds
// every command that reads them to what it says of the whole ones.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
)

func main() {
	n := flag.Int("n", 1000, "damaged folders")
	seed := flag.Uint64("seed", 1, "of the damages")
	only := flag.Int("only", -1, "make only this damage, and say all")
	program := flag.String("ergodic", "", "the program; default: built from here")
	flag.Parse()
	if err := judgeAll(*n, *seed, *only, *program); err != nil {
		fmt.Fprintln(os.Stderr, "damage:", err)
		os.Exit(1)
	}
}

func judgeAll(n int, seed uint64, only int, program string) error {
	work, err := os.MkdirTemp("", "damage")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if program, err = run.Program(work, program); err != nil {
		return err
	}
	began := time.Now()
	b, err := newBench(program, work)
	if err != nil {
		return err
	}
	fmt.Printf("%s\n%d folders, seed %d\n", run.Machine(), n, seed)
	var t tally
	for k := range n {
		if only >= 0 && k != only {
			continue
		}
		trials, err := b.trial(seed, k)
		if err != nil {
			return err
		}
		for _, r := range trials {
			t.add(r)
			if r.bad() || only >= 0 {
				fmt.Printf("%d: %s: %s: %s: %s\n%s", k, r.folder, r.damage, r.command, r.verdict, r.said)
			}
		}
	}
	fmt.Printf("%.0f s\n%s", time.Since(began).Seconds(), &t)
	if t.bad() > 0 {
		return fmt.Errorf("%d answers are not as they should be", t.bad())
	}
	return nil
}
