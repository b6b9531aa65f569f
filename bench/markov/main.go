// Command markov measures stationary distributions: dense ones beside QuantEcon.py, sparse ones of up to a million
// states against exact solutions, and the reading of a file of ten million transitions.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
)

func main() {
	n := flag.Int("n", 1000, "states of the dense chain")
	python := flag.String("python", "python3", "Python with quantecon")
	repetitions := flag.Int("repetitions", 5, "repetitions of the dense chain; the fastest counts")
	states := flag.Int("states", 1_000_000, "states of the largest sparse chain")
	part := flag.String("part", "all", "dense, sparse, read or all")
	flag.Parse()
	fmt.Println(run.Machine())
	for _, p := range []struct {
		name string
		run  func() error
	}{
		{"dense", func() error { return dense(*n, *python, *repetitions) }},
		{"sparse", func() error { return sparse(*states) }},
		{"read", func() error { return read(*states) }},
	} {
		if *part != "all" && *part != p.name {
			continue
		}
		if err := p.run(); err != nil {
			fmt.Fprintln(os.Stderr, "markov:", err)
			os.Exit(1)
		}
	}
}
