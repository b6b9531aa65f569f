package anneal

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/gobs"
)

// slot is a unit of the runner: it works on one group of reads after the other, whose walks depend on their number and not on the slot.
type slot struct {
	*run
	number  int
	walkers []Walker
	spare   Walker
	g       *group
	batch   int     // sweeps between two looks at the clock
	speed   float64 // sweeps a second of the last read by the clock
}

func (s *slot) Place() (unit, step string) {
	if s.g == nil {
		return fmt.Sprintf("slot %d", s.number+1), ""
	}
	return fmt.Sprintf("read %d", s.g.Number*s.readsPerGroup()+1), fmt.Sprintf("sweep %d", s.g.Sweeps+1)
}

func (s *slot) Turn(ctx context.Context, until time.Time) (more bool, err error) {
	for {
		if s.g == nil {
			if more, err := s.begin(); !more || err != nil {
				return false, err
			}
		}
		over, err := s.advance(ctx, until)
		if err != nil {
			return false, err
		}
		if !over {
			return true, nil
		}
		if err := s.end(); err != nil {
			return false, err
		}
		if ctx.Err() != nil || time.Now().After(until) {
			return true, nil
		}
	}
}

// begin takes the next group, if there is one.
func (s *slot) begin() (there bool, err error) {
	saved := s.take(s.speed)
	if saved == nil {
		return false, nil
	}
	for len(s.walkers) < s.walkersPerGroup() {
		w, err := s.walker()
		if err != nil {
			return false, err
		}
		s.walkers = append(s.walkers, w)
	}
	if s.spare == nil && s.set.Method != Annealing && s.set.Method != Threshold {
		if s.spare, err = s.walker(); err != nil {
			return false, err
		}
		s.spare.Start(memoryStream().Rand)
	}
	s.g = &group{savedGroup: *saved, run: s.run, walkers: s.walkers, spare: s.spare}
	return true, s.g.begin()
}

// advance sweeps until about the time given, and says whether the group is over.
func (s *slot) advance(ctx context.Context, until time.Time) (over bool, err error) {
	g := s.g
	moves, accepted, sweeps, temperature := g.Moves, g.Accepted, g.Sweeps, 0.0
	for now := time.Now(); ; {
		g.now = s.before + now.Sub(s.began)
		for range max(s.batch, 1) {
			if over = g.over(); over {
				break
			}
			temperature = g.step()
		}
		began := now
		if now = time.Now(); over || ctx.Err() != nil || now.After(until) {
			break
		}
		s.pace(now.Sub(began))
	}
	s.moves.Add(g.Moves - moves)
	s.sweeps.Add(int64(g.Sweeps - sweeps))
	if g.Moves > moves {
		s.view.temperature.Store(math.Float64bits(temperature))
		s.view.acceptance.Store(math.Float64bits(float64(g.Accepted-accepted) / float64(g.Moves-moves)))
		s.view.lower(g.lowest())
	}
	return over, nil
}

// Sweeps between two looks at the clock take about so long.
const look = 100 * time.Microsecond

// pace makes batches of sweeps shorter or longer, after one that took so long.
func (s *slot) pace(took time.Duration) {
	switch {
	case took > 2*look:
		s.batch /= 2
	case took < look/2:
		s.batch = min(max(2*s.batch, 2), 1<<12)
	}
}

// lower notes an energy, if it is the lowest so far.
func (v *view) lower(e float64) {
	for {
		old := v.best.Load()
		if math.Float64frombits(old) <= e || v.best.CompareAndSwap(old, math.Float64bits(e)) {
			return
		}
	}
}

// end keeps what the group found.
func (s *slot) end() error {
	g := s.g
	if moves := g.Moves; !g.Cut {
		if err := g.quench(); err != nil {
			return err
		}
		g.watchGain()
		s.moves.Add(g.Moves - moves)
	}
	done, w, i := g.results()
	if g.run.wants(done.Lowest, done.Number) {
		var err error
		if done.Solution, err = s.keep(w, i); err != nil {
			return err
		}
	}
	if took := g.now - g.From; g.Until > 0 && took > 0 {
		s.speed = float64(g.Sweeps) / took.Seconds()
	}
	s.g = nil
	s.mutex.Lock() // until it is noted: a better group takes the solution of this one
	defer s.mutex.Unlock()
	s.finished(done)
	return s.note(done)
}

// note keeps the state of a group for the checkpoint.
func (j *run) note(g *savedGroup) error {
	if j.set.Checkpoint == "" {
		return nil
	}
	b, err := gobs.Marshal(g)
	if err != nil {
		return err
	}
	j.file.Note(g.Number, b)
	return nil
}

// Save notes the group at work.
func (s *slot) Save() error {
	if s.g == nil || s.set.Checkpoint == "" {
		return nil
	}
	if err := s.g.save(); err != nil {
		return err
	}
	return s.note(&s.g.savedGroup)
}
