package against

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
)

// Fill names the files of the reference, which lie in dir, in a job. Of several files of initial values, but not one for each chain, it takes the first.
func (r *Reference) Fill(job run.Job, dir string) (run.Job, error) {
	job.Model = filepath.Join(dir, r.Meta.Model)
	if _, err := os.Stat(job.Model); errors.Is(err, os.ErrNotExist) {
		// inhaler1.bug is kept as inhaler.bug.
		job.Model = filepath.Join(dir, strings.TrimRight(strings.TrimSuffix(r.Meta.Model, ".bug"), "0123456789")+".bug")
	}
	if _, err := os.Stat(job.Model); err != nil {
		return job, err
	}
	for _, f := range r.Meta.Data {
		job.Data = append(job.Data, filepath.Join(dir, f))
	}
	inits := r.Meta.Inits
	if len(inits) > 1 && len(inits) != job.Chains {
		inits = inits[:1]
	}
	for _, f := range inits {
		job.Inits = append(job.Inits, filepath.Join(dir, f))
	}
	return job, nil
}
