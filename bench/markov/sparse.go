package main

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/ergodic-mcmc/ergodic/markov"
)

func bits(v float64) uint64 { return math.Float64bits(v) }

// graph is a random walk on a graph with random weights, whose stationary distribution is known: the sum of the weights
// at a state over twice all weights.
type graph struct {
	list []markov.Transition
	sum  []float64
}

func (g *graph) add(i, j int, w float64) {
	g.list = append(g.list, markov.Transition{From: int32(i), To: int32(j), P: w}, markov.Transition{From: int32(j), To: int32(i), P: w})
	g.sum[i] += w
	g.sum[j] += w
}

// regular joins every state to ten others, by five cycles through random orders of the states; where two of these share
// an edge the second is left out.
func regular(n int, r *rand.Rand) *graph {
	g := &graph{sum: make([]float64, n)}
	seen := make(map[uint64]bool, 5*n)
	for range 5 {
		order := r.Perm(n)
		for k, i := range order {
			j := order[(k+1)%n]
			key := uint64(min(i, j))<<32 | uint64(max(i, j))
			if !seen[key] {
				seen[key] = true
				g.add(i, j, 0.1+r.Float64())
			}
		}
	}
	return g
}

// grid is a square with eight neighbours a state and uneven weights: it mixes slowly, in some n steps.
func grid(n int, r *rand.Rand) *graph {
	side := int(math.Sqrt(float64(n)))
	g := &graph{sum: make([]float64, side*side)}
	for i := range side * side {
		x, y := i%side, i/side
		for _, d := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
			if a, b := x+d[0], y+d[1]; a >= 0 && a < side && b < side {
				g.add(i, b*side+a, 0.1+r.Float64())
			}
		}
	}
	return g
}

// sparse solves chains of growing size to 1e-10.
func sparse(largest int) error {
	fmt.Println("sparse, by iteration to a total variation of 1e-10")
	fmt.Printf("  %-9s %9s %12s %7s %9s %12s %11s %11s\n", "graph", "states", "transitions", "cycles", "seconds", "ns/trans.", "estimate", "true error")
	for _, kind := range []struct {
		name string
		make func(int, *rand.Rand) *graph
	}{{"random", regular}, {"grid", grid}} {
		for n := largest / 100; n <= largest; n *= 10 {
			if err := solve(kind.name, kind.make(n, rand.New(rand.NewPCG(1, 2)))); err != nil {
				return err
			}
			runtime.GC()
		}
	}
	return nil
}

func solve(name string, g *graph) error {
	n := len(g.sum)
	c, err := markov.NewSparseNormalised(n, g.list)
	if err != nil {
		return err
	}
	g.list = nil
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began := time.Now()
	s, err := markov.Solver{Dense: -1}.Solve(c)
	if err != nil {
		return err
	}
	seconds := time.Since(began).Seconds()
	runtime.ReadMemStats(&after)
	total := 0.0
	for _, v := range g.sum {
		total += v
	}
	for i := range g.sum {
		g.sum[i] /= total
	}
	m := c.Transitions()
	fmt.Printf("  %-9s %9d %12d %7d %9.2f %12.0f %11.1e %11.1e   %.0f bytes allocated a transition\n", name, n, m, s.Cycles, seconds,
		seconds*1e9/float64(m), s.Error, markov.TotalVariation(s.Pi, g.sum), float64(after.TotalAlloc-before.TotalAlloc)/float64(m))
	return nil
}

// read times a list of ten transitions a state, and the refusal of its last line when broken.
func read(n int) error {
	g := regular(n, rand.New(rand.NewPCG(1, 3)))
	var text bytes.Buffer
	w := bufio.NewWriter(&text)
	for _, t := range g.list {
		line := strconv.AppendInt(w.AvailableBuffer(), int64(t.From), 10)
		line = append(strconv.AppendInt(append(line, ' '), int64(t.To), 10), ' ')
		_, _ = w.Write(append(strconv.AppendFloat(line, t.P, 'g', -1, 64), '\n'))
	}
	w.Flush()
	lines := len(g.list)
	g = nil
	began := time.Now()
	c, err := markov.Read(bytes.NewReader(text.Bytes()), markov.ReadSettings{Normalise: true})
	if err != nil {
		return err
	}
	fmt.Printf("reading %d lines, %d MB: %.2f s; %d states\n", lines, text.Len()>>20, time.Since(began).Seconds(), c.Len())
	text.WriteString("1 2 x\n")
	began = time.Now()
	_, err = markov.Read(&text, markov.ReadSettings{Name: "chain", Normalise: true})
	fmt.Printf("a broken last line: %.2f s: %v\n", time.Since(began).Seconds(), err)
	if b, err := os.ReadFile("/proc/self/status"); err == nil {
		for line := range strings.Lines(string(b)) {
			if strings.HasPrefix(line, "VmHWM") {
				fmt.Println("peak memory of this program:", strings.TrimSpace(strings.TrimPrefix(line, "VmHWM:")))
			}
		}
	}
	return nil
}
