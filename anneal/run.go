package anneal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/checksummed"
	"github.com/ergodic-mcmc/ergodic/internal/cputime"
	"github.com/ergodic-mcmc/ergodic/internal/gobs"
	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/runner"
	"github.com/ergodic-mcmc/ergodic/internal/unitsfile"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// Run looks for a solution of low energy. When ctx ends, the state is saved, the error wraps mcmc.ErrInterrupted, and the result is what has
// been found by then: nil where nothing was.
func Run(ctx context.Context, in Instance, set Settings) (*Result, error) {
	hot, cold := set.Schedule.Hot, set.Schedule.Cold
	if hot == 0 || cold == 0 {
		h, c := in.Temperatures()
		hot, cold = cmp.Or(hot, h), cmp.Or(cold, c)
	}
	j := &run{set: set, walker: in.Walker, variables: in.Variables(), memory: float64(in.Memory())}
	j.keep = func(w Walker, replica int) ([]byte, error) { return gobs.Marshal(w.Solution(replica)) }
	res, err := j.run(ctx, hot, cold)
	if res == nil {
		return nil, err
	}
	if wrong := gobs.Unmarshal(res.best, &res.Solution); wrong != nil {
		return nil, cmp.Or(err, wrong)
	}
	return res, err
}

// Minimise looks for a state of low energy of a problem of one's own, as [Run] does.
func Minimise[S, M any](ctx context.Context, p Problem[S, M], set Settings) (best S, res *Result, err error) {
	hot, cold := set.Schedule.Hot, set.Schedule.Cold
	if (hot == 0 || cold == 0) && set.Schedule.Kind != Custom {
		h, c := measureRange(p, set.Seed)
		hot, cold = cmp.Or(hot, max(h, cold)), cmp.Or(cold, min(c, cmp.Or(hot, h)))
	}
	if _, lists := p.(Lister[S, M]); !lists && (set.Method == Steepest || set.Method == First) {
		return best, nil, fmt.Errorf("anneal: %v needs a problem that lists its changes; stochastic hill climbing does without", set.Method)
	}
	j := &run{set: set, walker: func() (Walker, error) { return newReplica(p), nil }, variables: p.Size()}
	j.keep = func(w Walker, _ int) ([]byte, error) { return gobs.Marshal(w.(*replica[S, M]).lowest()) }
	if res, err = j.run(ctx, hot, cold); res != nil {
		if wrong := gobs.Unmarshal(res.best, &best); wrong != nil {
			return best, nil, cmp.Or(err, wrong)
		}
	}
	return best, res, err
}

// run is a search for a minimum.
type run struct {
	set       Settings
	variables int
	memory    float64 // of a walker
	walker    func() (Walker, error)
	keep      func(w Walker, replica int) ([]byte, error) // the best state as bytes

	lanes  int // replicas of a walker
	groups int // of reads; 0: as many as there is time for
	slots  int
	file   unitsfile.File
	began  time.Time
	before time.Duration // that earlier processes took
	cpu    float64

	mutex   sync.Mutex
	next    int           // the first group that has not begun
	waiting []*savedGroup // groups to go on with
	again   []int         // groups that an earlier process began and did not save
	done    []*savedGroup // by number; nil: not over
	best    *savedGroup   // of those with a solution, the one of lowest energy and least number

	reached atomic.Bool // the target
	stopped atomic.Bool // some read by stagnation
	moves   atomic.Int64
	sweeps  atomic.Int64
	view    view
}

// view is what a person sees of the reads at work.
type view struct {
	best, temperature, acceptance atomic.Uint64 // bits
	reads                         atomic.Int64
}

func (j *run) run(ctx context.Context, hot, cold float64) (*Result, error) {
	if err := j.prepare(hot, cold); err != nil {
		return nil, err
	}
	j.view.best.Store(math.Float64bits(math.Inf(1)))
	if err := j.resume(); err != nil {
		return nil, err
	}
	units := make([]runner.Unit, j.slots)
	for i := range units {
		units[i] = &slot{run: j, number: i}
	}
	set := runner.Settings{Threads: j.set.Threads, Every: j.set.Every, Watch: j.watch}
	if j.set.Checkpoint != "" {
		set.Write = func() error { return j.file.WriteAfter(j.elapsed()) }
	}
	j.began, j.cpu = time.Now(), cputime.Process()
	if err := runner.Run(ctx, units, set); errors.Is(err, runner.ErrInterrupted) {
		return j.soFar(units), fmt.Errorf("anneal: the run was %w", err)
	} else if err != nil {
		return nil, fmt.Errorf("anneal: %w", err)
	}
	return j.result()
}

// soFar is what an interrupted run has found, in reads that are over and in those at work; nil: nothing.
func (j *run) soFar(units []runner.Unit) *Result {
	for _, u := range units {
		if s := u.(*slot); s.g != nil {
			now, w, i := s.g.results()
			now.Done, now.Cut = false, true
			if j.wants(now.Lowest, now.Number) {
				now.Solution, _ = j.keep(w, i) // without it, another's is the best
			}
			j.finished(now)
		}
	}
	res, err := j.result()
	if err != nil {
		return nil
	}
	res.Stopped = "interrupt"
	return res
}

// prepare checks what is asked for against the problem, and asks for memory.
func (j *run) prepare(hot, cold float64) error {
	set := &j.set
	if err := set.check(); err != nil {
		return err
	}
	if !(hot > 0) && set.Schedule.Hot == 0 { // no change adds anything
		hot, cold = 1, 1
	}
	if set.Schedule.Hot, set.Schedule.Cold = hot, cold; set.Schedule.Kind == Custom {
		set.Schedule.Hot, set.Schedule.Cold = 0, 0
	}
	if err := set.Schedule.check(); err != nil {
		return err
	}
	if set.Schedule.Kind == Custom && set.Method == Tempering {
		return errors.New("anneal: tempering chooses temperatures between two ends, and takes no list")
	}
	w, err := j.walker()
	if err != nil {
		return err
	}
	if err := able(w, set.Method); err != nil {
		return err
	}
	j.lanes = w.Replicas()
	if set.Sweeps == 0 && set.Time == 0 {
		if set.Sweeps = lonelySweeps; j.lanes > 1 {
			set.Sweeps = defaultSweeps
		}
	}
	set.Rungs = cmp.Or(set.Rungs, min(max(int(math.Sqrt(float64(j.variables))), 8), 64))
	set.Size = cmp.Or(set.Size, 64)
	if set.Method == Tempering && set.Rungs < 2 {
		return fmt.Errorf("anneal: tempering at %d temperatures: it takes 2 or more", set.Rungs)
	}
	perGroup := j.readsPerGroup()
	switch {
	case set.Reads > 0:
		j.groups = (set.Reads-1)/perGroup + 1
	case set.Time == 0:
		j.groups = defaultWalkers
	}
	j.slots = set.Threads
	if j.groups > 0 {
		j.slots = min(j.slots, j.groups)
	}
	return memory.Room(j.memory * float64(j.slots*(j.walkersPerGroup()+2)))
}

// able says why a walker cannot do what a method needs.
func able(w Walker, m Method) error {
	_, thresholds := w.(Thresholds)
	_, climbs := w.(Climbs)
	switch {
	case m == Threshold && !thresholds:
		return errors.New("anneal: this problem's moves accept by temperature alone, and not by threshold; annealing does as well")
	case (m == Steepest || m == First) && !climbs:
		return fmt.Errorf("anneal: this problem does not list its changes, which %v climbing needs; stochastic climbing does without", m)
	}
	return nil
}

func (j *run) walkersPerGroup() int {
	switch j.set.Method {
	case Tempering:
		return j.set.Rungs
	case Population:
		return (j.set.Size-1)/j.lanes + 1
	}
	return 1
}

func (j *run) readsPerGroup() int {
	if j.set.Method == Population {
		return 1
	}
	return j.lanes
}

// readsOf is how many reads of a group count: all but of the last, where fewer were asked for than its walkers have.
func (j *run) readsOf(group int) int {
	all := j.readsPerGroup()
	if j.set.Reads == 0 {
		return all
	}
	return min(all, max(j.set.Reads-group*all, 1))
}

// resume reads the checkpoint, where that is asked for.
func (j *run) resume() error {
	set := j.set
	j.file = unitsfile.File{Path: set.Checkpoint, Kind: checksummed.Kind{Name: "annealing", Version: 1}, Saved: unitsfile.Content{Fingerprint: set.Fingerprint, Seed: set.Seed,
		Settings: fmt.Sprint(set.Method, set.Schedule, set.Sweeps, set.Stagnation, set.Initial, set.Rungs, set.Size, j.lanes)}}
	if !set.Resume || set.Checkpoint == "" {
		return nil
	}
	err := j.file.Resume(func(n int, b []byte) error {
		s := new(savedGroup)
		if err := gobs.Unmarshal(b, s); err != nil {
			return err
		}
		if s.Number != n {
			return fmt.Errorf("group %d has the number %d", n, s.Number)
		}
		if s.Done && len(s.Energies) < j.readsOf(n) { // more reads are asked for than then
			j.again = append(j.again, n)
			return nil
		}
		if s.Done {
			j.finished(s)
			if set.HasTarget && s.Lowest <= tolerated(set.Target) {
				j.reached.Store(true)
			}
			j.view.lower(s.Lowest)
			j.sweeps.Add(int64(s.Sweeps))
			return nil
		}
		j.waiting = append(j.waiting, s)
		return nil
	})
	if err != nil {
		return err
	}
	j.before, j.next = j.file.Saved.Spent, len(j.file.Saved.Units)
	for n, b := range j.file.Saved.Units {
		if len(b) == 0 {
			j.again = append(j.again, n)
		}
	}
	return nil
}

// elapsed is the time that the run took, in this process and before.
func (j *run) elapsed() time.Duration { return j.before + time.Since(j.began) }

// late tells whether the time is over.
func (j *run) late() bool { return j.set.Time > 0 && j.elapsed() >= j.set.Time }

// byClock tells whether schedules run by the clock.
func (j *run) byClock() bool { return j.set.Sweeps == 0 }

// take gives a slot a group to work on, one that was begun or a new one: nil where there is none. speed is how many sweeps a second the slot's last read made; 0: it had none.
func (j *run) take(speed float64) *savedGroup {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	if j.reached.Load() || j.late() {
		return nil
	}
	if n := len(j.waiting); n > 0 {
		s := j.waiting[0]
		j.waiting = j.waiting[1:]
		return s
	}
	s := &savedGroup{Number: j.next}
	switch {
	case len(j.again) > 0:
		s.Number, j.again = j.again[0], j.again[1:]
	case j.groups > 0 && j.next >= j.groups:
		return nil
	default:
		j.next++
	}
	if j.byClock() {
		s.From = j.elapsed()
		s.Until = j.deadline(s.From, speed)
	}
	return s
}

// rounds are the parts of the time at which rounds of reads end.
var rounds = [...]float64{1. / 32, 3. / 32, 7. / 32, 15. / 32}

// enough sweeps make a read cold slowly enough for states that sweeps can make cold at all: more reads are then better than longer ones.
const enough = 1 << 18

// deadline is when a read that begins now ends. Of as many reads as were asked for, those that share a slot share its time.
func (j *run) deadline(now time.Duration, speed float64) time.Duration {
	end := j.set.Time
	if j.groups > 0 {
		left := max(j.groups-j.next+1, 1)
		return share(now, end, (left-1)/j.slots+1)
	}
	for _, part := range rounds {
		// A read that would get but a small part of its round joins the next.
		if to := time.Duration(part * float64(end)); now < to && float64(to-now) > float64(end)/128 {
			end = to
			break
		}
	}
	return share(now, end, int(min(max((end-now).Seconds()*speed/enough, 1), 1<<20)))
}

// share is the end of the first of so many equal parts of a time.
func share(from, to time.Duration, parts int) time.Duration {
	return from + (to-from)/time.Duration(parts)
}

// finished keeps a group that is over.
func (j *run) finished(s *savedGroup) {
	for len(j.done) <= s.Number {
		j.done = append(j.done, nil)
	}
	j.done[s.Number] = s
	j.view.reads.Add(int64(len(s.Energies)))
	if s.Solution == nil {
		return
	}
	if b := j.best; b == nil || s.Lowest < b.Lowest || s.Lowest == b.Lowest && s.Number < b.Number {
		if b != nil {
			b.Solution = nil
		}
		j.best = s
		return
	}
	s.Solution = nil
}

// wants tells whether the solution of a group would be the best.
func (j *run) wants(lowest float64, number int) bool {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	return j.best == nil || lowest < j.best.Lowest || lowest == j.best.Lowest && number < j.best.Number
}

// ofReads is how many there will be; 0: as many as there is time for.
func (j *run) ofReads() int {
	if j.set.Reads > 0 {
		return j.set.Reads
	}
	return j.groups * j.readsPerGroup()
}

func (j *run) watch() {
	if j.set.Progress == nil {
		return
	}
	p := Progress{Reads: int(j.view.reads.Load()), OfReads: j.ofReads(), Sweeps: j.sweeps.Load(), Elapsed: j.elapsed(), OfTime: j.set.Time,
		Moves: j.moves.Load(), Temperature: math.Float64frombits(j.view.temperature.Load()), Acceptance: math.Float64frombits(j.view.acceptance.Load())}
	p.Best = math.Float64frombits(j.view.best.Load())
	if !j.byClock() {
		p.OfSweeps = int64(j.set.Sweeps) * int64(j.groups)
	}
	j.set.Progress(p)
}

// result puts together what groups found.
func (j *run) result() (*Result, error) {
	res := &Result{Best: math.Inf(1), Hot: j.set.Schedule.Hot, Cold: j.set.Schedule.Cold, Took: j.elapsed(), Rate: math.NaN(), Stopped: "sweeps"}
	var cut []Read
	for _, s := range j.done {
		if s == nil {
			continue
		}
		res.Moves += s.Moves
		for _, e := range s.Energies {
			if r := (Read{e, s.Sweeps, s.Cut}); s.Cut {
				cut = append(cut, r)
			} else {
				res.Reads = append(res.Reads, r)
			}
		}
		if s.Trace != nil && len(s.Trace.Sweep) > 0 {
			res.Traces = append(res.Traces, *s.Trace)
		}
	}
	res.Reads = slices.Concat(res.Reads, cut)
	if j.best == nil {
		return nil, errors.New("anneal: no read has begun; give it more time")
	}
	res.Best, res.best = j.best.Lowest, j.best.Solution
	if spent := cputime.Process() - j.cpu; spent > 0 && j.moves.Load() > 0 {
		res.Rate = float64(j.moves.Load()) / spent
	}
	switch {
	case j.reached.Load():
		res.Stopped = "target"
	case j.byClock() || len(cut) > 0:
		res.Stopped = "time"
	case j.stopped.Load():
		res.Stopped = "stagnation"
	}
	return res, nil
}

// memoryStream draws states that are overwritten.
func memoryStream() *rng.Stream { return rng.New(0, "anneal memory") }
