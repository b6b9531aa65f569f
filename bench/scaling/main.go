// Command scaling measures how the cost of a model grows with its data, on
//
//	y[i] ~ dnorm(a + b * x[i], tau)
//
// with 10³ to 10⁶ observations: time and memory of building, time of an
// iteration, and what a second thread gains; and of a hierarchical logistic
// regression time and memory of check, and time of a sweep.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/model/plan"
	"github.com/ergodic-mcmc/ergodic/rng"
)

const program = `model {
  for (i in 1:N) {
    mu[i] <- a + b * x[i]
    y[i] ~ dnorm(mu[i], tau)
  }
  a ~ dnorm(0, 1.0E-6)
  b ~ dnorm(0, 1.0E-6)
  tau ~ dgamma(1.0E-3, 1.0E-3)
}
`

const inline = `model {
  for (i in 1:N) {
    y[i] ~ dnorm(a + b * x[i], tau)
  }
  a ~ dnorm(0, 1.0E-6)
  b ~ dnorm(0, 1.0E-6)
  tau ~ dgamma(1.0E-3, 1.0E-3)
}
`

func main() {
	largest := flag.Int("n", 1_000_000, "largest number of observations")
	binary := flag.String("ergodic", "", "program to measure; built when empty")
	repeat := flag.Int("repeat", 5, "repetitions of the threads' race; 0 for none")
	flag.Parse()
	run.Main("scaling", func(ctx context.Context, dir string) error { return measure(ctx, dir, *binary, *largest, *repeat) })
}

func measure(ctx context.Context, dir, binary string, largest, repeat int) error {
	binary, err := run.Program(dir, binary)
	if err != nil {
		return err
	}
	fmt.Println(run.Machine())
	if err := growth(ctx, dir, binary, largest); err != nil { // first: what this process holds would count as the most that its child had
		return err
	}
	for _, m := range []struct{ name, text string }{{"y[i] ~ dnorm(a + b * x[i], tau)", inline}, {"the same through mu[i] <- a + b * x[i]", program}} {
		fmt.Printf("%s\n%10s %11s %11s %12s %12s\n", m.name, "N", "read s", "build s", "bytes an", "parsed data,")
		fmt.Printf("%10s %11s %11s %12s %12s\n", "", "", "", "observation", "let go")
		for n := 1000; n <= largest; n *= 10 {
			if err := build(dir, m.text, n); err != nil {
				return err
			}
		}
		fmt.Println()
	}
	if repeat == 0 {
		return nil
	}
	return race(ctx, dir, binary, repeat)
}

// observations writes n observations around the line 1 + 2 x.
func observations(path string, n int) error {
	r := rng.New(1, "scaling", uint64(n)).Rand
	b := fmt.Appendf(nil, "N <- %d\n", n)
	x := make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	b = appendVector(b, "x", x)
	b = appendVector(b, "y", line(x, r))
	return os.WriteFile(path, b, 0o644)
}

func line(x []float64, r *rand.Rand) []float64 {
	y := make([]float64, len(x))
	for i := range x {
		y[i] = 1 + 2*x[i] + r.NormFloat64()
	}
	return y
}

func appendVector(b []byte, name string, x []float64) []byte {
	b = append(b, name+" <- c("...)
	for i, v := range x {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = strconv.AppendFloat(b, v, 'g', 8, 64)
	}
	return append(b, ")\n"...)
}

// build measures reading and building in this process.
func build(dir, text string, n int) error {
	model, data := filepath.Join(dir, "line.bug"), filepath.Join(dir, "line.R")
	if err := os.WriteFile(model, []byte(text), 0o644); err != nil {
		return err
	}
	if err := observations(data, n); err != nil {
		return err
	}
	src, err := os.ReadFile(data)
	if err != nil {
		return err
	}
	before := heap()
	start := time.Now()
	d, err := bugs.ReadData(data, src)
	if err != nil {
		return err
	}
	read := time.Since(start)
	dataBytes := heap() - before
	start = time.Now()
	prog, err := bugs.Parse(model, text)
	if err != nil {
		return err
	}
	compiled, err := bugs.Compile(prog, d, rng.New(1, "data").Rand)
	if err != nil {
		return err
	}
	p, err := plan.New(compiled.Model, nil)
	if err != nil {
		return err
	}
	built := time.Since(start)
	held := heap() - before // as in ergodic sample, the parsed data are not held beside the model
	runtime.KeepAlive(p)
	runtime.KeepAlive(src)
	fmt.Printf("%10d %11.4f %11.4f %12.1f %12.1f\n", n, read.Seconds(), built.Seconds(),
		float64(held)/float64(n), float64(dataBytes)/float64(n))
	return nil
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// race runs the same chains on one thread and on two, in turns.
func race(ctx context.Context, dir, binary string, repeat int) error {
	const n, draws = 10_000, 8000
	model, data := filepath.Join(dir, "line.bug"), filepath.Join(dir, "line.R")
	if err := os.WriteFile(model, []byte(inline), 0o644); err != nil {
		return err
	}
	if err := observations(data, n); err != nil {
		return err
	}
	var wall [2][]float64
	var ratio []float64
	for i := range repeat {
		for t := range 2 {
			j := run.Job{Model: model, Data: []string{data}, Seed: uint64(i), Chains: 4, Warmup: 500, Draws: draws,
				Threads: t + 1, Out: filepath.Join(dir, "run")}
			_, usage, err := run.Sample(ctx, binary, j)
			if err != nil {
				return err
			}
			wall[t] = append(wall[t], usage.Wall.Seconds())
		}
		ratio = append(ratio, wall[0][i]/wall[1][i])
	}
	fmt.Printf("4 chains of %d draws, N = %d, wall time of the whole process: 1 thread %.2f s, 2 threads %.2f s;\n",
		draws, n, run.Median(wall[0]), run.Median(wall[1]))
	fmt.Printf("ratio %.2f (median of %d, from %.2f to %.2f; bar: 1.8; %d processors)\n",
		run.Median(ratio), repeat, slices.Min(ratio), slices.Max(ratio), runtime.NumCPU())
	return nil
}
