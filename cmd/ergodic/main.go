// Command ergodic samples from posteriors of BUGS models, and diagnoses, plots
// and converts the runs.
package main

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/memory"
)

// version is the release, shown by --version and written to summary.json.
const version = "0.1.0"

type cli struct {
	Memory  memory.Size      `help:"The most that the program may hold: 500M, 4G, 1.5GiB. Default: three quarters of what the machine, or its control group, has." placeholder:"SIZE"`
	Version kong.VersionFlag `help:"Print the version and exit."`
}

// newParser knows the command that comes first, or all of them where none does: to
// read the flags of every command takes half of the time in which the program starts.
func newParser(c *cli, args []string, options ...kong.Option) (*kong.Kong, error) {
	type command struct {
		name, help string
		grammar    any
	}
	commands := []command{
		{"sample", "Sample the posterior of a BUGS model.", &sampleCmd{}},
		{"optimize", "Find the mode of a posterior, and approximate it there.", &optimizeCmd{}},
		{"check", "Parse and compile a model and print its plan.", &checkCmd{}},
		{"jags", "Carry out a script of JAGS.", &jagsCmd{}},
		{"fmt", "Print models in one style.", &fmtCmd{}},
		{"graph", "Print the graph of a model, for Graphviz or as a picture.", &graphCmd{}},
		{"summary", "Summarise the draws of runs, with diagnostics.", &summaryCmd{}},
		{"plot", "Plot the draws of a run.", &plotCmd{}},
		{"export", "Convert the draws of a run to other formats.", &exportCmd{}},
		{"compare", "Compare the parameters and predictions of runs.", &compareCmd{}},
		{"rbm", "Restricted Boltzmann machines.", &rbmCmd{}},
		{"chain", "Analyse a finite Markov chain.", &chainCmd{}},
		{"lda", "Topic models.", &ldaCmd{}},
		{"mrf", "Markov random fields and Bayesian networks.", &mrfCmd{}},
		{"anneal", "Minimise by annealing: cuts, tours, assignments.", &annealCmd{}},
		{"lattice", "Spins on lattices: the Ising and Potts models.", &latticeCmd{}},
		{"text", "Language models and sentences from them.", &textCmd{}},
	}
	named := len(args) > 0 && slices.ContainsFunc(commands, func(one command) bool { return one.name == args[0] })
	for _, one := range commands {
		if !named || one.name == args[0] {
			options = append(options, kong.DynamicCommand(one.name, one.help, "", one.grammar))
		}
	}
	return kong.New(c, append(options, kong.Name("ergodic"), kong.Description("Markov chain Monte Carlo in one binary."),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}), kong.Vars{"version": version})...)
}

// usage is an error in the command line.
func usage(format string, args ...any) error {
	return job.Exit{Code: job.Usage, Err: fmt.Errorf(format, args...)}
}

func main() {
	failedWritesAreErrors()
	os.Exit(run(calledAs(os.Args[0], os.Args[1:])))
}

func run(args []string) (code int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(os.Stderr, "ergodic: this is a bug in Ergodic, please report it with what you ran: %v\n%s", p, debug.Stack())
			code = 1
		}
	}()
	var c cli
	out := &checkedWriter{to: os.Stdout}
	p, err := newParser(&c, args, kong.Writers(out, os.Stderr), kong.Exit(out.exit))
	if err != nil {
		say("ergodic: " + err.Error())
		return job.Usage
	}
	if err := noneEmpty(args); err != nil {
		return wrongUsage(err)
	}
	bare := switches(p.Model.Node)
	k, err := p.Parse(joinNegative(repeatFlags(args, bare), bare))
	if out.err != nil { // of a help
		return status(out.err)
	}
	if err != nil {
		return wrongUsage(err)
	}
	limit, err := limitMemory(float64(c.Memory))
	if err != nil {
		return status(err)
	}
	return status(advise(k.Run(), limit))
}

// wrongUsage points to the help of the command that was meant.
func wrongUsage(err error) int {
	say("ergodic: " + err.Error())
	command := ""
	var p *kong.ParseError
	if errors.As(err, &p) && p.Context != nil {
		if n := p.Context.Selected(); n != nil {
			command = strings.TrimPrefix(n.Path(), "ergodic ") + " "
		}
	}
	say("Run ergodic " + command + "--help for what there is.")
	return job.Usage
}

// judged is an error's exit status, and what there is to say of it. A pattern
// that cannot be read is wrong whatever the files hold, though it is met late.
func judged(err error) (int, error) {
	var e job.Exit
	var unread *draws.PatternError
	switch {
	case errors.As(err, &e):
		return e.Code, e.Err
	case errors.As(err, &unread):
		return job.Usage, err
	}
	return 1, err
}

// status reports an error and gives its exit status.
func status(err error) int {
	if err == nil {
		return 0
	}
	endAtClosedPipe(err)
	code, err := judged(err)
	var placed *bugs.Error
	switch {
	case err == nil:
	case errors.As(err, &placed): // begins with file:line:col, which editors jump to
		say(err.Error())
	default:
		say("ergodic: " + err.Error())
	}
	return code
}
