package path

import (
	"fmt"
	"math"
)

// partialGroup is a group of unfinished runs in a checkpoint. Names of fields are those of the file.
type partialGroup struct {
	Runs   []int
	At     phasePoint
	Rows   [][]float64 // of each run: its counts and numbers, as in the row of a finished run
	Rand   [][]byte
	States [][]byte
}

// state is the group at work, between two moves.
func (a *annealing[S]) state() (*partialGroup, error) {
	g := a.group
	partial := &partialGroup{Runs: g.runs, At: a.at}
	for i := range g.runs {
		state, err := a.marshal.MarshalState(a.all[i])
		if err != nil {
			return nil, fmt.Errorf("the state cannot be saved: %w", err)
		}
		source, err := g.streams[i].MarshalBinary()
		if err != nil {
			return nil, err
		}
		partial.Rows, partial.Rand, partial.States = append(partial.Rows, g.row(i)), append(partial.Rand, source), append(partial.States, state)
	}
	return partial, nil
}

// row is a run's row in a checkpoint.
func (g *group) row(i int) []float64 {
	return append([]float64{float64(g.t[i].moves), float64(g.t[i].evals)}, g.rows[i]...)
}

// restore sets the group to its state in a checkpoint.
func (a *annealing[S]) restore(partial *partialGroup) error {
	g := a.group
	if a.marshal == nil {
		return fmt.Errorf("the checkpoint holds its state, which this family cannot read")
	}
	for i := range g.runs {
		g.now = i
		state, err := a.marshal.UnmarshalState(partial.States[i])
		if err != nil {
			return fmt.Errorf("its state in the checkpoint: %w", err)
		}
		a.all[i] = state
		if err := g.streams[i].UnmarshalBinary(partial.Rand[i]); err != nil {
			return fmt.Errorf("its random numbers in the checkpoint: %w", err)
		}
		g.t[i].moves, g.t[i].evals = int64(partial.Rows[i][0]), int64(partial.Rows[i][1])
		g.t[i].reported = g.t[i].moves
		copy(g.rows[i], partial.Rows[i][rowHead:])
	}
	a.from = partial.At
	return nil
}

// checkPartials checks partial groups that were read from a file: each run is unfinished, occurs once, and has all its parts.
func (f *finished) checkPartials() error {
	seen := map[int]bool{}
	for _, partial := range f.Halves {
		n := len(partial.Runs)
		if n == 0 || len(partial.Rows) != n || len(partial.Rand) != n || len(partial.States) != n || partial.At.Way < 1 || partial.At.Moves < 0 {
			return fmt.Errorf("holds a group of %d unfinished runs that is not whole", n)
		}
		for i, run := range partial.Runs {
			if run < 0 || run >= len(f.Rows) || len(f.Rows[run]) > 0 || seen[run] {
				return fmt.Errorf("holds run %d twice, or of %d", run+1, len(f.Rows))
			}
			seen[run] = true
			if err := f.checkRow(run, partial.Rows[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkRow checks the counts and numbers of a run.
func (f *finished) checkRow(run int, row []float64) error {
	if f.Width < 0 || len(row) != rowHead+f.Width {
		return fmt.Errorf("holds %d values of run %d instead of %d", len(row), run+1, rowHead+f.Width)
	}
	for _, count := range row[:rowHead] {
		if !(count >= 0 && count < 1<<53) || count != math.Trunc(count) {
			return fmt.Errorf("holds the count %v of moves or evaluations of run %d", count, run+1)
		}
	}
	return nil
}
