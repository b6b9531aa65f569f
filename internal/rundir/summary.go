package rundir

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ergodic-mcmc/ergodic/report"
)

// Summary is the content of summary.json.
type Summary struct {
	Ergodic    string            `json:"ergodic"` // version
	Job        string            `json:"job"`
	Input      Input             `json:"input"`
	Run        Run               `json:"run"`
	Samplers   []Sampler         `json:"samplers,omitempty"`
	Parameters report.Parameters `json:"parameters"`
	Warnings   []report.Warning  `json:"warnings"`
	Result     any               `json:"result,omitempty"`
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

// Sampler is a kernel and the nodes it moves.
type Sampler struct {
	Kernel  string `json:"kernel"`
	Nodes   int    `json:"nodes"`
	Example string `json:"example"`
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
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	s := new(Summary)
	if err := json.Unmarshal(b, s); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return s, nil
}
