package mrf

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"github.com/ergodic-mcmc/ergodic/gibbs"
	"github.com/ergodic-mcmc/ergodic/internal/checksummed"
	"github.com/ergodic-mcmc/ergodic/internal/gobs"
	"github.com/ergodic-mcmc/ergodic/internal/runner"
	"github.com/ergodic-mcmc/ergodic/internal/unitsfile"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// SearchSettings say how a most probable state is searched for. The zero value works.
type SearchSettings struct {
	Seed    uint64
	Chains  int // independent searches; 0: 4
	Threads int // 0 or less: 1. Results do not depend on it
	// Rounds are the kicks of each search after its annealing; 0: 300.
	Rounds int
	Time   time.Duration // ends searches early, so that results depend on the machine; 0: never
	Sweeps int           // of the annealing; 0: 200, negative: none
	// Blocks are those whose most probable joint values are found by elimination; Entries 0: 4096, Covers 0: 4.
	Blocks BlockSettings

	// Checkpoint, Resume, Fingerprint and Every are as in [SampleSettings].
	Checkpoint  string
	Resume      bool
	Fingerprint string
	Every       time.Duration
	Progress    func(SearchProgress) // about ten times a second, from one goroutine at a time; may be nil
}

// SearchProgress is how far a search is.
type SearchProgress struct {
	Rounds, Total int // of all searches
}

// Mode is the most probable state that was found.
type Mode struct {
	State      []int
	LogDensity float64
	Exact      bool // no state is more probable: one elimination had all variables
	Found      int  // how many of the searches ended at a state as probable
	Chains     int
}

// Search looks for a state of the highest probability. Each search anneals: Gibbs sampling of single variables at rising inverse
// temperatures (Geman and Geman, 1984). It then climbs: single variables (iterated conditional modes) and blocks take their most
// probable values given the others, until none improves the state. After that it kicks: a block is drawn at a low inverse temperature,
// or where there are zeros another start found, and it climbs again; what is not worse is kept. Where one block has all variables, the result is exact. Errors are as for
// [SampleMarginals].
func Search(ctx context.Context, m *Model, set SearchSettings) (*Mode, error) {
	set.Chains, set.Threads, set.Every = cmp.Or(set.Chains, 4), max(set.Threads, 1), cmp.Or(set.Every, 30*time.Second)
	set.Rounds, set.Sweeps = cmp.Or(set.Rounds, 300), max(cmp.Or(set.Sweeps, 200), 0)
	set.Blocks.Entries, set.Blocks.Covers, set.Blocks.total = cmp.Or(set.Blocks.Entries, 1<<12), cmp.Or(set.Blocks.Covers, 4), 1<<18
	if set.Chains < 1 || set.Rounds < 0 {
		return nil, fmt.Errorf("mrf: %d searches of %d rounds", set.Chains, set.Rounds)
	}
	f, err := NewField(m, FieldSettings{Table: -1})
	if err != nil {
		return nil, err
	}
	j := &searchJob{set: set, f: f, w: f.target(), hot: f.tempered(kickBeta)}
	for _, i := range f.free {
		set.Blocks.Entries = max(set.Blocks.Entries, int(f.cards[i]))
	}
	if whole, ok := f.wholePlan(); ok {
		j.exact, j.plans, j.set.Rounds, j.set.Sweeps = true, []*blockPlan{whole}, 0, 0
	} else if j.plans, err = f.cover(set.Blocks); err != nil {
		return nil, err
	}
	j.file = unitsfile.File{Path: set.Checkpoint, Kind: checksummed.Kind{Name: "search in a random field", Version: 1}}
	j.file.Saved = unitsfile.Content{Fingerprint: set.Fingerprint, Seed: set.Seed, Units: make([][]byte, set.Chains), Settings: fmt.Sprint(set.Blocks, set.Sweeps)}
	for n := range set.Chains {
		j.searches = append(j.searches, &searcher{job: j, number: n, stream: rng.New(set.Seed, "mrf search", uint64(n))})
	}
	if set.Resume && set.Checkpoint != "" {
		if err := j.file.Resume(func(n int, b []byte) error { return j.searches[n].restore(b) }); err != nil {
			return nil, err
		}
	}
	return j.run(ctx)
}

// kickBeta is the inverse temperature of kicks.
const kickBeta = 0.4

// tempered are the weights of all factors at an inverse temperature.
func (f *Field) tempered(beta float64) weights {
	return f.weights(func(int) float64 { return beta }, func(int) float64 { return math.Inf(-1) }, true)
}

type searchJob struct {
	set      SearchSettings
	f        *Field
	w, hot   weights
	plans    []*blockPlan
	exact    bool
	searches []*searcher
	file     unitsfile.File
	until    time.Time
}

func (j *searchJob) run(ctx context.Context) (*Mode, error) {
	if j.set.Time > 0 {
		j.until = time.Now().Add(j.set.Time)
	}
	units := make([]runner.Unit, len(j.searches))
	for i, s := range j.searches {
		units[i] = s
	}
	set := runner.Settings{Threads: j.set.Threads, Every: j.set.Every, Watch: j.watch}
	if j.set.Checkpoint != "" {
		set.Write = j.file.Write
	}
	if err := runner.Run(ctx, units, set); errors.Is(err, runner.ErrInterrupted) {
		return nil, fmt.Errorf("mrf: the search was %w", err)
	} else if err != nil {
		return nil, fmt.Errorf("mrf: %w", err)
	}
	m := &Mode{LogDensity: math.Inf(-1), Exact: j.exact, Chains: len(j.searches)}
	for _, s := range j.searches {
		if s.state != nil && s.value > m.LogDensity {
			m.LogDensity, m.State = s.value, s.state.Values()
		}
	}
	if m.State == nil {
		return nil, ErrNoStart
	}
	for _, s := range j.searches {
		if s.state != nil && s.value >= m.LogDensity-float64(1e-9*math.Abs(m.LogDensity)) {
			m.Found++
		}
	}
	return m, nil
}

func (j *searchJob) watch() {
	if j.set.Progress == nil {
		return
	}
	p := SearchProgress{Total: j.set.Rounds * len(j.searches)}
	for _, s := range j.searches {
		p.Rounds += int(s.done.Load())
	}
	j.set.Progress(p)
}

// searcher is a unit of the runner. Between turns its state is the best so far, once the annealing is over.
type searcher struct {
	job    *searchJob
	number int
	stream *rng.Stream

	single   *Gibbs // at the temperature of the annealing, then of the model
	blocks   []*block
	state    *State
	trial    *State
	value    float64
	annealed int // sweeps
	climbed  bool
	done     atomic.Int64 // kicks
}

func (c *searcher) Place() (unit, step string) {
	return fmt.Sprintf("search %d", c.number+1), fmt.Sprintf("round %d", c.done.Load()+1)
}

func (c *searcher) Turn(ctx context.Context, until time.Time) (more bool, err error) {
	if c.state == nil {
		if err := c.start(ctx); ctx.Err() != nil {
			c.state = nil
			return true, nil
		} else if err != nil {
			return false, err
		}
	}
	for !c.over() {
		if err := c.step(ctx); err != nil {
			return false, err
		}
		if ctx.Err() != nil || time.Now().After(until) {
			break
		}
	}
	return !c.over(), nil
}

func (c *searcher) over() bool {
	late := c.job.set.Time > 0 && !time.Now().Before(c.job.until)
	return c.climbed && (int(c.done.Load()) >= c.job.set.Rounds || late)
}

func (c *searcher) start(ctx context.Context) error {
	f := c.job.f
	x, err := f.Feasible(ctx, c.stream.Rand)
	if err != nil {
		return err
	}
	if c.single, err = newGibbs(f, f.tempered(1), gibbs.Systematic); err != nil {
		return err
	}
	for _, p := range c.job.plans {
		c.blocks = append(c.blocks, newBlock(p))
	}
	if c.trial, err = f.NewState(x); err != nil {
		return err
	}
	c.state, err = f.NewState(x)
	return err
}

// step is a sweep of the annealing, the first climb, or a kick and a climb.
func (c *searcher) step(ctx context.Context) error {
	set := c.job.set
	switch {
	case !c.climbed && c.annealed < set.Sweeps:
		if c.annealed%perTemperature == 0 {
			c.heat()
		}
		c.annealed++
		c.single.Step(c.state, c.stream.Rand)
	case !c.climbed:
		c.single.w = c.job.w
		c.value = c.climb(c.state)
		c.climbed = true
	default:
		c.single.w = c.job.w
		if kicked, err := c.kick(ctx); !kicked {
			return err
		}
		if value := c.climb(c.trial); value >= c.value {
			c.state, c.trial, c.value = c.trial, c.state, value
		}
		c.done.Add(1)
	}
	return nil
}

// kick changes a copy of the state, unless ctx ends. Where zeros may keep all moves from some states, every fourth is another start.
func (c *searcher) kick(ctx context.Context) (kicked bool, err error) {
	f := c.job.f
	f.Copy(c.trial, c.state)
	if f.zeros && c.done.Load()%4 == 3 {
		before, err := c.stream.MarshalBinary()
		if err != nil {
			return false, err
		}
		x, err := f.Feasible(ctx, c.stream.Rand)
		if ctx.Err() != nil { // the state that is saved is the one before
			return false, c.stream.UnmarshalBinary(before)
		}
		if err == nil {
			for i, v := range x {
				c.trial.X[i] = int32(v)
			}
			c.trial.stale, c.trial.known = true, false
			return true, nil
		}
	}
	for range min(1+c.stream.IntN(3), len(c.blocks)) {
		c.blocks[c.stream.IntN(len(c.blocks))].draw(c.trial, &c.job.hot, c.stream.Rand)
	}
	return true, nil
}

// perTemperature is the number of sweeps at each inverse temperature of the annealing.
const perTemperature = 10

// heat sets the inverse temperature of the annealing: from a tenth of the model's to ten times that, by a constant factor.
func (c *searcher) heat() {
	first := c.annealed - c.annealed%perTemperature
	beta := vec.Exp(math.Ln10 * (float64(2*first)/float64(c.job.set.Sweeps) - 1))
	c.job.f.weigh(&c.single.w, func(int) float64 { return beta }, func(int) float64 { return math.Inf(-1) }, true)
}

// climb maximises over single variables and blocks until none improves the state, and returns its log density.
func (c *searcher) climb(s *State) float64 {
	c.single.climb(s)
	value := c.job.f.LogDensity(s.X)
	if len(c.blocks) == 0 {
		return value
	}
	n := c.stream.IntN(len(c.blocks))
	for idle := 0; idle < len(c.blocks); idle++ {
		c.blocks[(n+idle)%len(c.blocks)].maximise(s, &c.job.w)
		if now := c.job.f.LogDensity(s.X); now > value+1e-9 {
			n, idle, value = (n+idle+1)%len(c.blocks), -1, now
		}
	}
	return value
}

// savedSearch is a search in a checkpoint. Fields are exported for gob.
type savedSearch struct {
	Stream   []byte
	X        []int32
	Value    float64
	Annealed int
	Climbed  bool
	Done     int64
}

// Save notes the search for the checkpoint.
func (c *searcher) Save() error {
	if c.job.set.Checkpoint == "" || c.state == nil {
		return nil
	}
	stream, err := c.stream.MarshalBinary()
	if err != nil {
		return err
	}
	b, err := gobs.Marshal(savedSearch{stream, c.state.X, c.value, c.annealed, c.climbed, c.done.Load()})
	if err != nil {
		return err
	}
	c.job.file.Note(c.number, b)
	return nil
}

func (c *searcher) restore(b []byte) error {
	var s savedSearch
	if err := gobs.Unmarshal(b, &s); err != nil {
		return err
	}
	if err := c.start(context.Background()); err != nil {
		return err
	}
	if err := c.stream.UnmarshalBinary(s.Stream); err != nil {
		return err
	}
	if !c.job.f.takes(s.X) {
		return errChain
	}
	copy(c.state.X, s.X)
	c.state.stale, c.state.known = true, false
	c.value, c.annealed, c.climbed = s.Value, s.Annealed, s.Climbed
	c.done.Store(s.Done)
	if s.Annealed%perTemperature > 0 && !s.Climbed {
		c.heat()
	}
	return nil
}
