package against

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"time"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/draws"
)

// Opinion is what a run of JAGS without its glm module says where a run of
// ours and the reference differ. That module draws Poisson and binomial
// outcomes through mixtures of normals that approximate them, so that its long
// runs can be far from the posterior by their own standard errors; the slice
// samplers of JAGS have no such error.
type Opinion struct {
	Difference
	Third, ThirdSE float64
	WithOurs       float64 // |ours - third| in combined standard errors
}

// AllSettled reports whether there are opinions and every one sides with ours.
func AllSettled(opinions []Opinion, limit float64) bool {
	for _, o := range opinions {
		if !(o.WithOurs <= limit) {
			return false
		}
	}
	return len(opinions) > 0
}

// String is a line of the report.
func (o Opinion) String() string {
	return fmt.Sprintf("%s: ours %.5g, reference %.5g (z %.1f), JAGS without glm %.5g ± %.2g (z to ours %.1f)",
		o.Name(), o.Ours, o.Theirs, o.Z, o.Third, o.ThirdSE, o.WithOurs)
}

// Third asks JAGS without glm about the differences beyond limit, those of
// heavy tails excepted, for which its run would be no longer than ours; with a run
// of about the given CPU time. It is run.ErrNoJAGS where JAGS is missing.
func Third(ctx context.Context, j run.Job, c Comparison, limit float64, cpu time.Duration) ([]Opinion, error) {
	var asked []Difference
	for _, d := range c.Differences {
		if d.Z > limit && !d.HeavyTails() {
			asked = append(asked, d)
		}
	}
	if len(asked) == 0 {
		return nil, nil
	}
	const trial, longest = 2000, 400_000
	j.Warmup, j.Draws = trial, trial
	_, usage, err := jags(ctx, j)
	if err != nil {
		return nil, err
	}
	j.Draws = int(min(longest, 2*trial*cpu.Seconds()/max(usage.CPU.Seconds(), 0.05)))
	j.Warmup = max(trial, j.Draws/10)
	set, _, err := jags(ctx, j)
	if err != nil {
		return nil, err
	}
	opinions := make([]Opinion, len(asked))
	for i, d := range asked {
		e, ok := set.Lookup(d.Parameter)
		if !ok {
			return nil, fmt.Errorf("JAGS gives no draws of %s", d.Parameter)
		}
		opinions[i] = opinion(d, set.Element(e))
	}
	return opinions, nil
}

func jags(ctx context.Context, j run.Job) (*draws.Set, run.Usage, error) {
	dir, err := os.MkdirTemp("", "ergodic-bench")
	if err != nil {
		return nil, run.Usage{}, err
	}
	defer os.RemoveAll(dir)
	return run.JAGS(ctx, dir, j)
}

func opinion(d Difference, chains [][]float64) Opinion {
	o := Opinion{Difference: d}
	mean, sd := moments(slices.Concat(chains...))
	if d.Stat == "mean" {
		o.Third, o.ThirdSE = mean, diag.MCSEMean(chains)
	} else {
		o.Third, o.ThirdSE = sd, diag.MCSESD(chains)
	}
	o.WithOurs = math.Abs(o.Third-d.Ours) / math.Hypot(o.ThirdSE, d.OurSE)
	return o
}

func moments(x []float64) (mean, sd float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		sd += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(sd / float64(len(x)-1))
}
