package main

import (
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/cputime"
	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/mrfreport"
	"github.com/ergodic-mcmc/ergodic/internal/progress"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/mrf/denoise"
	"github.com/ergodic-mcmc/ergodic/report"
)

type mrfDenoiseCmd struct {
	Image string `arg:"" optional:"" help:"A PNG, JPEG or GIF; colours become grey."`
	mrfDenoiseFlags
	Seed       *uint64 `help:"64-bit seed; drawn from the system and printed when not given."`
	Out        string  `help:"The run's folder; default IMAGE-run, with a number when that exists." placeholder:"DIR"`
	WriteImage string  `help:"Write the restored image to this file, too, as PNG." placeholder:"FILE"`
	Strict     bool    `help:"Exit with status 3 when pixels have not converged."`
	resumable
}

// mrfDenoiseFlags determine the restored image. A nil pointer is a flag not given: its default, or on --resume what the run was
// started with.
type mrfDenoiseFlags struct {
	Levels   *string  `help:"Grey levels of the restored image: how many, which are then found from the image, or their greys from 0 to 255 with commas (2)." placeholder:"N" json:"levels,omitempty"`
	Coupling *float64 `help:"How strongly neighbours are drawn to the same level: the log odds for each neighbour that has it. Default: log(1 + √levels), above which the prior by itself is ordered." placeholder:"B" json:"coupling,omitempty"`
	Noise    *string  `help:"gaussian, added to every pixel; flips, another level for some. Default: flips where the image has no more greys than levels, otherwise gaussian." placeholder:"NAME" json:"noise,omitempty"`
	SD       *float64 `name:"sd" help:"Standard deviation of gaussian noise, in greys from 0 to 255; default: estimated from the image." placeholder:"S" json:"sd,omitempty"`
	Share    *float64 `help:"Share of pixels that flips change; default: estimated from the image." placeholder:"P" json:"share,omitempty"`
	Chains   *int     `help:"Chains (4)." placeholder:"N" json:"chains,omitempty"`
	Warmup   *int     `help:"Sweeps of warm-up of each chain (50)." placeholder:"N" json:"warmup,omitempty"`
	Sweeps   *int     `help:"Sweeps after that (200)." placeholder:"N" json:"sweeps,omitempty"`
}

const mrfDenoiseJob = "mrf denoise"

// denoising is a restoration with everything it needs.
type denoising struct {
	*job.Run
	cmd       *mrfDenoiseCmd
	began     time.Time
	spec      mrfDenoiseSpec
	image     *denoise.Image
	levels    []float64 // from 0 to 1
	posterior *denoise.Posterior
	result    mrfreport.Denoised
}

// Run restores an image.
func (c *mrfDenoiseCmd) Run() error { return noticed(c.Progress, c.run) }

func (c *mrfDenoiseCmd) run(v *job.Notices) error {
	if err := c.check(mrfDenoiseJob, "an image", c.Image != "", c.Out); err != nil {
		return err
	}
	d := &denoising{Run: &job.Run{Name: mrfDenoiseJob, Version: version, Say: v}, cmd: c, began: time.Now()}
	defer d.Close()
	if err := d.open(); err != nil {
		return err
	}
	if err := d.load(); err != nil {
		return err
	}
	if !d.Resumed {
		if err := d.Create(outFolder(c.Out, c.Image), c.Force, &d.spec); err != nil {
			return err
		}
	}
	return d.restore()
}

// restore does the work in the folder.
func (d *denoising) restore() error {
	d.Announce(&d.spec, nil)
	if err := d.Begin(&d.spec, false, map[string]any{"image": d.spec.Image.Path}); err != nil {
		return err
	}
	ctx, stop := d.Interruptible("saving the state after this sweep")
	defer stop()
	marginals, mode, err := d.compute(ctx)
	switch {
	case job.WasInterrupted(err):
		return d.Ended(nil)
	case err != nil:
		return d.Failed(err, false)
	}
	d.judge(marginals, mode)
	if err := d.pictures(marginals, mode); err != nil {
		return d.Failed(err, true)
	}
	return d.finish()
}

func (d *denoising) compute(ctx context.Context) (*denoise.Marginals, []uint8, error) {
	f := &d.spec.Flags
	show := progress.NewCounter(progress.Mode(d.cmd.Progress), os.Stderr, wording.Brief(filepath.Base(d.spec.Image.Path)))
	defer show.Clear()
	cpu := cputime.Process()
	pixels := int64(len(d.image.Grey))
	m, err := denoise.Sample(ctx, d.posterior, denoise.Settings{Seed: d.spec.Seed, Chains: given(f.Chains, 0), Warmup: given(f.Warmup, 0), Sweeps: given(f.Sweeps, 0),
		Threads: cores(d.cmd.Threads), Checkpoint: filepath.Join(d.Dir.Checkpoint(), "chains"), Resume: d.Resumed, Fingerprint: d.spec.Origin, Every: d.cmd.Checkpoint,
		Progress: func(done, total int) {
			show.Show(progress.Count{Done: done, Total: total, Moves: int64(done) * pixels})
		}})
	if err != nil {
		return nil, nil, err
	}
	if spent := cputime.Process() - cpu; spent > 0 && !d.Resumed {
		d.result.UpdatesPerS = report.Number(math.Round(m.Updates / spent))
	} else {
		d.result.UpdatesPerS = report.Number(math.NaN())
	}
	show.What += ", mode"
	mode, err := d.posterior.Mode(ctx, func(done, total int) { show.Show(progress.Count{Done: done, Total: total}) })
	return m, mode, err
}

// judge fills the result.
func (d *denoising) judge(m *denoise.Marginals, mode []uint8) {
	r, f := &d.result, &d.spec.Flags
	restored, seen := m.MPM(), d.image.Nearest(d.levels)
	r.Image, r.Width, r.Height, r.Coupling = filepath.Base(d.spec.Image.Path), d.image.Width, d.image.Height, d.posterior.Coupling
	doubt := 0.0
	for i, v := range restored {
		if v != seen[i] {
			r.Changed++
		}
		doubt += 1 - m.P[i*m.Levels+int(v)]
	}
	r.Changed, r.Doubt = r.Changed/float64(len(restored)), report.Number(doubt/float64(len(restored)))
	r.LogDensity, r.ModeDensity = report.Number(d.posterior.LogDensity(restored)), report.Number(d.posterior.LogDensity(mode))
	r.ModeExact = len(d.levels) == 2
	r.MaxMCSE, r.Unconverged = report.Number(m.MaxMCSE), m.Unconverged
	r.Chains, r.Sweeps = given(f.Chains, 4), given(f.Sweeps, 200)
	r.Warnings = []string{}
	if r.Unconverged > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("the marginals of %d of %d pixels have not converged: their standard errors are above %v; more --sweeps help, or a weaker --coupling", r.Unconverged, len(restored), denoise.Tolerance))
	}
}

// pictures writes the images of the run.
func (d *denoising) pictures(m *denoise.Marginals, mode []uint8) error {
	restored, mean, doubt := d.image.Of(d.levels, m.MPM()), d.image.Mean(d.levels, m), d.image.Doubt(m)
	for name, picture := range map[string]image.Image{"restored.png": restored.Image8(), "mode.png": d.image.Of(d.levels, mode).Image8(), "mean.png": mean.Image8(),
		"doubt.png": doubt.Image8(), "panels.png": panels(d.image, restored, mean, doubt)} {
		if err := d.Dir.Write(name, func(to io.Writer) error { return png.Encode(to, picture) }); err != nil {
			return err
		}
	}
	if d.cmd.WriteImage == "" {
		return nil
	}
	return writeTo(d.cmd.WriteImage, func(to io.Writer) error { return png.Encode(to, restored.Image8()) })
}

// panels are images of one size side by side, on white.
func panels(all ...*denoise.Image) image.Image {
	const gap = 8
	w, h := all[0].Width, all[0].Height
	to := image.NewGray(image.Rect(0, 0, len(all)*(w+gap)-gap, h))
	for i := range to.Pix {
		to.Pix[i] = 255
	}
	for k, one := range all {
		from := one.Image8()
		for y := range h {
			copy(to.Pix[y*to.Stride+k*(w+gap):], from.Pix[y*from.Stride:y*from.Stride+w])
		}
	}
	return to
}

// finish writes the summary and shows the result.
func (d *denoising) finish() error {
	r := &d.result
	r.WallS, r.CPUS = milli(time.Since(d.began).Seconds()), milli(cputime.Process())
	s := &rundir.Summary{Ergodic: version, Job: mrfDenoiseJob, Origin: d.spec.Origin, Result: r, Warnings: r.AllWarnings(), Input: rundir.Input{Data: []rundir.File{d.spec.Image.File()}},
		Run: rundir.Run{Seed: d.spec.Seed, Chains: r.Chains, Threads: cores(d.cmd.Threads), WallS: r.WallS, CPUS: rundir.CPU{Sampling: r.CPUS}}}
	if err := d.Finish(s, map[string]any{"wall_s": r.WallS, "cpu_s": r.CPUS, "warnings": len(r.Warnings)}); err != nil {
		return err
	}
	var err error
	if d.cmd.JSON {
		err = printJSON(r)
	} else {
		err = r.Write(os.Stdout)
	}
	if err != nil {
		return err
	}
	d.Say.Warn(s.Warnings)
	return warned(d.cmd.Strict, len(s.Warnings))
}
