// Command rbm measures annealed importance sampling of restricted Boltzmann machines in Ergodic and in numpy, in one
// run, in turns: the same path, temperatures and number of runs, one core each; then Ergodic on two. It uses the
// python3 named by ERGODIC_PYTHON, or the one on the PATH, and installs nothing.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
	"github.com/ergodic-mcmc/ergodic/internal/cputime"
	"github.com/ergodic-mcmc/ergodic/path"
	"github.com/ergodic-mcmc/ergodic/rbm"
)

func main() {
	models := flag.String("models", "h10,h20,h100,h500", "models to measure")
	bases := flag.String("bases", "zero,rates", "bases to measure: all zero, or base rates of the training data")
	var set settings
	flag.IntVar(&set.runs, "runs", 100, "runs")
	flag.IntVar(&set.temperatures, "temperatures", 10000, "uniform temperatures")
	flag.IntVar(&set.repeat, "repeat", 3, "repetitions; medians are printed")
	flag.Parse()

	run.Main("rbm", func(ctx context.Context, _ string) error {
		return measure(ctx, strings.Split(*models, ","), strings.Split(*bases, ","), set)
	})
}

type settings struct{ runs, temperatures, repeat int }

func measure(ctx context.Context, models, bases []string, set settings) error {
	python := run.Python()
	version, err := exec.CommandContext(ctx, python, "-c", "import numpy; print(numpy.__version__)").Output()
	if err != nil {
		fmt.Println("SKIPPED: no numpy; name a Python that has it in ERGODIC_PYTHON")
		return nil
	}
	dir, err := run.Shared("rbm", "models")
	if err != nil {
		return err
	}
	data, err := rbm.ReadData(filepath.Join(dir, "train.mat"), rbm.Binary{})
	if err != nil {
		return err
	}
	rates := data.MarginalBiases()
	fmt.Println(run.Machine())
	fmt.Printf("%d runs of %d uniform temperatures, medians of %d repetitions in turns; numpy %s, OpenBLAS on one thread;\nseconds of the processor, on two cores those that pass\n\n",
		set.runs, set.temperatures, set.repeat, strings.TrimSpace(string(version)))
	fmt.Printf("%-6s %-6s %21s %21s %16s %15s %9s\n", "", "", "numpy", "ergodic", "ratio", "two cores", "")
	fmt.Printf("%-6s %-6s %9s %11s %9s %11s %7s %8s %9s %5s\n", "model", "base", "s", "log Z", "s", "log Z", "", "range", "s", "gain")
	for _, name := range models {
		m, err := rbm.ReadModel(filepath.Join(dir, name+".mat"))
		if err != nil {
			return err
		}
		for _, base := range bases {
			c := comparison{model: m, base: base, rates: make([]float64, m.Visible), python: python, settings: set}
			if base == "rates" {
				c.rates = rates
			}
			if err := c.run(ctx); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			c.print(name)
		}
	}
	return nil
}

// comparison is one model and base.
type comparison struct {
	settings
	model  *rbm.Model
	base   string
	rates  []float64
	python string

	peer, one         []float64 // seconds of the processor
	wall, two         []float64 // seconds that pass, on one core and on two
	peerLogZ, ownLogZ []float64
}

func (c *comparison) run(ctx context.Context) error {
	file, err := c.write()
	if err != nil {
		return err
	}
	defer os.Remove(file)
	family, err := rbm.NewFamily(c.model, c.rates)
	if err != nil {
		return err
	}
	schedule, err := path.Uniform(c.temperatures)
	if err != nil {
		return err
	}
	for k := range c.repeat {
		if err := c.runPeer(ctx, file, k); err != nil {
			return err
		}
		for threads := 1; threads <= 2; threads++ {
			start, spent := time.Now(), cputime.Process()
			res, err := path.AIS(ctx, family, schedule, path.Settings{Seed: uint64(k), Runs: c.runs, Threads: threads})
			if err != nil {
				return err
			}
			if threads == 2 {
				c.two = append(c.two, time.Since(start).Seconds())
				continue
			}
			c.wall = append(c.wall, time.Since(start).Seconds())
			c.one = append(c.one, cputime.Process()-spent)
			c.ownLogZ = append(c.ownLogZ, res.LogZ)
		}
	}
	return nil
}

func (c *comparison) runPeer(ctx context.Context, file string, seed int) error {
	root, err := run.Root()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, c.python, filepath.Join(root, "bench", "rbm", "ais.py"), file, strconv.Itoa(c.model.Hidden),
		strconv.Itoa(c.runs), strconv.Itoa(c.temperatures), strconv.Itoa(seed), c.base)
	cmd.Env = append(os.Environ(), "OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return err
	}
	var r struct {
		Seconds float64 `json:"seconds"`
		LogZ    float64 `json:"log_z"`
	}
	if err := json.Unmarshal(bytes.TrimSpace(out), &r); err != nil {
		return err
	}
	c.peer = append(c.peer, r.Seconds)
	c.peerLogZ = append(c.peerLogZ, r.LogZ)
	return nil
}

// write makes the file that the peer reads.
func (c *comparison) write() (string, error) {
	f, err := os.CreateTemp("", "rbm-*.f32")
	if err != nil {
		return "", err
	}
	w := bufio.NewWriter(f)
	for _, part := range [][]float64{c.model.W, c.model.HiddenBias, c.model.VisibleBias, c.rates} {
		for _, v := range part {
			w.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(v))))
		}
	}
	if err := w.Flush(); err != nil {
		return "", err
	}
	return f.Name(), f.Close()
}

func (c *comparison) print(name string) {
	ratios := make([]float64, c.repeat)
	gains := make([]float64, c.repeat)
	for k := range ratios {
		ratios[k] = c.peer[k] / c.one[k]
		gains[k] = c.wall[k] / c.two[k]
	}
	fmt.Printf("%-6s %-6s %9.2f %11.3f %9.2f %11.3f %7.2f %3.1f–%3.1f %9.2f %5.2f\n", name, c.base, run.Median(c.peer), run.Median(c.peerLogZ),
		run.Median(c.one), run.Median(c.ownLogZ), run.Median(ratios), slices.Min(ratios), slices.Max(ratios), run.Median(c.two), run.Median(gains))
}
