package path

import (
	"fmt"
	"math"
	"time"
)

// halfway is runs that were made together and are not finished, as a checkpoint has them.
type halfway struct {
	Runs   []int
	At     place
	Rows   [][]float64 // of each run: counts and numbers, as those of finished runs
	Rand   [][]byte
	States [][]byte
}

// keep leaves where the group is with the job, if that keeps a checkpoint, it is time, and states can be kept.
func (h *annealing[S]) keep(now bool) error {
	g := h.group
	if h.marshal == nil || g.job.file == nil || !now && time.Since(g.kept) < g.job.set.Every {
		return nil
	}
	half := &halfway{Runs: g.runs, At: h.at}
	for i := range g.runs {
		state, err := h.marshal.MarshalState(h.all[i])
		if err != nil {
			return fmt.Errorf("the state cannot be kept: %w", err)
		}
		source, err := g.streams[i].MarshalBinary()
		if err != nil {
			return err
		}
		half.Rows, half.Rand, half.States = append(half.Rows, g.row(i)), append(half.Rand, source), append(half.States, state)
	}
	g.kept = time.Now()
	return g.job.keep(g, half)
}

// row is what a checkpoint has of a run.
func (g *group) row(i int) []float64 {
	return append([]float64{float64(g.t[i].moves), float64(g.t[i].evals)}, g.rows[i]...)
}

// restore takes the group up where it was.
func (h *annealing[S]) restore(half *halfway) error {
	g := h.group
	if h.marshal == nil {
		return fmt.Errorf("the checkpoint has its state, which this family does not read")
	}
	for i := range g.runs {
		g.now = i
		state, err := h.marshal.UnmarshalState(half.States[i])
		if err != nil {
			return fmt.Errorf("its state in the checkpoint: %w", err)
		}
		h.all[i] = state
		if err := g.streams[i].UnmarshalBinary(half.Rand[i]); err != nil {
			return fmt.Errorf("its random numbers in the checkpoint: %w", err)
		}
		g.t[i].moves, g.t[i].evals = int64(half.Rows[i][0]), int64(half.Rows[i][1])
		g.t[i].reported = g.t[i].moves
		copy(g.rows[i], half.Rows[i][rowHead:])
	}
	h.from = half.At
	return nil
}

// checkHalves judges what was read from a file: runs that are neither finished nor there twice, each with all its parts.
func (f *finished) checkHalves() error {
	seen := map[int]bool{}
	for _, half := range f.Halves {
		n := len(half.Runs)
		if n == 0 || len(half.Rows) != n || len(half.Rand) != n || len(half.States) != n || half.At.Way < 1 || half.At.Moves < 0 {
			return fmt.Errorf("holds a group of %d unfinished runs that is not whole", n)
		}
		for i, run := range half.Runs {
			if run < 0 || run >= len(f.Rows) || len(f.Rows[run]) > 0 || seen[run] {
				return fmt.Errorf("holds run %d twice, or of %d", run+1, len(f.Rows))
			}
			seen[run] = true
			if err := f.checkRow(run, half.Rows[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkRow judges the counts and numbers of a run.
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
