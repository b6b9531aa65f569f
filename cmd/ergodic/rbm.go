package main

import (
	"github.com/ergodic-mcmc/ergodic/rbm"
	"github.com/ergodic-mcmc/ergodic/rng"
)

type rbmCmd struct {
	Logz    rbmLogzCmd    `cmd:"" name:"logz" help:"Find log Z of machines."`
	Loglik  rbmLoglikCmd  `cmd:"" name:"loglik" help:"Find the log likelihood of data."`
	Compare rbmCompareCmd `cmd:"" name:"compare" help:"Compare methods on machines: log Z, errors, costs and log likelihoods."`
	Train   rbmTrainCmd   `cmd:"" name:"train" help:"Train a machine."`
	Sample  rbmSampleCmd  `cmd:"" name:"sample" help:"Draw samples, reconstructions and filters of a machine."`
}

// rbmDataFlags say how cases are read from a file.
type rbmDataFlags struct {
	Array     string   `help:"The array of the data; default: testbatchdata, MNIST_for_log or the only one." placeholder:"NAME"`
	Threshold *float64 `help:"Turn grey levels, from 0 to 1, into units that are on above this." placeholder:"LEVEL"`
	Draw      bool     `help:"Turn grey levels into units that are on with this probability."`
}

func (f *rbmDataFlags) check() error {
	if f.Threshold != nil && f.Draw {
		return usage("rbm: give --threshold or --draw, not both")
	}
	return checkThreshold(f.Threshold)
}

func checkThreshold(t *float64) error {
	if t != nil && !(*t >= 0 && *t <= 1) {
		return usage("rbm: --threshold %v: it must be from 0 to 1, as grey levels are", *t)
	}
	return nil
}

// read reads data for a machine's visible layer of the given width.
func (f *rbmDataFlags) read(file string, seed uint64) (*rbm.Data, error) {
	how := rbm.Binary{Array: f.Array}
	if f.Threshold != nil {
		how.Threshold, how.Above = true, *f.Threshold
	}
	if f.Draw {
		how.Draw = rng.New(seed, "rbm data").Rand
	}
	return rbm.ReadData(file, how)
}
