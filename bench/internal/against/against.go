// Package against compares a run with JAGS's long runs: means and standard
// deviations within their combined Monte Carlo standard errors.
package against

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"sort"
	"strings"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
)

// Reference is a long run of JAGS.
type Reference struct {
	Meta struct {
		Dir            string      `json:"dir"`
		Model          string      `json:"model"`
		Data           []string    `json:"data"`
		Inits          OneOrMany   `json:"inits"`
		Modules        []string    `json:"modules"`
		Converged      *bool       `json:"converged"`
		MaxRhat        float64     `json:"max_rhat"`
		MinESS         float64     `json:"min_ess"`
		CPU            float64     `json:"jags_user_s"`
		ESSPerCPU      json.Number `json:"ess_per_cpu_s"`
		MinESSPerCPU   json.Number `json:"min_ess_per_cpu_s"`
		DrawsPerChain  int         `json:"draws_per_chain"`
		MinESSElements string      `json:"min_ess_param"`
	} `json:"_meta"`
	Params map[string]Param `json:"params"`
}

// Param is what a reference says of an element.
type Param struct {
	Mean float64 `json:"mean"`
	SD   float64 `json:"sd"`
	MCSE float64 `json:"mcse"`
	ESS  float64 `json:"ess"`
}

// OneOrMany is a file name, several, or null.
type OneOrMany []string

// UnmarshalJSON reads "a", ["a", "b"] or null.
func (o *OneOrMany) UnmarshalJSON(b []byte) error {
	*o = nil
	switch {
	case string(b) == "null":
		return nil
	case b[0] == '"':
		*o = make(OneOrMany, 1)
		return json.Unmarshal(b, &(*o)[0])
	}
	return json.Unmarshal(b, (*[]string)(o))
}

// Load reads a reference file.
func Load(path string) (*Reference, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := new(Reference)
	if err := json.Unmarshal(b, r); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// Variables are the names of the parameters without their subscripts.
func (r *Reference) Variables() []string {
	seen := map[string]bool{}
	for p := range r.Params {
		name, _, _ := strings.Cut(p, "[")
		seen[name] = true
	}
	names := make([]string, 0, len(seen))
	for n := range seen {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// Names are the parameters in order.
func (r *Reference) Names() []string {
	names := make([]string, 0, len(r.Params))
	for n := range r.Params {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// Difference is one number that both engines estimated.
type Difference struct {
	Stat      string // mean or sd
	Parameter string
	Ours      float64
	OurSE     float64
	Theirs    float64
	Z         float64 // difference in combined standard errors
	Unbounded bool    // a standard error is missing or zero while the values differ
	// TailK is the Pareto shape of the heavier tail of our draws, known where
	// the difference is large.
	TailK float64
}

// maxTailK is the Pareto shape beyond which a mean cannot be estimated in
// practice, whatever its standard error says (Vehtari, Simpson, Gelman, Yao,
// Gabry 2024, "Pareto smoothed importance sampling").
const maxTailK = 0.7

// HeavyTails reports whether the draws have no such moment that a finite run
// could estimate: neither engine's number is one. The shape of x² is twice
// that of x.
func (d Difference) HeavyTails() bool {
	if d.Stat == "sd" {
		return 2*d.TailK > maxTailK
	}
	return d.TailK > maxTailK
}

// Name is "sd of tau".
func (d Difference) Name() string { return d.Stat + " of " + d.Parameter }

// Comparison is the outcome for one model.
type Comparison struct {
	Differences []Difference // worst first
	Missing     []string     // parameters of the reference that the run lacks
	MinESS      float64      // bulk, over the parameters of the reference
	MinESSName  string
	MaxRhat     float64
}

// Over counts the differences of more than limit standard errors.
func (c Comparison) Over(limit float64) int {
	n := 0
	for _, d := range c.Differences {
		if d.Z > limit {
			n++
		}
	}
	return n
}

// Undecided counts the differences of more than limit standard errors that
// heavy tails explain.
func (c Comparison) Undecided(limit float64) int {
	n := 0
	for _, d := range c.Differences {
		if d.Z > limit && d.HeavyTails() {
			n++
		}
	}
	return n
}

// Worst describes the largest difference.
func (c Comparison) Worst() (z float64, name string) {
	if len(c.Differences) == 0 {
		return 0, ""
	}
	return c.Differences[0].Z, c.Differences[0].Name()
}

// Compare judges means and standard deviations of every parameter that the
// reference has.
func Compare(s run.Summary, r *Reference) Comparison {
	c := Comparison{MinESS: math.Inf(1)}
	for _, name := range r.Names() {
		ours, ok := lookup(s, name)
		if !ok || ours.Mean == nil {
			c.Missing = append(c.Missing, name)
			continue
		}
		p := r.Params[name]
		mean := Difference{Stat: "mean", Parameter: name, Ours: *ours.Mean, OurSE: value(ours.MCSEMean), Theirs: p.Mean}
		mean.judge(p.MCSE)
		sd := Difference{Stat: "sd", Parameter: name, Ours: value(ours.SD), OurSE: value(ours.MCSESD), Theirs: p.SD}
		sd.judge(referenceMCSESD(ours, p.SD, p.ESS))
		c.Differences = append(c.Differences, mean, sd)
		// A quantity that is constant, or almost never moves, has no ESS; JAGS
		// gives it none either.
		if ours.ESSBulk != nil && value(ours.SD) > 0 && *ours.ESSBulk < c.MinESS {
			c.MinESS, c.MinESSName = *ours.ESSBulk, name
		}
		if ours.Rhat != nil {
			c.MaxRhat = max(c.MaxRhat, *ours.Rhat)
		}
	}
	sort.SliceStable(c.Differences, func(i, j int) bool { return c.Differences[i].Z > c.Differences[j].Z })
	return c
}

// Element is the name that ergodic gives to an element in the manner of JAGS,
// which names the only element of an array without its subscript.
func Element(name string, has func(string) bool) (string, bool) {
	for _, n := range [...]string{name, name + "[1]", name + "[1,1]"} {
		if has(n) {
			return n, true
		}
	}
	return "", false
}

func lookup(s run.Summary, name string) (run.Parameter, bool) {
	n, ok := Element(name, func(n string) bool { _, ok := s.Parameters[n]; return ok })
	return s.Parameters[n], ok
}

// referenceMCSESD estimates the standard error of the reference's sd, which
// its file does not hold. For normal draws it is sd/√(2 ESS). Heavier tails
// make it larger by √((κ-1)/2) with κ the kurtosis; our own draws tell by how
// much: ours.MCSESD against the same formula.
func referenceMCSESD(ours run.Parameter, sd, ess float64) float64 {
	if ess <= 0 {
		return 0
	}
	inflation := 1.0
	if mcse, ourSD := value(ours.MCSEMean), value(ours.SD); mcse > 0 && ourSD > 0 && ours.MCSESD != nil {
		ourESS := ourSD * ourSD / (mcse * mcse)
		inflation = max(1, *ours.MCSESD*math.Sqrt(2*ourESS)/ourSD)
	}
	return inflation * sd / math.Sqrt(2*ess)
}

func value(x *float64) float64 {
	if x == nil {
		return 0
	}
	return *x
}

// codaDigits is the relative error of a number with the six digits that JAGS
// writes in its CODA files, from which the references were computed.
const codaDigits = 5e-6

func (d *Difference) judge(theirSE float64) {
	diff := math.Abs(d.Ours - d.Theirs)
	se := math.Hypot(d.OurSE, theirSE)
	switch {
	case diff <= codaDigits*math.Abs(d.Theirs) && se == 0:
		d.Z = 0
	case se > 0:
		d.Z = diff / se
	default:
		d.Z, d.Unbounded = math.Inf(1), true
	}
}
