package lattice

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/checksummed"
	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/runner"
)

// WangLandau estimates the density of states g(E) of a model with one coupling and no fields, whose energies are levels: the numbers of bonds
// between equal spins (Wang and Landau 2001). A walker changes one spin at a time, with probability min(1, g(E)/g(E')) by the estimate so far,
// and multiplies the estimate where it is by a factor. The logarithm of the factor starts at 1, is halved where all levels known have been visited since, and
// from where it comes below 2/t is 2/t, t the number of trials for each level (Belardinelli and Pereyra 2007, with 1/t), so that the error goes on to fall. A level that is
// found late gets the estimate of the one it was reached from, and the factor is 1 again.
//
// Walkers are independent runs: errors are those between them. Results depend on the model, the seed, the walkers and the sweeps, not on threads or interruptions.
type WangLandau struct {
	Model   *Model
	Walkers int // 2 or more
	Sweeps  int // of each walker, of as many trials as there are sites
	Seed    uint64
	Threads int // 0: one

	// File is where walkers are saved every Interval (30 s), and when the context ends; empty for nowhere. Fingerprint identifies the graph and what else the caller
	// chose: Resume refuses a file with another one.
	File        string
	Interval    time.Duration
	Fingerprint string

	Progress func(done, of int) // sweeps of all walkers; called about ten times a second; may be nil

	walkers []*walker
	saved   []savedWalker
	saving  sync.Mutex
	done    atomic.Int64
}

// savedWangLandau is the content of a checkpoint.
type savedWangLandau struct {
	Fingerprint   string
	Sites, Bonds  int
	Q             int
	Seed          uint64
	Walkers, Upto int // number of walkers; sweeps asked for when it was written
	States        []savedWalker
}

func wangLandauFile() checksummed.Kind {
	return checksummed.Kind{Name: "Wang-Landau walkers", Version: 2} // 1: the factor fell as 1/t
}

func (w *WangLandau) check() error {
	if w.Model == nil {
		return errors.New("lattice: Wang–Landau sampling of no model")
	}
	if err := w.Model.Check(); err != nil {
		return err
	}
	if _, uniform := w.Model.Graph.Uniform(); !uniform || w.Model.Field != nil {
		return errors.New("lattice: Wang–Landau sampling needs energies that are levels: one coupling for all bonds and no fields")
	}
	if w.Walkers < 2 || w.Sweeps < 1 || w.Threads < 0 {
		return fmt.Errorf("lattice: Wang–Landau sampling by %d walkers, of %d sweeps each, on %d threads: there must be 2 walkers and 1 sweep or more", w.Walkers, w.Sweeps, w.Threads)
	}
	g := w.Model.Graph
	return memory.Room(memory.Product(w.Walkers, 3*g.Sites()+34*(g.Bonds()+1)))
}

// open makes the walkers as they start.
func (w *WangLandau) open() error {
	if w.walkers != nil {
		return nil
	}
	if err := w.check(); err != nil {
		return err
	}
	w.saved = make([]savedWalker, w.Walkers)
	for i := range w.Walkers {
		w.walkers = append(w.walkers, newWalker(w.Model, w.Seed, i))
	}
	return nil
}

// Run makes all sweeps that are left. When the context ends before that, the walkers are saved and the error wraps mcmc.ErrInterrupted.
func (w *WangLandau) Run(ctx context.Context) error {
	if err := w.open(); err != nil {
		return err
	}
	units := make([]runner.Unit, len(w.walkers))
	w.done.Store(0)
	for i, x := range w.walkers {
		units[i] = &walkerUnit{x, w, i}
		w.done.Add(int64(x.Sweeps))
		w.saved[i] = x.save()
	}
	set := runner.Settings{Threads: max(1, w.Threads), Every: w.Interval, Watch: w.watch}
	if w.Interval == 0 {
		set.Every = 30 * time.Second
	}
	if w.File != "" {
		set.Write = w.write
	}
	err := runner.Run(ctx, units, set)
	if errors.Is(err, runner.ErrInterrupted) {
		return fmt.Errorf("Wang–Landau sampling: %w", err)
	}
	return err
}

func (w *WangLandau) watch() {
	if w.Progress != nil {
		w.Progress(int(w.done.Load()), w.Walkers*w.Sweeps)
	}
}

func (w *WangLandau) write() error {
	w.saving.Lock()
	defer w.saving.Unlock()
	return wangLandauFile().Write(w.File, w.content())
}

func (w *WangLandau) content() savedWangLandau {
	g := w.Model.Graph
	return savedWangLandau{w.Fingerprint, g.Sites(), g.Bonds(), w.Model.Q, w.Seed, w.Walkers, w.Sweeps, w.saved}
}

// Resume restores the walkers in File, if there is one. More sweeps than when it was written are allowed.
func (w *WangLandau) Resume() error {
	if err := w.open(); err != nil {
		return err
	}
	var was savedWangLandau
	there, err := wangLandauFile().ReadIfThere(w.File, &was)
	if err != nil || !there {
		return err
	}
	if err := w.restore(was); err != nil {
		return fmt.Errorf("%s: %w", w.File, err)
	}
	return nil
}

func (w *WangLandau) restore(was savedWangLandau) error {
	asked := w.content()
	if err := checksummed.Same([]checksummed.Property{
		{Name: "graph or setting", Was: was.Fingerprint, Asked: asked.Fingerprint}, {Name: "number of sites", Was: was.Sites, Asked: asked.Sites},
		{Name: "number of bonds", Was: was.Bonds, Asked: asked.Bonds}, {Name: "number of colours", Was: was.Q, Asked: asked.Q},
		{Name: "seed", Was: was.Seed, Asked: asked.Seed}, {Name: "number of walkers", Was: was.Walkers, Asked: asked.Walkers},
	}); err != nil {
		return err
	}
	if len(was.States) != w.Walkers {
		return fmt.Errorf("%d walkers where %d are said to be", len(was.States), w.Walkers)
	}
	all := make([]*walker, w.Walkers)
	for i, s := range was.States {
		all[i] = newWalker(w.Model, w.Seed, i)
		if err := all[i].restore(s); err != nil {
			return fmt.Errorf("walker %d: %w", i+1, err)
		}
		if all[i].Sweeps > w.Sweeps {
			return fmt.Errorf("walker %d has made %d sweeps, and %d are asked for", i+1, all[i].Sweeps, w.Sweeps)
		}
	}
	w.walkers = all
	return nil
}

// walkerUnit is a walker as the runner sees it.
type walkerUnit struct {
	*walker
	job    *WangLandau
	number int
}

// Turn makes sweeps until about the time given.
func (u *walkerUnit) Turn(ctx context.Context, until time.Time) (more bool, err error) {
	for u.Sweeps < u.job.Sweeps {
		u.sweep()
		u.job.done.Add(1)
		if ctx.Err() != nil || time.Now().After(until) {
			break
		}
	}
	return u.Sweeps < u.job.Sweeps, nil
}

// Save notes the walker.
func (u *walkerUnit) Save() error {
	u.job.saving.Lock()
	defer u.job.saving.Unlock()
	u.job.saved[u.number] = u.save()
	return nil
}

// Place is where the walker is.
func (u *walkerUnit) Place() (unit, step string) {
	return fmt.Sprintf("walker %d", u.number+1), fmt.Sprintf("sweep %d", u.Sweeps+1)
}
