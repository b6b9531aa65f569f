// Command ergodic samples from posteriors of BUGS models and judges, draws and
// converts the runs.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
)

// version is the release, shown by --version and written to summary.json.
const version = "0.1.0"

type cli struct {
	Sample  sampleCmd        `cmd:"" help:"Sample the posterior of a BUGS model."`
	Check   checkCmd         `cmd:"" help:"Parse and compile a model and print its plan."`
	Summary summaryCmd       `cmd:"" help:"Judge the draws of runs."`
	Export  exportCmd        `cmd:"" help:"Convert the draws of a run."`
	Compare compareCmd       `cmd:"" help:"Compare runs."`
	Version kong.VersionFlag `help:"Print the version and exit."`
}

// exitError carries an exit status out of a command: 3 for a diagnostic under
// --strict, 130 for an interrupted run.
type exitError struct {
	code int
	err  error
}

func (e exitError) Error() string { return e.err.Error() }

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var c cli
	p, err := kong.New(&c, kong.Name("ergodic"), kong.Description("Markov chain Monte Carlo in one binary."),
		kong.UsageOnError(), kong.Vars{"version": version}, kong.BindTo(ctx, (*context.Context)(nil)), kong.Exit(func(code int) { os.Exit(code) }))
	if err != nil {
		fmt.Fprintln(os.Stderr, "ergodic:", err)
		return 2
	}
	k, err := p.Parse(args)
	if err != nil {
		fmt.Fprintln(os.Stderr, "ergodic:", err)
		fmt.Fprintln(os.Stderr, "Run ergodic --help, or ergodic sample --help, for what there is.")
		return 2
	}
	err = k.Run()
	var ee exitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &ee):
		if ee.err != nil {
			fmt.Fprintln(os.Stderr, ee.err)
		}
		return ee.code
	}
	fmt.Fprintln(os.Stderr, "ergodic:", err)
	return 1
}
