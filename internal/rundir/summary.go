package rundir

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/report"
)

// Summary is the content of summary.json.
type Summary struct {
	Ergodic    string             `json:"ergodic"` // version
	Job        string             `json:"job"`
	Input      Input              `json:"input"`
	Run        Run                `json:"run"`
	Samplers   []Sampler          `json:"samplers,omitempty"`
	Parameters report.Parameters  `json:"parameters"`
	Criteria   []report.Criterion `json:"criteria,omitempty"`
	Warnings   []report.Warning   `json:"warnings"`
	Until      *Until             `json:"until,omitempty"`
	Result     any                `json:"result,omitempty"`
	Origin     string             `json:"origin,omitempty"` // that of the run's other files
	Digests    []string           `json:"seals,omitempty"`  // of the draws of each chain
}

// Same returns an error unless the summary is of the draws that are read, and
// of the run that the folder says.
func (s *Summary) Same(path string, r *draws.Reader) error {
	var spec struct{ Origin string }
	err := ReadSpec(path, &spec)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	of := spec.Origin
	if r != nil && r.Origin() != "" {
		if of != "" && r.Origin() != of {
			return fmt.Errorf("%s is of another run than %s; restore both from one copy", filepath.Join(path, DrawsFolder), filepath.Join(path, SpecFile))
		}
		of = r.Origin()
	}
	switch {
	case s == nil:
		return nil
	case s.Origin != "" && of != "" && s.Origin != of:
		return fmt.Errorf("%s is of another run than the rest of %s; restore both from one copy", filepath.Join(path, SummaryFile), path)
	case r != nil && s.Digests != nil && !slices.Equal(s.Digests, Digests(r)):
		return fmt.Errorf("%s and %s are of different runs, or of different times of one; restore both from one copy", filepath.Join(path, SummaryFile), filepath.Join(path, DrawsFolder))
	}
	return nil
}

// Digests are those of draws, as the summary has them.
func Digests(r *draws.Reader) (all []string) {
	for _, s := range r.Digests() {
		all = append(all, hex.EncodeToString(s))
	}
	return all
}

// Input is what the run was given.
type Input struct {
	Model  string `json:"model,omitempty"`
	SHA256 string `json:"sha256,omitempty"`
	Data   []File `json:"data,omitempty"`
	Inits  []File `json:"inits,omitempty"`
}

// File is an input file and its hash.
type File struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// Run is the settings and the cost.
type Run struct {
	Seed    uint64  `json:"seed"`
	Chains  int     `json:"chains"`
	Warmup  int     `json:"warmup"`
	Draws   int     `json:"draws"`
	Thin    int     `json:"thin"`
	Threads int     `json:"threads"`
	WallS   float64 `json:"wall_s"`
	CPUS    CPU     `json:"cpu_s"`
}

// CPU is seconds of processor time by phase.
type CPU struct {
	Compile  float64 `json:"compile"`
	Warmup   float64 `json:"warmup"`
	Sampling float64 `json:"sampling"`
}

// Until says of a run that was not ended by its number of draws how it did.
type Until struct {
	Goal   string            `json:"goal,omitempty"`
	Ended  string            `json:"ended"`  // by the "goal", "max-draws" or "time"
	Judged []report.Standing `json:"judged"` // each time it was
}

// Sampler is a kernel and the nodes it moves.
type Sampler struct {
	Kernel  string `json:"kernel"`
	Nodes   int    `json:"nodes"`
	Example string `json:"example"`
	Why     string `json:"why,omitempty"` // this kernel, where the plan had a choice
}

// WriteSummary writes summary.json, which marks the run as finished.
func (d *Dir) WriteSummary(s *Summary) error {
	if s.Parameters == nil {
		s.Parameters = report.Parameters{}
	}
	if s.Warnings == nil {
		s.Warnings = []report.Warning{}
	}
	if err := d.WriteJSON(SummaryFile, s); err != nil {
		return fmt.Errorf("the summary cannot be written: %w", err)
	}
	return nil
}

// ReadSummary reads the summary of the run in a folder.
func ReadSummary(path string) (*Summary, error) {
	file := filepath.Join(path, SummaryFile)
	s := new(Summary)
	if err := readJSON(file, s); err != nil {
		return nil, err
	}
	if s.Warnings == nil {
		return nil, fmt.Errorf("%s is not a summary; restore it from a copy", file)
	}
	return s, nil
}
