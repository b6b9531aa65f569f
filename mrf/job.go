package mrf

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/checksummed"
	"github.com/ergodic-mcmc/ergodic/internal/cputime"
	"github.com/ergodic-mcmc/ergodic/internal/runner"
	"github.com/ergodic-mcmc/ergodic/internal/unitsfile"
	"github.com/ergodic-mcmc/ergodic/tempering"
)

// Method is how chains move.
type Method uint8

// Methods. Tempered is parallel tempering along a [Path], whose replicas draw single variables and blocks; where the path is exact,
// independent draws. SingleSite is [Gibbs], BlockGibbs is [Gibbs] and [Blocks] in turns.
const (
	Tempered Method = iota
	SingleSite
	BlockGibbs
)

func (m Method) String() string { return [...]string{"tempered", "single-site", "blocks"}[m] }

// SampleSettings say how marginals are estimated. The zero value works.
type SampleSettings struct {
	Seed    uint64
	Chains  int // 0: 4
	Threads int // 0 or less: 1. Results do not depend on it
	Method  Method
	Path    PathSettings
	Field   FieldSettings

	// Steps is the most steps of a chain after its warm-up; 0: 200 000. A step moves each replica: every variable by itself, and one
	// block. Chains end earlier, after 256 · 2ᵏ steps, when all marginals have converged.
	Steps int
	// Time ends chains as if they had reached their last step, so that results depend on the machine; 0: never.
	Time time.Duration
	CPU  time.Duration // the same for the processor time of this process from the beginning of the run
	// Tolerance is the error that a converged marginal may have; 0: 0.02. Its standard error is then a fifth of this.
	Tolerance float64

	// Checkpoint names the file of the chains' states, "" for none, written every Every (0: 30 s) and at the end. Resume goes on from
	// it, to the result of an undisturbed run, byte for byte. Fingerprint identifies the model: a file with another one is refused.
	Checkpoint  string
	Resume      bool
	Fingerprint string
	Every       time.Duration
	Progress    func(SampleProgress) // about ten times a second, from one goroutine at a time; may be nil
}

func (set SampleSettings) withDefaults() SampleSettings {
	set.Chains, set.Threads = cmp.Or(set.Chains, 4), max(set.Threads, 1)
	set.Steps, set.Tolerance, set.Every = cmp.Or(set.Steps, 200_000), cmp.Or(set.Tolerance, 0.02), cmp.Or(set.Every, 30*time.Second)
	return set
}

// SampleProgress is how far a run is.
type SampleProgress struct {
	Steps, Total int  // of all chains after their warm-up; the total is that of the present round and rises when it did not suffice
	Warming      bool // a chain is still in its warm-up
}

// Marginal is the distribution of a variable.
type Marginal struct {
	Values    []Estimate
	Converged bool
}

// Sample is the result of a run.
type Sample struct {
	Method    Method
	Exact     bool // draws are independent
	Marginals []Marginal
	Converged int // marginals

	// LogZ is the natural logarithm of Z with its standard error; NaN where the method does not give it. LogZConverged tells whether
	// the error is to be trusted and below 0.05 in log10 Z.
	LogZ, LogZSE  float64
	LogZConverged bool

	Best        []int // the most probable state that a chain was at, and its log density
	BestDensity float64

	Chains, Steps int // steps of all chains
	Rungs         []int
	RoundTrips    []int
	Barrier       []float64
	Updates       float64 // draws of a variable by itself in the steps of all replicas, or of all variables from the base; those in blocks are not counted
	CPU           float64 // seconds, this process only
	Warnings      []string
}

// SampleMarginals runs chains and estimates the marginals of a model. A model whose every state has probability 0 is an
// [*ImpossibleError] where that can be shown; [ErrNoStart] says that no start was found. When ctx ends, the chains are saved and the
// error wraps mcmc.ErrInterrupted.
func SampleMarginals(ctx context.Context, m *Model, set SampleSettings) (*Sample, error) {
	set = set.withDefaults()
	if set.Chains < 1 || set.Steps < 1 || set.Tolerance < 0 {
		return nil, fmt.Errorf("mrf: %d chains of %d steps, with a tolerance of %v", set.Chains, set.Steps, set.Tolerance)
	}
	f, err := NewField(m, set.Field)
	if err != nil {
		return nil, err
	}
	p, err := NewPath(f, set.Path)
	if err != nil {
		return nil, err
	}
	j := &sampleJob{set: set, f: f, p: p, began: cputime.Process()}
	for c := range set.Chains {
		j.chains = append(j.chains, newChain(j, c))
	}
	j.file = unitsfile.File{Path: set.Checkpoint, Kind: checksummed.Kind{Name: "sampling of a random field", Version: 1}}
	j.file.Saved = unitsfile.Content{Fingerprint: set.Fingerprint, Seed: set.Seed, Units: make([][]byte, set.Chains),
		Settings: fmt.Sprint(set.Method, set.Tolerance, set.Path, set.Field)}
	if set.Resume && set.Checkpoint != "" {
		if err := j.file.Resume(func(c int, b []byte) error { return j.chains[c].restore(b) }); err != nil {
			return nil, err
		}
	}
	return j.run(ctx)
}

// firstRound is the number of steps after which convergence is judged first.
const firstRound = 256

// sampleJob is a run.
type sampleJob struct {
	set    SampleSettings
	f      *Field
	p      *Path
	chains []*chain
	starts starts
	began  float64
	until  time.Time // where there is a limit of time
	file   unitsfile.File
}

// target is the number of steps of each chain in a round.
func (j *sampleJob) target() int {
	if j.file.Saved.Round > 40 {
		return j.set.Steps
	}
	return min(firstRound<<j.file.Saved.Round, j.set.Steps)
}

func (j *sampleJob) run(ctx context.Context) (*Sample, error) {
	if j.set.Time > 0 {
		j.until = time.Now().Add(j.set.Time)
	}
	for {
		units := make([]runner.Unit, len(j.chains))
		for i, c := range j.chains {
			units[i] = c
		}
		set := runner.Settings{Threads: j.set.Threads, Every: j.set.Every, Watch: j.watch}
		if j.set.Checkpoint != "" {
			set.Write = j.file.Write
		}
		if err := runner.Run(ctx, units, set); errors.Is(err, runner.ErrInterrupted) {
			return nil, fmt.Errorf("mrf: %w after %d steps", err, j.steps())
		} else if err != nil {
			return nil, fmt.Errorf("mrf: %w", err)
		}
		s := j.result()
		if s.Converged == len(s.Marginals) && (s.LogZConverged || math.IsNaN(s.LogZ)) || j.target() == j.set.Steps || j.late() {
			return s, nil
		}
		j.file.Saved.Round++
	}
}

func (j *sampleJob) late() bool {
	return j.set.Time > 0 && !time.Now().Before(j.until) || j.set.CPU > 0 && cputime.Process()-j.began > j.set.CPU.Seconds()
}

func (j *sampleJob) steps() int {
	n := 0
	for _, c := range j.chains {
		n += int(c.done.Load())
	}
	return n
}

func (j *sampleJob) watch() {
	if j.set.Progress == nil {
		return
	}
	p := SampleProgress{Steps: j.steps(), Total: j.target() * len(j.chains)}
	for _, c := range j.chains {
		p.Warming = p.Warming || !c.warm.Load()
	}
	j.set.Progress(p)
}

// leastTrips is the number of round trips of all chains together below which tempering has not connected base and model.
const leastTrips = 20

// result judges what the chains have.
func (j *sampleJob) result() *Sample {
	s := &Sample{Method: j.set.Method, Exact: j.set.Method == Tempered && j.p.Exact(), Chains: len(j.chains), Steps: j.steps(),
		LogZ: math.NaN(), LogZSE: math.NaN(), BestDensity: math.Inf(-1), CPU: cputime.Process() - j.began}
	var reports []tempering.Report
	trips, fewest := 0, math.MaxInt
	for _, c := range j.chains {
		s.Updates += c.updates()
		if c.bestDensity > s.BestDensity {
			s.BestDensity, s.Best = c.bestDensity, c.bestState()
		}
		if c.ladder == nil {
			continue
		}
		r := c.ladder.Report()
		reports = append(reports, r)
		s.Rungs, s.RoundTrips, s.Barrier = append(s.Rungs, len(r.Betas)), append(s.RoundTrips, r.RoundTrips), append(s.Barrier, r.Barrier)
		trips, fewest = trips+r.RoundTrips, min(fewest, r.RoundTrips)
	}
	connected := j.set.Method != Tempered || s.Exact || trips >= leastTrips && fewest > 0
	if !connected {
		s.Warnings = append(s.Warnings, fmt.Sprintf("replicas made %d round trips between the base and the model in all chains together, and %d are the least for marginals to be trusted: give it more time", trips, leastTrips))
	}
	j.judge(s, connected)
	switch {
	case s.Exact:
		s.LogZ, s.LogZSE, s.LogZConverged = j.p.LogZBase(), 0, true
	case len(reports) > 0:
		z, se, err := tempering.CombineLogZ(reports...)
		if err == nil {
			s.LogZ, s.LogZSE = z+j.p.LogZBase(), se
			s.LogZConverged = connected && se <= 0.05*math.Ln10/3
		}
	}
	j.warn(s)
	return s
}

// judge estimates the marginals. Where one of them differs widely between chains, these are in different parts of the distribution,
// and no other can be trusted.
func (j *sampleJob) judge(s *Sample, connected bool) {
	at, apart := 0, false
	s.Marginals = make([]Marginal, len(j.f.cards))
	estimates := func() Estimate {
		var means [][]float64
		for _, c := range j.chains {
			means = append(means, c.batches.means(at))
		}
		at++
		return estimate(means, j.chains[0].batches.Length)
	}
	for i, k := range j.f.cards {
		m := &s.Marginals[i]
		m.Values, m.Converged = make([]Estimate, k), true
		if v := j.f.fixed[i]; v >= 0 {
			for u := range m.Values {
				m.Values[u] = Estimate{Rhat: 1, ESS: math.Inf(1)}
			}
			m.Values[v].P = 1
			continue
		}
		rest := 1.0
		for v := range k - 1 {
			m.Values[v] = estimates()
			rest -= m.Values[v].P
		}
		m.Values[k-1] = m.Values[0]
		if k > 2 {
			m.Values[k-1] = estimates()
			if m.Values[k-1].P == 0 { // and nothing else by rounding
				rest = 0
			}
		}
		m.Values[k-1].P = max(rest, 0)
		for _, e := range m.Values {
			small := e.MCSE <= j.set.Tolerance/20
			m.Converged = m.Converged && e.MCSE <= j.set.Tolerance/5 && (e.Rhat <= 1.05 || small)
			apart = apart || e.Rhat > 1.1 && e.MCSE > j.set.Tolerance/5
		}
	}
	parted := j.parted(s)
	for i := range s.Marginals {
		if m := &s.Marginals[i]; j.f.fixed[i] < 0 && (apart || parted || !connected) {
			m.Converged = false
		}
		if s.Marginals[i].Converged {
			s.Converged++
		}
	}
	if apart {
		s.Warnings = append(s.Warnings, "chains are in different parts of the distribution: R-hat of some marginals is above 1.1, and no marginal can be trusted")
	}
}

// warn adds what is to be known of the result.
func (j *sampleJob) warn(s *Sample) {
	if n := len(s.Marginals) - s.Converged; n > 0 {
		s.Warnings = append(s.Warnings, fmt.Sprintf("%d of %d marginals have not converged", n, len(s.Marginals)))
	}
	if !s.LogZConverged && !math.IsNaN(s.LogZ) {
		s.Warnings = append(s.Warnings, fmt.Sprintf("log10 Z is %.3f ± %.3f, and has not converged", s.LogZ/math.Ln10, s.LogZSE/math.Ln10))
	}
	stuck := j.stuck()
	if missed := j.missed(s); len(stuck) == 0 && len(missed) > 0 && s.Method == SingleSite {
		s.Warnings = append(s.Warnings, fmt.Sprintf("single changes have not come to some value of %d of %d variables, such as %s: zeros may keep it apart, and no marginal can be trusted",
			len(missed), len(j.f.free), j.f.model.VariableName(missed[0])))
	}
	if len(stuck) == 0 {
		return
	}
	does := "replicas pass the zeros at other temperatures, and blocks are drawn jointly"
	switch {
	case s.Exact:
		does = "all variables are drawn jointly"
	case s.Method == BlockGibbs:
		does = "blocks are drawn jointly, which need not reach all states either"
	case s.Method == SingleSite:
		does = "what is said of these variables is what they started with"
	}
	s.Warnings = append(s.Warnings, fmt.Sprintf("zeros keep single changes from moving %d of %d variables, such as %s: %s",
		len(stuck), len(j.f.free), j.f.model.VariableName(stuck[0]), does))
}

// parted tells whether zeros may keep chains from states that none has seen, where draws are not of all variables jointly, nor made at other
// temperatures: a variable that no single change moves has one value in all of them, or single changes have not come to a value at all.
func (j *sampleJob) parted(s *Sample) bool {
	switch s.Method {
	case SingleSite:
		return len(j.stuck()) > 0 || len(j.missed(s)) > 0
	case BlockGibbs:
		missed := j.missed(s)
		return slices.ContainsFunc(j.stuck(), func(i int) bool {
			return slices.Contains(missed, i) && slices.ContainsFunc(s.Marginals[i].Values, func(e Estimate) bool { return e.P == 1 })
		})
	}
	return false
}

// missed are the free variables of a field with zeros that have a value left which had probability 0 in all states that were seen.
func (j *sampleJob) missed(s *Sample) (all []int) {
	if !j.f.zeros {
		return nil
	}
	for _, i := range j.f.free {
		for v, e := range s.Marginals[i].Values {
			if e.P == 0 && j.f.domains[i][v] {
				all = append(all, int(i))
				break
			}
		}
	}
	return all
}

// stuck are the free variables that no change of one variable could move in any state that was seen.
func (j *sampleJob) stuck() []int {
	if !j.f.zeros {
		return nil
	}
	var all []int
	for _, i := range j.f.free {
		moves := false
		for _, c := range j.chains {
			moves = moves || c.moves[i]
		}
		if !moves && j.steps() > 0 {
			all = append(all, int(i))
		}
	}
	return all
}
