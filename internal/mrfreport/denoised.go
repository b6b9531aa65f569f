package mrfreport

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/report"
)

// Denoised is what came of the restoration of an image. Greys are from 0 to 255.
type Denoised struct {
	Image       string        `json:"image"`
	Width       int           `json:"width"`
	Height      int           `json:"height"`
	Levels      []float64     `json:"levels"`
	Coupling    float64       `json:"coupling"`
	Noise       string        `json:"noise"`
	SD          report.Number `json:"sd"`      // of Gaussian noise
	Share       report.Number `json:"share"`   // of pixels that noise changes
	Changed     float64       `json:"changed"` // share of pixels whose level in the restored image is not the one nearest to what was seen
	LogDensity  report.Number `json:"log_density"`
	ModeDensity report.Number `json:"mode_log_density"`
	ModeExact   bool          `json:"mode_exact"`
	Doubt       report.Number `json:"doubt"` // the mean probability that a pixel of the restored image has another level
	MaxMCSE     report.Number `json:"max_mcse"`
	Unconverged int           `json:"unconverged"` // pixels whose standard error is above 0.02
	UpdatesPerS report.Number `json:"updates_per_s"`
	Chains      int           `json:"chains"`
	Sweeps      int           `json:"sweeps"`
	Warnings    []string      `json:"warnings"`
	WallS       float64       `json:"wall_s"`
	CPUS        float64       `json:"cpu_s"`
}

// AllWarnings are the warnings for summary.json.
func (d *Denoised) AllWarnings() []report.Warning {
	list := []report.Warning{}
	for _, text := range d.Warnings {
		list = append(list, report.Warning{Code: "denoise", Message: text})
	}
	return list
}

// Write writes it for a person.
func (d *Denoised) Write(to io.Writer) error {
	var greys []string
	for _, g := range d.Levels {
		greys = append(greys, strconv.FormatFloat(g, 'f', 0, 64))
	}
	prior, noise, mode := "Potts", fmt.Sprintf("Gaussian noise of standard deviation %.1f", float64(d.SD)), "no exchange of a level improves it"
	if len(d.Levels) == 2 {
		prior = "Ising"
	}
	if d.Noise == "flips" {
		noise = fmt.Sprintf("noise that changes %.2g %% of the pixels", 100*float64(d.Share))
	}
	if d.ModeExact {
		mode = "exact"
	}
	_, err := fmt.Fprintf(to, `%s: %d × %d pixels, %s prior of coupling %.3g.
Grey levels %s, %s.
restored.png  the most probable level of each pixel; %.2f %% are not the nearest
mode.png      the most probable image, %s; log density %.1f
mean.png      the posterior mean
doubt.png     the probability of other levels, %.2f %% in the mean
panels.png    the input, restored.png, mean.png and doubt.png
Largest standard error of a marginal %.4f; %s above 0.02.
`, d.Image, d.Width, d.Height, prior, d.Coupling, strings.Join(greys, " "), noise, 100*d.Changed, mode, float64(d.ModeDensity), 100*float64(d.Doubt),
		float64(d.MaxMCSE), wording.Count(d.Unconverged, "pixel", "pixels"))
	return err
}
