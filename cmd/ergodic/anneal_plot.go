package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/annealreport"
	"github.com/ergodic-mcmc/ergodic/internal/atomicfile"
	"github.com/ergodic-mcmc/ergodic/internal/checksummed"
	"github.com/ergodic-mcmc/ergodic/internal/regular"
	"github.com/ergodic-mcmc/ergodic/report"
)

// isAnneal tells the jobs of ergodic anneal.
func isAnneal(job string) bool { return strings.HasPrefix(job, annealJob+" ") }

// plotAnneal draws the pictures of a run again, in the format asked for.
func plotAnneal(dir string, q report.PlotRequest) (result report.PlotResult, err error) {
	if q.Kinds != nil || q.Params != "" {
		return result, usage("plot: %s is a run of anneal, which has no draws to choose from; leave --kind and --params out", dir)
	}
	file := filepath.Join(dir, annealPicturesFile)
	b, err := regular.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return result, fmt.Errorf("%s has no %s: the run is not finished", dir, annealPicturesFile)
	}
	if err != nil {
		return result, err
	}
	var p annealreport.Pictures
	if err := checksummed.DecodeJSON(b, &p); err != nil {
		return result, fmt.Errorf("%s %w", file, err)
	}
	format, out := cmp.Or(q.Format, "png"), cmp.Or(q.Out, filepath.Join(dir, "plots"))
	if err := os.MkdirAll(out, 0o777); err != nil {
		return result, fmt.Errorf("cannot make the folder for pictures: %w", err)
	}
	for _, one := range p.All() {
		path := filepath.Join(out, one.Name+"."+format)
		if err := atomicfile.WriteFrom(path, func(w io.Writer) error { return one.Page.Write(w, format) }); err != nil {
			return result, err
		}
		result.Files = append(result.Files, path)
	}
	return result, nil
}
