package path

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

func (m *machine) UnmarshalState(b []byte) (units, error) {
	s := m.New()
	if len(b) != 8*len(s.v) {
		return s, errors.New("another machine's state")
	}
	for i := range s.v {
		s.v[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return s, nil
}

// groupedMachine is a machine with batches of five states that calls then after so many moves.
type groupedMachine struct {
	*machine
	left *int
	then func()
}

func (f groupedMachine) GroupSize() int { return 5 }

func (f groupedMachine) MoveAll(states []units, beta float64, rs []*rand.Rand) {
	for i, s := range states {
		if *f.left--; *f.left == 0 {
			f.then()
		}
		f.Move(s, beta, rs[i])
	}
}

// annealers are the methods whose checkpoints hold partial groups, with the moves of a run.
var annealers = map[string]struct {
	moves int
	do    func(ctx context.Context, f Family[units], set Settings) (*Result, error)
}{
	"AIS": {999, func(ctx context.Context, f Family[units], set Settings) (*Result, error) {
		return AIS(ctx, f, must(Uniform(1000)), set)
	}},
	"reverse": {999, func(ctx context.Context, f Family[units], set Settings) (*Result, error) {
		return Reverse(ctx, f, must(Uniform(1000)), func(_ int, s units, r *rand.Rand) error {
			f.Move(s, 1, r)
			return nil
		}, set)
	}},
	"sandwich": {2*299 + 400, func(ctx context.Context, f Family[units], set Settings) (*Result, error) {
		b, err := Sandwich(ctx, f, must(Uniform(300)), SandwichSettings{Settings: set, Equilibrate: 400})
		if b == nil {
			return nil, err
		}
		return b.BAR, err
	}},
}

// Seven runs are made in groups; wherever a job is stopped or killed, it resumes from there, with the result of an undisturbed
// one. After a kill no more moves are repeated than are made between two checks of the clock.
func TestPartialGroups(t *testing.T) {
	m := newMachine(8, 4, 0.7)
	for name, method := range annealers {
		never := 0
		set := Settings{Seed: 6, Runs: 7, Threads: 1}
		want := must(method.do(background, groupedMachine{m, &never, nil}, set))
		for _, stop := range []int{1, 700, 2500, 4000, 6500} {
			set := set
			set.Checkpoint, set.Every = filepath.Join(t.TempDir(), "runs"), time.Nanosecond
			killed := set.Checkpoint + ".killed"

			ctx, cancel := context.WithCancel(background)
			left := stop
			_, err := method.do(ctx, groupedMachine{m, &left, func() {
				cancel()
				if b, err := os.ReadFile(set.Checkpoint); err == nil {
					must(0, os.WriteFile(killed, b, 0o666))
				}
			}}, set)
			if !errors.Is(err, mcmc.ErrInterrupted) {
				t.Fatalf("%s stopped at move %d: error %v", name, stop, err)
			}
			set.Resume = true
			for file, again := range map[string]int{set.Checkpoint: 0, killed: 5 * stopEvery} {
				set := set
				set.Checkpoint = file
				made := math.MaxInt
				f := groupedMachine{m, &made, nil}
				same(t, must(method.do(background, f, set)), want)
				made = math.MaxInt - made
				if rest := 7*method.moves - stop; made > rest+again {
					t.Errorf("%s stopped at move %d: %d moves are made after resuming, of %d that were left", name, stop, made, rest)
				}
			}
		}
	}
}

// Runs of weight zero are not moved, also when they are resumed.
func TestZeroWeightRunsResume(t *testing.T) {
	m := newMachine(8, 4, 0.7)
	s := must(Uniform(300))
	set := Settings{Seed: 6, Runs: 5, Threads: 1}
	never := 0
	want := must(AIS(background, Family[units](mortal{groupedMachine{m, &never, nil}}), s, set))
	dead := 0
	for _, x := range want.PerRun {
		if math.IsInf(x, -1) {
			dead++
		}
	}
	if dead == 0 || dead == set.Runs {
		t.Fatalf("%d runs of %d have lost all weight", dead, set.Runs)
	}
	set.Checkpoint = filepath.Join(t.TempDir(), "runs")
	ctx, cancel := context.WithCancel(background)
	left := 300
	if _, err := AIS(ctx, Family[units](mortal{groupedMachine{m, &left, cancel}}), s, set); !errors.Is(err, mcmc.ErrInterrupted) {
		t.Fatal(err)
	}
	set.Resume = true
	same(t, must(AIS(background, Family[units](mortal{groupedMachine{m, &never, nil}}), s, set)), want)
}

// mortal is a groupedMachine whose states get weight zero when three of their units are on early on the path.
type mortal struct{ groupedMachine }

func (f mortal) LogDensity(s units, beta float64) float64 {
	if beta > 0 && beta < 0.02 && s.v[0]*s.v[1]*s.v[2] > 0 {
		return math.Inf(-1)
	}
	return f.groupedMachine.LogDensity(s, beta)
}
