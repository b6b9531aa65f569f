package report

import (
	"fmt"
	"math"
)

// Compared is a run to compare.
type Compared struct {
	Name       string
	Parameters Parameters
	Predictive *Predictive // nil where the run kept no log likelihood
}

// Comparison of runs: parameters against the first run, predictions against
// the best.
type Comparison struct {
	Runs       []string            `json:"runs"`
	Parameters ComparedParameters  `json:"parameters"`
	Compared   int                 `json:"compared"`        // differences that were compared
	Beyond4    int                 `json:"beyond_4_mcse"`   // of which above 4 combined MCSE
	Missing    map[string][]string `json:"missing"`         // parameters of the first run that another has not, and the reverse
	LOO        []PredictiveRow     `json:"loo,omitempty"`   // best first
	WAIC       []PredictiveRow     `json:"waic,omitempty"`  // best first
	Notes      []string            `json:"notes,omitempty"` // why runs could not be compared
}

// ComparedParameter is one parameter in every run. Z is the difference from
// the first run in units of the combined Monte Carlo standard error,
// sqrt(mcse_1² + mcse_i²); chains that agree are within 4 but for 1
// comparison in 15 787.
type ComparedParameter struct {
	Name  string   `json:"-"`
	Mean  []Number `json:"mean"`
	SD    []Number `json:"sd"`
	ZMean []Number `json:"z_mean"`
	ZSD   []Number `json:"z_sd"`
}

// Compare compares two runs or more.
func Compare(runs []Compared) (*Comparison, error) {
	if len(runs) < 2 {
		return nil, fmt.Errorf("a comparison needs two runs or more")
	}
	c := &Comparison{Parameters: ComparedParameters{}, Missing: map[string][]string{}}
	tables := make([]map[string]Parameter, len(runs))
	for i, r := range runs {
		c.Runs = append(c.Runs, r.Name)
		tables[i] = make(map[string]Parameter, len(r.Parameters))
		for _, p := range r.Parameters {
			tables[i][p.Name] = p
		}
	}
	for _, p := range runs[0].Parameters {
		c.parameter(p, tables, runs)
	}
	for i, r := range runs[1:] {
		for _, p := range r.Parameters {
			if _, ok := tables[0][p.Name]; !ok {
				c.Missing[runs[0].Name] = append(c.Missing[runs[0].Name], fmt.Sprintf("%s of %s", p.Name, runs[i+1].Name))
			}
		}
	}
	c.predictive(runs)
	return c, nil
}

// parameter compares one parameter of the first run with the others'.
func (c *Comparison) parameter(first Parameter, tables []map[string]Parameter, runs []Compared) {
	row := ComparedParameter{Name: first.Name}
	for i, table := range tables {
		p, ok := table[first.Name]
		if !ok {
			c.Missing[runs[i].Name] = append(c.Missing[runs[i].Name], first.Name)
			nan := Number(math.NaN())
			p = Parameter{Mean: nan, SD: nan, MCSEMean: nan, MCSESD: nan}
		}
		row.Mean, row.SD = append(row.Mean, p.Mean), append(row.SD, p.SD)
		if i == 0 {
			row.ZMean, row.ZSD = append(row.ZMean, 0), append(row.ZSD, 0)
			continue
		}
		row.ZMean = append(row.ZMean, c.z(first.Mean, p.Mean, first.MCSEMean, p.MCSEMean))
		row.ZSD = append(row.ZSD, c.z(first.SD, p.SD, first.MCSESD, p.MCSESD))
	}
	c.Parameters = append(c.Parameters, row)
}

// z is the difference in combined standard errors. Constants have no error:
// they are equal or not a number of errors apart.
func (c *Comparison) z(a, b, mcseA, mcseB Number) Number {
	none := func(x Number) bool { return math.IsNaN(float64(x)) }
	if none(a) || none(b) {
		return Number(math.NaN())
	}
	if none(mcseA) {
		mcseA = 0
	}
	if none(mcseB) {
		mcseB = 0
	}
	c.Compared++
	if a == b {
		return 0
	}
	z := Number(float64(b-a) / math.Hypot(float64(mcseA), float64(mcseB)))
	if math.Abs(float64(z)) > 4 {
		c.Beyond4++
	}
	return z
}
