// Command sentences writes docs/text.md: what the tasks of `ergodic text` write for the benchmarks in the test material ($ERGODIC_SHARED, or shared beside
// the repository), judged by a language model that saw neither them nor the text of the model that writes; how much they differ from sources and references;
// what baselines find; and steps a second.
package main

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
)

//go:embed text.md.tmpl
var page string

func main() {
	steps := flag.Int("steps", 5_000, "steps of each chain")
	dry := flag.Bool("n", false, "print, and write nothing")
	flag.Parse()
	run.Main("sentences", func(ctx context.Context, _ string) error { return write(ctx, *steps, *dry) })
}

func write(ctx context.Context, steps int, dry bool) error {
	root, err := run.Root()
	if err != nil {
		return err
	}
	folder, err := run.Shared("text")
	if err != nil {
		return err
	}
	b := &bench{folder: folder, steps: steps}
	if err := b.train(ctx); err != nil {
		return err
	}
	var p struct{ Steps, Machine, Models, Keywords, Paraphrases, Corrections, Baselines, Speed, Verse string }
	p.Steps, p.Machine, p.Models = fmt.Sprint(steps), run.Machine(), b.models()
	for _, part := range []struct {
		to   *string
		make func(ctx context.Context) (string, error)
	}{{&p.Paraphrases, b.paraphrases}, {&p.Corrections, b.corrections}, {&p.Verse, b.verse}, {&p.Baselines, b.baselines}, {&p.Keywords, b.keywords}, {&p.Speed, b.speed}} {
		if *part.to, err = part.make(ctx); err != nil {
			return err
		}
		fmt.Println(*part.to)
	}
	to := filepath.Join(root, "docs", "text.md")
	if dry {
		to = os.DevNull
	}
	return run.WritePage(to, page, p)
}
