package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/atomicfile"
	"github.com/ergodic-mcmc/ergodic/internal/cputime"
	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/rbm"
)

type rbmSampleCmd struct {
	Model string `arg:"" help:"Machine: .mat or .npz."`
	rbmDataFlags
	Out             string  `help:"Picture of samples (MODEL-samples.png, where no other picture is asked for)." placeholder:"FILE.png"`
	Filters         string  `help:"Picture of the weights of each hidden unit." placeholder:"FILE.png"`
	Reconstructions string  `help:"Picture of cases of --data, each above what the machine makes of it in one sweep." placeholder:"FILE.png"`
	Data            string  `help:"Data: .mat, .npy, .npz, or MNIST's IDX. Samples start there, too." placeholder:"FILE"`
	Cases           string  `help:"Cases to reconstruct." default:"1:20" placeholder:"FIRST:LAST"`
	Images          int     `help:"Samples, each the end of a chain of its own." default:"100"`
	Sweeps          int     `help:"Sweeps of each chain." default:"10000"`
	Units           bool    `help:"Show drawn units instead of their probabilities."`
	Shape           string  `help:"Rows and columns of an image; default: a square." placeholder:"28x28"`
	Across          int     `help:"Images in a row; default: as square as can be."`
	Seed            *uint64 `help:"64-bit seed; drawn from the system and printed when not given."`
	Threads         int     `help:"Threads; 0 for all cores. The pictures do not depend on it."`
	JSON            bool    `help:"Print the result as JSON."`

	grid rbm.Grid
	seed uint64
}

// rbmSampleResult is the result object of rbm sample.
type rbmSampleResult struct {
	Model  string   `json:"model"`
	Seed   uint64   `json:"seed"`
	Images int      `json:"images"`
	Sweeps int      `json:"sweeps"`
	Files  []string `json:"files"`
	WallS  float64  `json:"wall_s"`
	CPUS   float64  `json:"cpu_s"`
}

// Run draws the pictures.
func (c *rbmSampleCmd) Run() error {
	began, v := time.Now(), newNotices("auto")
	m, err := rbm.ReadModel(c.Model)
	if err != nil {
		return err
	}
	if err := c.prepare(m); err != nil {
		return err
	}
	var d *rbm.Data
	if c.Data != "" {
		if d, err = c.rbmDataFlags.read(c.Data, c.seed); err == nil {
			err = d.Fits(m)
		}
		if err != nil {
			return err
		}
	}
	ctx, stop := job.Interruptible(func() { v.Tell("interrupting", "stopping", nil) })
	defer stop()
	r := &rbmSampleResult{Model: c.Model, Seed: c.seed, Images: c.Images, Sweeps: c.Sweeps}
	for _, p := range []struct {
		file string
		make func(context.Context, *rbm.Model, *rbm.Data) (*image.Gray, error)
	}{{c.Filters, c.filters}, {c.Reconstructions, c.reconstructions}, {c.Out, c.samples}} {
		if p.file == "" {
			continue
		}
		im, err := p.make(ctx, m, d)
		if errors.Is(err, context.Canceled) {
			return job.Exit{Code: job.Interrupted, Err: errors.New("interrupted: " + p.file + " is not written")}
		}
		if err == nil {
			err = writePNG(p.file, im)
		}
		if err != nil {
			return err
		}
		r.Files = append(r.Files, p.file)
	}
	r.WallS, r.CPUS = milli(time.Since(began).Seconds()), milli(cputime.Process())
	if c.JSON {
		return printJSON(r)
	}
	_, err = fmt.Printf("seed %d, wrote %s\n", c.seed, strings.Join(r.Files, ", "))
	return err
}

// rbmPixels is how many a picture of samples has at most.
const rbmPixels = 1 << 27

// prepare checks the flags and fills in defaults.
func (c *rbmSampleCmd) prepare(m *rbm.Model) error {
	c.seed = given(c.Seed, systemSeed())
	switch {
	case c.Across < 0:
		return usage("rbm sample: --across %d: it must be 0, for as square as can be, or more", c.Across)
	case c.Images < 1 || c.Sweeps < 1 || c.Sweeps > rbmMost:
		return usage("rbm sample: --images %d --sweeps %d: they must be from 1 to %d", c.Images, c.Sweeps, rbmMost)
	case c.Images > rbmPixels/m.Visible:
		return usage("rbm sample: --images %d: a picture holds at most %d of %d units", c.Images, rbmPixels/m.Visible, m.Visible)
	case c.Reconstructions != "" && c.Data == "":
		return usage("rbm sample: --reconstructions needs --data")
	}
	if c.Out == "" && c.Filters == "" && c.Reconstructions == "" {
		c.Out = strings.TrimSuffix(filepath.Base(c.Model), filepath.Ext(c.Model)) + "-samples.png"
	}
	for _, file := range []string{c.Out, c.Filters, c.Reconstructions} {
		if file == "" {
			continue
		}
		if err := mayWrite(file, true); err != nil {
			return err
		}
	}
	err := c.rbmDataFlags.check()
	if err == nil {
		err = checkThreads("rbm sample", c.Threads)
	}
	if err != nil {
		return err
	}
	c.grid, err = rbmGrid(c.Shape, m.Visible)
	c.grid.Across = c.Across
	return err
}

// rbmGrid is the shape of images of so many units.
func rbmGrid(shape string, units int) (g rbm.Grid, err error) {
	if shape == "" {
		return rbm.SquareGrid(units), nil
	}
	rows, columns, found := strings.Cut(shape, "x")
	var wrong error
	if g.Rows, wrong = strconv.Atoi(rows); wrong == nil {
		g.Columns, wrong = strconv.Atoi(columns)
	}
	if !found || wrong != nil || g.Rows < 1 || g.Columns < 1 || g.Rows > units || g.Columns != units/g.Rows || units%g.Rows != 0 {
		return g, usage("rbm sample: --shape %s: it must be ROWSxCOLUMNS that make %d units", shape, units)
	}
	return g, nil
}

func (c *rbmSampleCmd) filters(_ context.Context, m *rbm.Model, _ *rbm.Data) (*image.Gray, error) {
	return c.grid.Draw(m.Filters())
}

func (c *rbmSampleCmd) samples(ctx context.Context, m *rbm.Model, d *rbm.Data) (*image.Gray, error) {
	return c.picture(ctx, m, rbm.Sampling{Chains: c.Images, Sweeps: c.Sweeps, Start: d}, nil)
}

// reconstructions is pairs of rows: cases, and below what becomes of them.
func (c *rbmSampleCmd) reconstructions(ctx context.Context, m *rbm.Model, d *rbm.Data) (*image.Gray, error) {
	first, last, err := rbmCases(c.Cases, d.Cases)
	if err != nil {
		return nil, err
	}
	start := &rbm.Data{Cases: last - first + 1, Visible: d.Visible, Units: d.Units[(first-1)*d.Visible : last*d.Visible]}
	return c.picture(ctx, m, rbm.Sampling{Chains: start.Cases, Sweeps: 1, Start: start}, start)
}

// picture samples, and puts rows of the given cases above rows of samples.
func (c *rbmSampleCmd) picture(ctx context.Context, m *rbm.Model, set rbm.Sampling, above *rbm.Data) (*image.Gray, error) {
	set.Seed, set.Threads = c.seed, cores(c.Threads)
	p, units, err := m.Sample(ctx, set)
	if err != nil {
		return nil, err
	}
	g := c.grid
	g.Low, g.High = 0, 1
	if c.Units {
		p = units.Pictures()
	}
	if above == nil {
		return g.Draw(p)
	}
	return g.DrawPairs(above.Pictures(), p)
}

// rbmCases reads FIRST:LAST, or one number, counted from 1.
func rbmCases(s string, n int) (first, last int, err error) {
	from, to, found := strings.Cut(s, ":")
	if !found {
		to = from
	}
	first, wrong := strconv.Atoi(from)
	last, alsoWrong := strconv.Atoi(to)
	if wrong != nil || alsoWrong != nil || first < 1 || last < first || first > n {
		return 0, 0, usage("rbm sample: --cases %s: it must be FIRST:LAST, from 1 to %d", s, n)
	}
	return first, min(last, n), nil
}

func writePNG(file string, im image.Image) error {
	var b bytes.Buffer
	if err := png.Encode(&b, im); err != nil {
		return err
	}
	return atomicfile.Write(file, b.Bytes(), int64(b.Len()), false)
}
