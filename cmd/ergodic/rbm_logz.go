package main

import (
	"io"

	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/rbmreport"
	"github.com/ergodic-mcmc/ergodic/rbm"
	"github.com/ergodic-mcmc/ergodic/report"
)

// rbmMethodFlags say how log Z is found.
type rbmMethodFlags struct {
	Base         string  `help:"Where paths begin: own, units that are on as often as the machine's; uniform; or rates, units that are on as often as in the data of --train." enum:"own,uniform,rates" default:"own"`
	Straight     bool    `help:"Scale weights and biases along the path by the same factor, as is usual, instead of keeping the units' rates."`
	Together     bool    `help:"For sams and samc: one run over all machines, which tells them from each other; log Z is exact for the first where that is quick, and relative to it for the rest."`
	Runs         *int    `help:"Independent runs, populations, chains or starts; default: the method's." placeholder:"N"`
	Temperatures *int    `help:"Temperatures along the path; default: the method's." placeholder:"N"`
	Particles    *int    `help:"Particles in each population of smc; default: as many as take 25 s to a minute of one core." placeholder:"N"`
	Rounds       *int    `help:"Rounds of each chain of rts, ts, mbar, sams and samc; draws at each temperature of ti, stepping, bridge and pt; default: the method's." placeholder:"N"`
	Schedule     string  `help:"How temperatures lie: uniform, geometric, sigmoid, length or friction (measured by a pilot), or pieces such as 500:0.5,4000:0.9,10000:1. Default: length for smc and sandwich, otherwise uniform." placeholder:"HOW"`
	Prior        bool    `name:"beta-from-prior" help:"For rts: draw temperatures from their prior, as a course paper did. Biased; only to reproduce its numbers."`
	Order        int     `help:"Order of tap: 1, 2 or 3." default:"2"`
	Damping      float64 `help:"Damping of tap." default:"0.5"`
}

// rbmRunFlags are those of a job on machines that may be resumed.
type rbmRunFlags struct {
	Seed *uint64 `help:"64-bit seed; drawn from the system and printed when not given."`
	Out  string  `help:"Folder for summary.json and for what --resume needs. Without one, a run that is interrupted makes one, and a run that is killed leaves nothing." placeholder:"DIR"`
	resumable
	wideFlag
}

type rbmLogzCmd struct {
	Models []string      `arg:"" optional:"" name:"model" help:"Machines: .mat of MATLAB version 5, or .npz, with parameter_W (visible×hidden), parameter_a (hidden bias) and parameter_b (visible bias)."`
	Method rbm.Estimator `help:"auto, exact, smc, ais, sandwich, rts, ts, mbar, sams, samc, ti, stepping, bridge, pt or tap. auto is exact where the smaller layer has at most 24 units, otherwise smc." enum:"auto,exact,smc,ais,sandwich,rts,ts,mbar,sams,samc,ti,stepping,bridge,pt,tap" default:"auto"`
	rbmMethodFlags
	rbmDataFlags
	Train string `help:"Training data, for --base rates." placeholder:"FILE"`
	rbmRunFlags
}

const rbmLogzJob = "rbm logz"

// Run finds log Z of each machine.
func (c *rbmLogzCmd) Run() error { return noticed(c.Progress, c.run) }

func (c *rbmLogzCmd) run(v *job.Notices) error {
	w := &rbmWork{Run: &job.Run{Name: rbmLogzJob, Version: version, Say: v}, flags: c.rbmRunFlags, usual: []rbm.Estimator{rbm.Auto}}
	w.spec = rbmSpec{Head: job.Head{Job: rbmLogzJob}, Methods: []rbm.Estimator{c.Method}, Flags: c.rbmMethodFlags, Data: c.rbmDataFlags}
	defer w.Close()
	if err := w.open(c.Models, c.Train, ""); err != nil {
		return err
	}
	w.announce()
	ctx, stop := w.Interruptible("stopping")
	defer stop()
	all, failure := w.run(ctx)
	var result any = all
	if len(w.tasks) == 1 && len(all) == 1 {
		result = all[0]
	}
	if len(all) > 0 {
		table := func(to io.Writer, on report.Screen) error { return rbmreport.WriteEstimates(to, all, on) }
		if err := w.show(result, all, table); err != nil {
			return err
		}
	}
	if failure != nil {
		return w.ended(failure)
	}
	return w.finish(result)
}
