package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ergodic-mcmc/ergodic/internal/ldareport"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/lda"
)

// topicsFile is the model in the folder of lda train.
const topicsFile = "topics.model"

// ldaFolder is a finished lda train.
type ldaFolder struct {
	path   string
	result ldareport.Training
	model  *lda.Fitted
}

// openLDA opens the folder of a finished lda train.
func openLDA(path string) (*ldaFolder, error) {
	switch info, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no folder %s", path)
	case err == nil && !info.IsDir():
		return nil, fmt.Errorf("%s is a file, not the folder of a run", path)
	}
	s, err := rundir.ReadSummary(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s is not the folder of a finished run: it has no %s", path, rundir.SummaryFile)
	case err != nil:
		return nil, err
	case s.Job != ldaTrainJob:
		return nil, fmt.Errorf("%s is the folder of %s, and topics come from %s", path, s.Job, ldaTrainJob)
	}
	f := &ldaFolder{path: path}
	b, err := json.Marshal(s.Result)
	if err == nil {
		err = json.Unmarshal(b, &f.result)
	}
	if err != nil {
		return nil, fmt.Errorf("the result of %s in %s cannot be read: %w", s.Job, filepath.Join(path, rundir.SummaryFile), err)
	}
	if f.model, err = lda.ReadFitted(filepath.Join(path, topicsFile)); err != nil {
		return nil, err
	}
	if k := f.model.K(); k != f.result.Topics || k != len(f.result.Top) || f.model.Words != f.result.Vocabulary {
		return nil, fmt.Errorf("%s has %d topics of %d words, and %s is of %d topics of %d words: one of them is of another run; restore both from one copy",
			filepath.Join(path, topicsFile), k, f.model.Words, rundir.SummaryFile, f.result.Topics, f.result.Vocabulary)
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
