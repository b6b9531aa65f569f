package rundir

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
)

// Summary is the content of summary.json.
type Summary struct {
	Ergodic    string     `json:"ergodic"` // version
	Job        string     `json:"job"`
	Input      Input      `json:"input"`
	Run        Run        `json:"run"`
	Samplers   []Sampler  `json:"samplers,omitempty"`
	Parameters Parameters `json:"parameters"`
	Warnings   []Warning  `json:"warnings"`
	Result     any        `json:"result,omitempty"`
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

// Parameter is a row of the table: one element of a variable.
type Parameter struct {
	Name     string `json:"-"`
	Mean     Number `json:"mean"`
	SD       Number `json:"sd"`
	MCSEMean Number `json:"mcse_mean"`
	MCSESD   Number `json:"mcse_sd"`
	Q5       Number `json:"q5"`
	Median   Number `json:"median"`
	Q95      Number `json:"q95"`
	ESSBulk  Number `json:"ess_bulk"`
	ESSTail  Number `json:"ess_tail"`
	Rhat     Number `json:"rhat"`
}

// Warning says that something is wrong and what to do about it.
type Warning struct {
	Code      string `json:"code"`
	Parameter string `json:"parameter,omitempty"`
	Value     Number `json:"value"`
	Message   string `json:"message"`
}

// Number is a float64 that JSON writes as null where it is NaN or infinite.
type Number float64

func (x Number) MarshalJSON() ([]byte, error) {
	if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(x))
}

func (x *Number) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*x = Number(math.NaN())
		return nil
	}
	return json.Unmarshal(b, (*float64)(x))
}

// Parameters is the table: a JSON object from names to rows that keeps its
// order.
type Parameters []Parameter

func (p Parameters) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, row := range p {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(row.Name)
		if err != nil {
			return nil, err
		}
		values, err := json.Marshal(row)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(values)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func (p *Parameters) UnmarshalJSON(b []byte) error {
	d := json.NewDecoder(bytes.NewReader(b))
	t, err := d.Token()
	if err != nil {
		return err
	}
	if t == nil {
		return nil
	}
	if t != json.Delim('{') {
		return errors.New("parameters are not an object")
	}
	*p = nil
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return err
		}
		var row Parameter
		if err := d.Decode(&row); err != nil {
			return err
		}
		row.Name, _ = t.(string)
		*p = append(*p, row)
	}
	return nil
}

// WriteSummary writes summary.json, which marks the run as finished.
func (d *Dir) WriteSummary(s *Summary) error {
	if s.Parameters == nil {
		s.Parameters = Parameters{}
	}
	if s.Warnings == nil {
		s.Warnings = []Warning{}
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
