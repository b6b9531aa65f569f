package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// maxCut has the graphs of G-set up to 3000 nodes; bench/maxcut has all.
func (b *bench) maxCut(ctx context.Context) (string, error) {
	all, err := b.files("gset", "G*[0-9].txt")
	if err != nil {
		return "", err
	}
	var list []found
	for _, file := range all {
		n, err := firstNumber(filepath.Join(b.shared, file))
		if err != nil {
			return "", err
		}
		if n > 3000 {
			continue
		}
		f, err := b.anneal(ctx, "maxcut", file, b.known("gset", "best_known.csv"), "--time", b.limit.String())
		if err != nil {
			return "", err
		}
		list = append(list, f)
	}
	slices.SortStableFunc(list, func(x, y found) int { return cmp.Compare(x.Variables, y.Variables) })
	var out strings.Builder
	fmt.Fprintf(&out, "%-6s %6s %8s %10s %9s %7s %8s %7s %14s\n", "graph", "nodes", "cut", "best known", "gap", "reads", "at best", "CPU s", "moves/s, core")
	for _, f := range list {
		fmt.Fprintf(&out, "%-6s %6d %8.0f %10.0f %9s %7d %8d %7.1f %14.3g\n", f.name(), f.Variables, f.Best, *f.BestKnown, f.gap(), f.Reads, f.AtBest, f.CPUS, f.MovesPerS)
	}
	return out.String(), nil
}

// firstNumber begins a file.
func firstNumber(path string) (int, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	words := strings.Fields(string(text[:min(len(text), 100)]))
	if len(words) == 0 {
		return 0, fmt.Errorf("%s is empty", path)
	}
	return strconv.Atoi(words[0])
}

// qubo counts, for each kind of the Biq Mac library, how many instances come to their best value within the time, and how soon.
func (b *bench) qubo(ctx context.Context) (string, error) {
	var out strings.Builder
	fmt.Fprintf(&out, "%-34s %10s %8s %16s %15s\n", "instances", "variables", "of them", "at best known", "s, mean and max")
	for _, kind := range []struct {
		title, problem, known string
		patterns              []string
	}{{"QUBO, Beasley (bqp)", "qubo", "optimal_beasley.txt", []string{"bqp*.sparse"}}, {"QUBO, Glover and others (gka)", "qubo", "optimal_gka.txt", []string{"gka*.sparse"}},
		{"Max-Cut, rudy (g05, pm1, w)", "maxcut", "optimal_rudy.txt", []string{"g05*", "pm1*", "pw*", "w0*"}}, {"Max-Cut, Ising chains and tori", "maxcut", "optimal_ising.txt", []string{"ising*5555", "t*5555"}}} {
		n, good, sum, most, least, greatest := 0, 0, 0.0, 0.0, 1<<30, 0
		for _, pattern := range kind.patterns {
			all, err := b.files("qubo", pattern)
			if err != nil {
				return "", err
			}
			for _, file := range all {
				known, err := valueIn(b.known("qubo", kind.known), filepath.Base(file))
				if err != nil {
					return "", err
				}
				if known == "" {
					continue
				}
				f, err := b.anneal(ctx, kind.problem, file, known, "--time", b.limit.String(), "--target", known)
				if err != nil {
					return "", err
				}
				n++
				if *f.Gap <= 0 {
					good++
				}
				sum, most, least, greatest = sum+f.WallS, max(most, f.WallS), min(least, f.Variables), max(greatest, f.Variables)
			}
		}
		fmt.Fprintf(&out, "%-34s %10s %8d %16d %8.2f %6.2f\n", kind.title, fmt.Sprintf("%d–%d", least, greatest), n, good, sum/float64(n), most)
	}
	return out.String(), nil
}

// valueIn is the value beside a name in a text of lines; "" where it has none.
func valueIn(path, file string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	bare := strings.TrimSuffix(file, ".sparse")
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if words := strings.Fields(lines.Text()); len(words) > 1 && words[0] == bare {
			return words[1], nil
		}
	}
	return "", nil
}

// tours are the instances that are measured one by one.
var tours = []string{"berlin52", "kroA100", "tsp225", "a280", "lin318", "att532", "rat783", "pr1002", "vm1084", "u2152"}

// tspMoves gives each instance 20 million moves on one core: to one read, or to four up to 300 cities.
func (b *bench) tspMoves(ctx context.Context) (string, error) {
	return b.tours(ctx, func(n int) []string {
		reads := 1
		if n <= 300 {
			reads = 4
		}
		return []string{"--reads", strconv.Itoa(reads), "--threads", "1", "--sweeps", strconv.Itoa(20_000_000 / n / reads)}
	})
}

// tspTime gives each instance the time on all cores.
func (b *bench) tspTime(ctx context.Context) (string, error) {
	return b.tours(ctx, func(int) []string { return []string{"--time", b.limit.String()} })
}

func (b *bench) tours(ctx context.Context, flags func(n int) []string) (string, error) {
	var out strings.Builder
	fmt.Fprintf(&out, "%-10s %7s %8s %8s %9s %7s %14s\n", "instance", "cities", "length", "optimum", "gap", "CPU s", "moves/s, core")
	for _, name := range tours {
		file := filepath.Join("tsplib", name+".tsp")
		if _, err := os.Stat(filepath.Join(b.shared, file)); err != nil {
			continue
		}
		digits := strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
		n, err := strconv.Atoi(digits)
		if err != nil {
			return "", err
		}
		f, err := b.anneal(ctx, "tsp", file, b.known("tsplib", "solutions"), flags(n)...)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&out, "%-10s %7d %8.0f %8.0f %9s %7.1f %14.3g\n", f.name(), f.Variables, f.Best, *f.BestKnown, f.gap(), f.CPUS, f.MovesPerS)
	}
	return out.String(), nil
}

// qap gives each instance of QAPLIB the time, or until the best known is found.
func (b *bench) qap(ctx context.Context) (string, error) {
	all, err := b.files("qaplib", "*.dat")
	if err != nil {
		return "", err
	}
	values, err := column(b.known("qaplib", "optima.csv"), "recomputed")
	if err != nil {
		return "", err
	}
	var list []found
	for _, file := range all {
		known, ok := values[strings.TrimSuffix(filepath.Base(file), ".dat")]
		if !ok {
			continue
		}
		f, err := b.anneal(ctx, "qap", file, known, "--time", b.limit.String(), "--target", known)
		if err != nil {
			return "", err
		}
		list = append(list, f)
	}
	slices.SortStableFunc(list, func(x, y found) int { return cmp.Compare(x.Variables, y.Variables) })
	var out strings.Builder
	fmt.Fprintf(&out, "%-10s %4s %12s %12s %9s %7s %14s\n", "instance", "n", "cost", "best known", "gap", "CPU s", "moves/s, core")
	for _, f := range list {
		fmt.Fprintf(&out, "%-10s %4d %12.0f %12.0f %9s %7.2f %14.3g\n", f.name(), f.Variables, f.Best, *f.BestKnown, f.gap(), f.CPUS, f.MovesPerS)
	}
	return out.String(), nil
}

// column reads the numbers of a column of CSV by the names in the first.
func column(path, name string) (map[string]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	at := -1
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSpace(line), ",")
		if at < 0 {
			if at = slices.Index(fields, name); at < 0 {
				return nil, fmt.Errorf("%s has no column %s", path, name)
			}
			continue
		}
		if _, err := strconv.ParseFloat(fields[at], 64); err == nil {
			all[fields[0]] = fields[at]
		}
	}
	return all, nil
}
