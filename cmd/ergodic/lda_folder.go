package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/ldareport"
	"github.com/ergodic-mcmc/ergodic/internal/regular"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/lda"
)

// ldaFolder is a finished lda train.
type ldaFolder struct {
	path   string
	result *ldareport.Training
	model  *lda.Fitted
	state  string // digest of the state
}

// openLDA opens the folder of a finished lda train.
func openLDA(path string) (*ldaFolder, error) {
	r, summary, err := readLDATraining(path)
	if err != nil {
		return nil, err
	}
	f := &ldaFolder{path: path, result: r}
	if len(summary.Digests) == 1 {
		f.state = summary.Digests[0]
	}
	if f.model, err = modelOfRun(path); err != nil {
		return nil, err
	}
	if f.model.Origin != summary.Origin || f.model.K() != len(f.result.Top) {
		return nil, fmt.Errorf("%s is of another run than %s; restore both from one copy", filepath.Join(path, ldaModelFile), filepath.Join(path, rundir.SummaryFile))
	}
	return f, nil
}

// modelOfRun reads the model in a run's folder.
func modelOfRun(path string) (*lda.Fitted, error) {
	f, err := lda.ReadFitted(filepath.Join(path, ldaModelFile))
	var unread *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, unfinishedLDA(path)
	case err != nil && !errors.As(err, &unread):
		return nil, fmt.Errorf("%w; ergodic %s --resume %s writes it again", err, ldaTrainJob, job.Quoted(path))
	}
	return f, err
}

// documents calls each with every document that has tokens, from 0, and their topics.
func (f *ldaFolder) documents(each func(document int, topics []uint16) error) error {
	path := filepath.Join(f.path, ldaStateFile)
	state, err := regular.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return unfinishedLDA(f.path)
	}
	if err != nil {
		return err
	}
	defer state.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, state); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if hex.EncodeToString(sum.Sum(nil)) != f.state {
		return fmt.Errorf("%s is damaged, or of another run than %s; ergodic %s --resume %s writes it again", path, filepath.Join(f.path, rundir.SummaryFile), ldaTrainJob, job.Quoted(f.path))
	}
	if _, err := state.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if err := lda.ReadState(state, f.result.Documents, f.model.K(), each); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
