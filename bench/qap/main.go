// Command qap measures annealing of quadratic assignments on the instances of ../shared/anneal/qaplib: the value found in a limited
// time, beside the best known one, and after how long that one was found.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/ergodic-mcmc/ergodic/anneal"
	"github.com/ergodic-mcmc/ergodic/anneal/qap"
	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
)

func main() {
	only := flag.String("only", "", "instances whose names match")
	limit := flag.Duration("time", 10*time.Second, "for each instance")
	threads := flag.Int("threads", 2, "reads at a time")
	sweeps := flag.Int("sweeps", 0, "of a read; 0: by the clock, as long as there is time")
	seed := flag.Uint64("seed", 1, "of the reads")
	flag.Parse()
	run.Main("qap", func(ctx context.Context, _ string) error {
		pattern, err := regexp.Compile(*only)
		if err != nil {
			return err
		}
		return measure(ctx, pattern, anneal.Settings{Seed: *seed, Threads: *threads, Time: *limit, Sweeps: *sweeps, HasTarget: true})
	})
}

func measure(ctx context.Context, only *regexp.Regexp, set anneal.Settings) error {
	folder, err := run.Shared("anneal", "qaplib")
	if err != nil {
		return err
	}
	table, err := os.ReadFile(filepath.Join(folder, "optima.csv"))
	if err != nil {
		return err
	}
	fmt.Printf("%-9s %4s %11s %11s %8s %6s %6s %9s\n", "instance", "n", "best known", "found", "above %", "s", "CPU s", "moves/s")
	for line := range strings.Lines(string(table)) {
		field := strings.Split(line, ",")
		best, err := strconv.ParseFloat(field[2], 64)
		if field[0] == "esc32a" {
			best, err = 130, nil // QAPLIB's page; optima.csv has no value
		}
		if err != nil || !only.MatchString(field[0]) {
			continue
		}
		if err := one(ctx, folder, field[0], best, set); err != nil {
			return err
		}
	}
	return nil
}

func one(ctx context.Context, folder, name string, best float64, set anneal.Settings) error {
	path := filepath.Join(folder, name+".dat")
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	p, err := qap.Read(path, text)
	if err != nil {
		return err
	}
	set.Target = best
	began := time.Now()
	found, err := anneal.Run(ctx, p, set)
	if err != nil {
		return err
	}
	took := time.Since(began)
	if check, err := p.Evaluate(found.Solution); err != nil || check != found.Best {
		return fmt.Errorf("%s: a value of %v, and the solution's is %v: %v", name, found.Best, check, err)
	}
	fmt.Printf("%-9s %4d %11.0f %11.0f %8.3f %6.2f %6.2f %9.3g\n", name, p.Variables(), best, found.Best, 100*(found.Best/best-1), took.Seconds(), float64(found.Moves)/found.Rate, found.Rate)
	return nil
}
