package main

import (
	"bytes"
	"context"
	"fmt"
	"image"
	_ "image/gif" // formats that are read
	_ "image/jpeg"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/mrf/denoise"
	"github.com/ergodic-mcmc/ergodic/report"
)

// mrfDenoiseSpec is what is kept in the run's folder for --resume.
type mrfDenoiseSpec struct {
	job.Head
	Image job.Input       `json:"image" what:"image/images"`
	Flags mrfDenoiseFlags `json:"flags"`
}

// open finds what is asked for: from the flags, or from the folder of the run to resume.
func (d *denoising) open() (err error) {
	c := d.cmd
	now := mrfDenoiseSpec{Head: job.Head{Ergodic: version, Job: mrfDenoiseJob, Seed: given(c.Seed, 0)}, Flags: c.mrfDenoiseFlags}
	var was mrfDenoiseSpec
	if c.Resume != "" {
		if err := d.Reopen(c.Resume, &was); err != nil {
			return err
		}
		now.Head, now.Seed = was.Head, given(c.Seed, was.Seed)
	} else if c.Seed == nil {
		now.Seed = systemSeed()
	}
	if err := now.check(); err != nil {
		return err
	}
	if c.WriteImage != "" {
		if err := mayWrite(c.WriteImage, c.Force || c.Resume != ""); err != nil {
			return err
		}
	}
	if now.Image, err = job.ReadInput("image", orGiven(c.Image, was.Image.Path)); err != nil {
		return err
	}
	if c.Resume != "" {
		f := &now.Flags
		unask(&f.Levels, was.Flags.Levels, "2")
		unask(&f.Chains, was.Flags.Chains, 4)
		unask(&f.Warmup, was.Flags.Warmup, 50)
		unask(&f.Sweeps, was.Flags.Sweeps, 200)
		if err := d.Same(&was, &now, nil); err != nil {
			return err
		}
		now.Flags = was.Flags
	}
	d.spec = now
	d.spec.Origin = rundir.Origin(now.Image.SHA256, now.Flags, now.Seed)
	return nil
}

// check refuses what is wrong for every image.
func (s *mrfDenoiseSpec) check() error {
	f := &s.Flags
	for _, n := range []struct {
		flag        string
		value       *int
		least, most int
	}{{"chains", f.Chains, 1, 1 << 10}, {"warmup", f.Warmup, 1, 1 << 30}, {"sweeps", f.Sweeps, 2, 1 << 30}} {
		if x := given(n.value, n.least); x < n.least || x > n.most {
			return usage("%s: --%s %d: it must be from %d to %d", mrfDenoiseJob, n.flag, x, n.least, n.most)
		}
	}
	noise := given(f.Noise, "")
	switch {
	case f.Noise != nil && !slices.Contains([]string{"gaussian", "flips"}, noise):
		return usage("%s: --noise %s: there are gaussian, flips", mrfDenoiseJob, wording.Quote(noise))
	case f.SD != nil && (noise == "flips" || f.Share != nil):
		return usage("%s: --sd is of gaussian noise, and not of flips", mrfDenoiseJob)
	case f.Share != nil && noise == "gaussian":
		return usage("%s: --share is of flips, and not of gaussian noise", mrfDenoiseJob)
	case f.SD != nil && !(*f.SD > 0 && *f.SD <= 1e6):
		return usage("%s: --sd %v: it must be more than 0", mrfDenoiseJob, *f.SD)
	case f.Share != nil && !(*f.Share > 0 && *f.Share < 1):
		return usage("%s: --share %v: it must be more than 0 and less than 1", mrfDenoiseJob, *f.Share)
	case f.Coupling != nil && !(*f.Coupling >= 0 && *f.Coupling <= denoise.MaxCoupling):
		return usage("%s: --coupling %v: it must be from 0 to %d", mrfDenoiseJob, *f.Coupling, denoise.MaxCoupling)
	}
	_, _, err := s.greys()
	return err
}

// greys are the levels asked for: how many, or their greys from 0 to 1.
func (s *mrfDenoiseSpec) greys() (n int, greys []float64, err error) {
	text := given(s.Flags.Levels, "2")
	if !strings.Contains(text, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 2 || n > denoise.MaxLevels {
			return 0, nil, usage("%s: --levels %s: it must be a number from 2 to %d, or greys with commas", mrfDenoiseJob, wording.Quote(text), denoise.MaxLevels)
		}
		return n, nil, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		g, err := strconv.ParseFloat(part, 64)
		if err != nil || !(g >= 0 && g <= 255) {
			return 0, nil, usage("%s: --levels %s: %s is no grey from 0 to 255", mrfDenoiseJob, wording.Quote(text), wording.Quote(part))
		}
		greys = append(greys, g/255)
	}
	if !slices.IsSorted(greys) || len(slices.Compact(slices.Clone(greys))) < len(greys) || len(greys) > denoise.MaxLevels {
		return 0, nil, usage("%s: --levels %s: greys must rise, and there may be %d", mrfDenoiseJob, wording.Quote(text), denoise.MaxLevels)
	}
	return len(greys), greys, nil
}

// load reads the image, and finds levels and noise where they are not given.
func (d *denoising) load() error {
	in := &d.spec.Image
	config, _, err := image.DecodeConfig(bytes.NewReader(in.Text))
	if err != nil {
		return fmt.Errorf("%s is no image that can be read: %w; PNG, JPEG and GIF are", in.Name, err)
	}
	n, greys, err := d.spec.greys()
	if err != nil {
		return err
	}
	if err = denoise.Room(config.Width, config.Height, n, given(d.spec.Flags.Chains, 4)); err == nil {
		err = memory.Room(memory.Product(config.Width, config.Height, 16))
	}
	if err != nil {
		return fmt.Errorf("%s: %d × %d pixels: %w", in.Name, config.Width, config.Height, err)
	}
	decoded, _, err := image.Decode(bytes.NewReader(in.Text))
	if err != nil {
		return fmt.Errorf("%s cannot be read: %w; copy it again", in.Name, err)
	}
	d.image = denoise.FromImage(decoded)
	return d.model(n, greys)
}

// model makes the posterior. Where greys are nil, n levels are found from the image.
func (d *denoising) model(n int, greys []float64) (err error) {
	f, r := &d.spec.Flags, &d.result
	r.Noise, r.SD, r.Share = d.noise(n), report.Number(math.NaN()), report.Number(math.NaN())
	coupling := given(f.Coupling, math.Log(1+math.Sqrt(float64(n))))
	if d.levels = greys; r.Noise == "flips" {
		if greys == nil {
			d.levels = d.image.FindLevels(n)
		}
		share := given(f.Share, d.image.FindFlips(d.image.Nearest(d.levels)))
		r.Share = report.Number(share)
		if d.posterior, err = d.image.Flips(d.levels, share, coupling); err != nil {
			return err
		}
	} else {
		if greys == nil {
			d.levels = d.image.Smooth().FindLevels(n)
		}
		sd := given(f.SD, 255*d.image.FindSD()) / 255
		if d.levels, sd, err = d.image.Fit(context.Background(), d.levels, sd, coupling, greys == nil, f.SD == nil); err != nil {
			return err
		}
		r.SD = report.Number(255 * sd)
		if d.posterior, err = d.image.Gaussian(d.levels, sd, coupling); err != nil {
			return err
		}
	}
	for _, g := range d.levels {
		r.Levels = append(r.Levels, math.Round(255*1000*g)/1000)
	}
	return nil
}

// noise is what was asked for, or what the image looks like.
func (d *denoising) noise(n int) string {
	f := &d.spec.Flags
	seen := map[float64]bool{}
	for _, g := range d.image.Grey {
		if seen[g] = true; len(seen) > n {
			break
		}
	}
	switch {
	case f.Noise != nil:
		return *f.Noise
	case f.SD != nil || f.Share == nil && len(seen) > n:
		return "gaussian"
	}
	return "flips"
}
