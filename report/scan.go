package report

import (
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/fanout"
)

// scan is a way through all elements of a group of draws, in pieces that
// several goroutines read at once.
type scan struct {
	pieces int
	// read gives the elements of a piece and their draws, which may lie in mem.
	read func(piece int, mem *draws.Columns) (elements []int, columns [][][]float64, err error)
}

// pieceValues is how many values of draws a goroutine holds at a time: 16 MB.
const pieceValues = 1 << 21

// scanGroup goes through a group on disk, in memory that does not grow with
// the number of draws, unless those of one element need more.
func scanGroup(r *draws.Reader, group string, threads int) (scan, error) {
	return scanElements(r, group, threads, func(int) bool { return true })
}

// scanElements is scanGroup that leaves out pieces with no element that is wanted.
func scanElements(r *draws.Reader, group string, threads int, wanted func(element int) bool) (scan, error) {
	total := r.Chains(group) * r.Draws(group)
	size := 0
	for _, v := range r.Variables(group) {
		size += v.Size()
	}
	fair := total * (size/(2*Workers(threads)) + 1) // so that no goroutine is left with all the work
	pieces, err := r.Pieces(group, min(fair, pieceValues))
	pieces = slices.DeleteFunc(pieces, func(p draws.Piece) bool { return !slices.ContainsFunc(p.Elements, wanted) })
	return scan{len(pieces), func(i int, mem *draws.Columns) ([]int, [][][]float64, error) {
		columns, err := r.ReadPiece(pieces[i], mem)
		return pieces[i].Elements, columns, err
	}}, err
}

// scanSet goes through draws in memory, element by element.
func scanSet(set *draws.Set) scan {
	return scan{len(set.Names()), func(e int, _ *draws.Columns) ([]int, [][][]float64, error) {
		chains := make([][]float64, set.Chains())
		for c := range chains {
			chains[c] = set.Chain(c, e)[:set.Draws()]
		}
		return []int{e}, [][][]float64{chains}, nil
	}}
}

// Workers is a number of threads, 0 for all cores.
func Workers(threads int) int {
	if threads <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return threads
}

// each calls f for every element, on several goroutines with work space of
// their own, and returns the error of the first piece that has one.
func (s scan) each(threads int, f func(work *diag.Work, element int, chains [][]float64) error) error {
	failed := make([]error, s.pieces)
	var stop atomic.Bool
	fanout.Each(Workers(threads), s.pieces, newWorkspace, func(w *workspace, i int) {
		if stop.Load() {
			return
		}
		if failed[i] = s.piece(i, w, f); failed[i] != nil {
			stop.Store(true)
		}
	})
	for _, err := range failed {
		if err != nil {
			return err
		}
	}
	return nil
}

// workspace is what one goroutine needs again and again.
type workspace struct {
	work    diag.Work
	columns draws.Columns
}

func newWorkspace() *workspace { return new(workspace) }

func (s scan) piece(i int, w *workspace, f func(*diag.Work, int, [][]float64) error) error {
	elements, columns, err := s.read(i, &w.columns)
	if err != nil {
		return err
	}
	for k, e := range elements {
		if err := f(&w.work, e, columns[k]); err != nil {
			return err
		}
	}
	return nil
}
