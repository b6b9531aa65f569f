package report

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/ergodic-mcmc/ergodic/draws"
)

// Pictures draws a set in one way. stats, the sample statistics, may be nil;
// only pairs look at them.
func Pictures(kind Kind, set, stats *draws.Set) []Page {
	switch kind {
	case Trace:
		return Traces(set)
	case Density:
		return Densities(set)
	case Rank:
		return Ranks(set)
	case Autocorrelation:
		return Autocorrelations(set)
	case Forest:
		return Forests(set)
	case Pairs:
		return PairPlots(set, stats)
	}
	return nil
}

// PlotRequest says what to draw of a run and where to put it. The zero value
// draws every kind of the first elements as PNG into the folder plots of
// the run.
type PlotRequest struct {
	Kinds  []Kind // none: all
	Params string // as draws.Select has it; "": the first elements
	Format string // "png", "svg" or ""
	Out    string // folder; "": plots in the run's folder
}

// Limits of the elements that are drawn.
const (
	PlotDefault = 60   // without a choice of parameters
	PlotMost    = 2000 // with one
)

// PlotResult lists the files that were written and what they leave out.
type PlotResult struct {
	Files []string `json:"files"`
	Notes []string `json:"notes,omitempty"`
}

// PlotRun draws the run in a folder, which may also be a folder of draws
// itself. It reads only the elements that it draws. On an error the result
// still lists the files that are complete.
func PlotRun(dir string, q PlotRequest) (PlotResult, error) {
	var result PlotResult
	if len(q.Kinds) == 0 {
		q.Kinds = Kinds()
	}
	if q.Format == "" {
		q.Format = "png"
	}
	if q.Out == "" {
		q.Out = filepath.Join(dir, "plots")
	}
	set, stats, notes, err := readForPlots(dir, q.Params)
	if err != nil {
		return result, err
	}
	result.Notes = notes
	if err := os.MkdirAll(q.Out, 0o777); err != nil {
		return result, fmt.Errorf("cannot make the folder for pictures: %w", err)
	}
	for _, kind := range q.Kinds {
		if kind == Pairs {
			result.Notes = append(result.Notes, pairsNotes(set)...)
		}
		for _, page := range Pictures(kind, set, stats) {
			path := filepath.Join(q.Out, pageName(page, q.Format))
			if err := writePage(path, page, q.Format); err != nil {
				return result, err
			}
			result.Files = append(result.Files, path)
		}
	}
	return result, nil
}

func pairsNotes(set *draws.Set) []string {
	n := len(set.Names())
	switch {
	case n < 2:
		return []string{"pairs: not drawn, there is only one element"}
	case n > PairsMax:
		return []string{fmt.Sprintf("pairs: the first %d of %d elements; choose others with PlotRequest.Params", PairsMax, n)}
	}
	return nil
}

func pageName(p Page, format string) string {
	if p.Of == 1 {
		return fmt.Sprintf("%s.%s", p.Kind, format)
	}
	return fmt.Sprintf("%s-%d.%s", p.Kind, p.Number, format)
}

func writePage(path string, p Page, format string) error {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("cannot write a picture: %w", err)
	}
	err = p.Write(f, format)
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("cannot write %s: %w", path, errors.Join(err, os.Remove(path)))
	}
	return nil
}

// readForPlots reads the elements to draw, and the sample statistics if the
// run has them.
func readForPlots(dir, params string) (set, stats *draws.Set, notes []string, err error) {
	path := filepath.Join(dir, "draws.zarr")
	if _, err := os.Stat(path); err != nil {
		path = dir
	}
	r, err := draws.Open(path)
	if err != nil {
		return nil, nil, nil, err
	}
	if !r.Has(draws.Posterior) || r.Draws(draws.Posterior) == 0 {
		return nil, nil, nil, fmt.Errorf("%s holds no draws of a posterior to plot", dir)
	}
	parts, elements, notes, err := chosen(r.Variables(draws.Posterior), params)
	if err != nil {
		return nil, nil, nil, err
	}
	if set, err = readElements(r, parts, elements); err != nil {
		return nil, nil, nil, err
	}
	if r.Has(draws.SampleStats) {
		if stats, err = r.ReadGroup(draws.SampleStats); err != nil {
			return nil, nil, nil, err
		}
	}
	return set, stats, notes, nil
}

// chosen are the variables and elements to draw, limited in number.
func chosen(vars []draws.Variable, params string) (parts []draws.Variable, elements []int, notes []string, err error) {
	most, advice := PlotMost, "choose fewer with PlotRequest.Params"
	if params == "" {
		params, most, advice = "*", PlotDefault, "choose with PlotRequest.Params"
	}
	parts, elements, err = draws.Select(vars, params)
	if err != nil || len(elements) <= most {
		return parts, elements, nil, err
	}
	notes = []string{fmt.Sprintf("drawn are the first %d of %d elements; %s", most, len(elements), advice)}
	kept := 0
	for i, v := range parts {
		if size := v.Size(); kept+size <= most {
			kept += size
			continue
		}
		cut := parts[:i:i]
		for _, name := range v.ElementNames()[:most-kept] {
			cut = append(cut, draws.Variable{Name: name})
		}
		return cut, elements[:most], notes, nil
	}
	return parts, elements, notes, nil
}

// plotBlock is how many values are read from disk at a time: 8 MB.
const plotBlock = 1 << 20

// readElements reads only the chosen elements.
func readElements(r *draws.Reader, parts []draws.Variable, elements []int) (*draws.Set, error) {
	chains, n := r.Chains(draws.Posterior), r.Draws(draws.Posterior)
	columns := make(map[int][][]float64, len(elements))
	for _, e := range elements {
		columns[e] = nil
	}
	pieces, err := r.Pieces(draws.Posterior, plotBlock)
	if err != nil {
		return nil, err
	}
	for _, p := range pieces {
		wanted := func(e int) bool { _, ok := columns[e]; return ok }
		if !slices.ContainsFunc(p.Elements, wanted) {
			continue
		}
		read, err := r.ReadPiece(p, nil)
		if err != nil {
			return nil, err
		}
		for i, e := range p.Elements {
			if wanted(e) {
				columns[e] = read[i]
			}
		}
	}
	set, err := draws.NewSet(parts, chains)
	if err != nil {
		return nil, err
	}
	draw := make([]float64, len(elements))
	for c := range chains {
		for t := range n {
			for i, e := range elements {
				draw[i] = columns[e][c][t]
			}
			if err := set.Append(c, draw); err != nil {
				return nil, err
			}
		}
	}
	return set, nil
}
