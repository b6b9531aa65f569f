package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ergodic-mcmc/ergodic/internal/ldareport"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/lda"
)

// ldaFolder is a finished lda train.
type ldaFolder struct {
	path   string
	result *ldareport.Training
	model  *lda.Fitted
}

// openLDA opens the folder of a finished lda train.
func openLDA(path string) (*ldaFolder, error) {
	r, _, err := readLDATraining(path)
	if err != nil {
		return nil, err
	}
	f := &ldaFolder{path: path, result: r}
	f.model, err = lda.ReadFitted(filepath.Join(path, ldaModelFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is missing; restore the file from a copy", filepath.Join(path, ldaModelFile))
	}
	if err != nil {
		return nil, err
	}
	if k := f.model.K(); k != f.result.Topics || k != len(f.result.Top) || f.model.Words != f.result.Vocabulary {
		return nil, fmt.Errorf("%s has %d topics of %d words, and %s is of %d topics of %d words: one of them is of another run; restore both from one copy",
			filepath.Join(path, ldaModelFile), k, f.model.Words, rundir.SummaryFile, f.result.Topics, f.result.Vocabulary)
	}
	return f, nil
}

// documents calls each with every document that has tokens, from 0, and their topics.
func (f *ldaFolder) documents(each func(document int, topics []uint16) error) error {
	path := filepath.Join(f.path, "state.gz")
	state, err := os.Open(path)
	if err != nil {
		return err
	}
	defer state.Close()
	if err := lda.ReadState(state, f.result.Documents, f.model.K(), each); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
