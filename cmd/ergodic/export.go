package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/ergodic-mcmc/ergodic/draws"
)

type exportCmd struct {
	Dir     string `arg:"" help:"Folder of a run."`
	Format  string `help:"Draws as csv, coda, cmdstan or json; topics as npy, the dense shares of words and of topics as numpy's float32, or pyldavis, the JSON that it draws." enum:"csv,coda,cmdstan,json,npy,pyldavis" required:"" placeholder:"csv|coda|cmdstan|json|npy|pyldavis"`
	Out     string `help:"File (csv, json, pyldavis; default: standard output) or folder (coda, cmdstan, npy; default: one of that name in the run's)." placeholder:"PATH"`
	Monitor string `help:"Only these: beta,theta[1:3]." placeholder:"NAMES" default:"*"`
	Force   bool   `help:"Overwrite files."`
}

// Run converts the draws or the topics of a run.
func (c *exportCmd) Run() error {
	if c.Format == "npy" || c.Format == "pyldavis" {
		return c.topics()
	}
	f, err := openFolder(c.Dir)
	if err != nil {
		return err
	}
	if f.summary != nil && f.summary.Job == ldaTrainJob {
		return usage("export: %s has topics and no draws; --format npy or pyldavis converts them", c.Dir)
	}
	r, err := f.posterior()
	if err != nil {
		return err
	}
	g, err := r.Read()
	if err != nil {
		return err
	}
	if g.Posterior, err = g.Posterior.Select(c.Monitor); err != nil {
		return err
	}
	if g.Warmup != nil {
		if g.Warmup, err = g.Warmup.Select(c.Monitor); err != nil {
			return err
		}
	}
	switch c.Format {
	case "csv":
		return c.single(func(w io.Writer) error { return draws.WriteCSV(w, g.Posterior) })
	case "json":
		return c.single(func(w io.Writer) error { return draws.WriteJSON(w, g) })
	case "coda":
		return c.coda(f, g)
	}
	return c.cmdstan(f, g)
}

// single writes one file, or standard output.
func (c *exportCmd) single(write func(io.Writer) error) error {
	if c.Out == "" || c.Out == "-" {
		return write(os.Stdout)
	}
	return c.files([]string{c.Out}, func(w []io.Writer) error { return write(w[0]) })
}

func (c *exportCmd) coda(f *folder, g draws.Groups) error {
	dir, err := c.folder("coda")
	if err != nil {
		return err
	}
	start, thin := 1, 1
	if f.started.Thin > 0 {
		thin = f.started.Thin
		start = f.started.Warmup + thin
	}
	paths := []string{filepath.Join(dir, "CODAindex.txt")}
	for chain := range g.Posterior.Chains() {
		paths = append(paths, filepath.Join(dir, fmt.Sprintf("CODAchain%d.txt", chain+1)))
	}
	return c.files(paths, func(w []io.Writer) error { return draws.WriteCODA(w[0], w[1:], g.Posterior, start, thin) })
}

func (c *exportCmd) cmdstan(f *folder, g draws.Groups) error {
	dir, err := c.folder("cmdstan")
	if err != nil {
		return err
	}
	s := f.started
	run := draws.CmdStanRun{Model: "model", Seed: s.Seed, Warmup: s.Warmup, Thin: s.Thin}
	if f.model != "" {
		base := filepath.Base(f.model)
		run.Model = strings.TrimSuffix(base, filepath.Ext(base))
	}
	chains := float64(max(s.Chains, 1))
	run.WarmupSeconds, run.SamplingSeconds = s.CPUS.Warmup/chains, s.CPUS.Sampling/chains
	var paths []string
	for chain := range g.Posterior.Chains() {
		paths = append(paths, filepath.Join(dir, fmt.Sprintf("%s_%d.csv", run.Model, chain+1)))
	}
	return c.files(paths, func(w []io.Writer) error {
		for chain := range w {
			if err := draws.WriteCmdStan(w[chain], g, chain, run); err != nil {
				return err
			}
		}
		return nil
	})
}

// folder makes the folder for several files.
func (c *exportCmd) folder(name string) (string, error) {
	dir := c.Out
	if dir == "" {
		dir = filepath.Join(c.Dir, name)
	}
	return dir, os.MkdirAll(dir, 0o777)
}

// files writes files that appear under their names only when all are whole,
// and prints the names.
func (c *exportCmd) files(paths []string, write func([]io.Writer) error) (err error) {
	const part = ".part"
	for _, p := range paths {
		if err := mayWrite(p, c.Force); err != nil {
			return err
		}
	}
	var open []*os.File
	defer func() {
		for _, f := range open {
			f.Close()
			if err != nil {
				os.Remove(f.Name())
			}
		}
	}()
	var writers []io.Writer
	for _, p := range paths {
		f, err := os.Create(p + part)
		if err != nil {
			return err
		}
		open = append(open, f)
		writers = append(writers, f)
	}
	if err := write(writers); err != nil {
		return err
	}
	for i, f := range open {
		if err := f.Close(); err != nil {
			return err
		}
		if err := os.Rename(paths[i]+part, paths[i]); err != nil {
			return err
		}
		say("wrote " + paths[i])
	}
	open = nil
	return nil
}
