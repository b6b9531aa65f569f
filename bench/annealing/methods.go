package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
)

// ways are methods and schedules, with the factor by which a read takes more moves than one of annealing.
var ways = []struct {
	name, flags string
	only        string // the problems, where not all can
	sweeps      int    // of a read, where it moves as many replicas as that is less than 2000
}{
	{"annealing, geometric", "--schedule geometric", "", 2000},
	{"annealing, linear in T", "--schedule linear", "", 2000},
	{"annealing, linear in β", "--schedule linear-beta", "", 2000},
	{"annealing, logarithmic", "--schedule logarithmic", "", 2000},
	{"annealing, by acceptance", "--schedule acceptance", "", 2000},
	{"annealing, by specific heat", "--schedule specific-heat", "", 2000},
	{"threshold accepting", "--method threshold", "maxcut", 2000},
	{"parallel tempering, 20 rungs", "--method tempering --rungs 20", "", 100},
	{"population annealing, 64", "--method population --population 64", "", 31},
	{"hill climbing, stochastic", "--method stochastic", "", 2000},
	{"hill climbing, steepest", "--method steepest", "maxcut", 2000},
	{"hill climbing, first", "--method first", "maxcut", 2000},
}

// methods compares all on three instances.
func (b *bench) methods(ctx context.Context) (string, error) {
	instances := []struct{ problem, file, known string }{{"maxcut", "gset/G14.txt", b.known("gset", "best_known.csv")},
		{"tsp", "tsplib/kroA100.tsp", b.known("tsplib", "solutions")}, {"qap", "qaplib/tai30a.dat", b.known("qaplib", "optima.csv")}}
	var out strings.Builder
	fmt.Fprintf(&out, "%-29s", "mean gap of reads")
	for _, in := range instances {
		fmt.Fprintf(&out, " %15s", strings.TrimSuffix(filepath.Base(in.file), filepath.Ext(in.file)))
	}
	out.WriteByte('\n')
	for _, way := range ways {
		fmt.Fprintf(&out, "%-29s", way.name)
		for _, in := range instances {
			if way.only != "" && way.only != in.problem {
				fmt.Fprintf(&out, " %15s", "–")
				continue
			}
			f, err := b.anneal(ctx, in.problem, in.file, in.known, append(strings.Fields(way.flags), "--reads", "32", "--sweeps", fmt.Sprint(way.sweeps))...)
			if err != nil {
				return "", err
			}
			gap := (f.Mean - *f.BestKnown) / *f.BestKnown
			if in.problem == "maxcut" {
				gap = -gap
			}
			fmt.Fprintf(&out, " %13.3f %%", 100*gap)
		}
		out.WriteByte('\n')
	}
	return out.String(), nil
}
