package path

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
)

// groupedGaussian is the Gaussian family with batches of states; some states get weight zero while they are annealed.
type groupedGaussian struct {
	exactGaussian
	size    int
	lost    float64 // states whose first coordinate is below have no density at β ≥ ½
	largest *int    // the largest batch moved, if asked for
}

func (f groupedGaussian) GroupSize() int { return f.size }

func (f groupedGaussian) MoveAll(states [][]float64, beta float64, rs []*rand.Rand) {
	if f.largest != nil {
		*f.largest = max(*f.largest, len(states))
	}
	for i, s := range states {
		f.Move(s, beta, rs[i])
	}
}

func (f groupedGaussian) LogRatio(s []float64, from, to float64) float64 {
	if max(from, to) >= 0.5 && s[0] < f.lost {
		return math.Inf(-1)
	}
	return f.exactGaussian.LogRatio(s, from, to)
}

// single is a groupedGaussian without the methods of Grouped.
type single struct{ f groupedGaussian }

func (s single) New() []float64                                 { return s.f.New() }
func (s single) Copy(dst, src []float64)                        { s.f.Copy(dst, src) }
func (s single) Base(x []float64, r *rand.Rand)                 { s.f.Base(x, r) }
func (s single) LogZBase() float64                              { return s.f.LogZBase() }
func (s single) LogDensity(x []float64, b float64) float64      { return s.f.LogDensity(x, b) }
func (s single) LogRatio(x []float64, from, to float64) float64 { return s.f.LogRatio(x, from, to) }
func (s single) Move(x []float64, b float64, r *rand.Rand)      { s.f.Move(x, b, r) }

// Every method that moves batches has the same result as one state at a time, whatever the group size and the threads.
func TestGroupsChangeNothing(t *testing.T) {
	s := must(Uniform(20))
	methods := map[string]func(f Family[[]float64], set Settings) (any, error){
		"AIS": func(f Family[[]float64], set Settings) (any, error) { return AIS(background, f, s, set) },
		"reverse": func(f Family[[]float64], set Settings) (any, error) {
			return Reverse(background, f, s, newGaussian(2).target, set)
		},
		"sandwich": func(f Family[[]float64], set Settings) (any, error) {
			return Sandwich(background, f, s, SandwichSettings{Settings: set, Equilibrate: 3})
		},
		"SMC": func(f Family[[]float64], set Settings) (any, error) {
			return SMC(background, f, s, SMCSettings{Settings: set, Particles: 7})
		},
	}
	for name, method := range methods {
		for _, lost := range []float64{-100, 0.3} {
			f := groupedGaussian{exactGaussian: exactGaussian{newGaussian(2)}, lost: lost}
			want, err := method(single{f}, Settings{Seed: 1, Runs: 11, Threads: 1})
			if err != nil {
				t.Fatal(err)
			}
			for _, together := range []int{0, 1, 2, 5, 64} {
				f.size = together
				for threads := 1; threads <= 3; threads++ {
					got, err := method(f, Settings{Seed: 1, Runs: 11, Threads: threads})
					if err != nil || !sameNumbers(got, want) {
						t.Errorf("%s, %d together, %d threads: %+v, %v; one by one %+v", name, together, threads, got, err, want)
					}
				}
			}
		}
	}
}

// sameNumbers compares all digits; NaN equals NaN.
func sameNumbers(a, b any) bool { return spelled(a) == spelled(b) }

func spelled(v any) string {
	if b, ok := v.(*Bounds); ok {
		return fmt.Sprintf("%+v %+v %+v", *b.Lower, *b.Upper, *b.BAR)
	}
	return fmt.Sprintf("%+v", v)
}

func TestGroupsHaveTheSizeAskedFor(t *testing.T) {
	largest := 0
	f := groupedGaussian{exactGaussian{newGaussian(2)}, 4, -100, &largest}
	if _, err := AIS(background, Family[[]float64](f), must(Uniform(5)), Settings{Runs: 10, Threads: 1}); err != nil || largest != 4 {
		t.Errorf("groups of up to %d, error %v", largest, err)
	}
}

// Groups are formed of the unfinished runs, of which a resumed job has fewer.
func TestGroupsResume(t *testing.T) {
	f, s := groupedGaussian{exactGaussian{newGaussian(2)}, 4, -100, nil}, must(Uniform(20))
	set := Settings{Seed: 3, Runs: 13, Threads: 2}
	want := must(AIS(background, Family[[]float64](f), s, set))
	set.Checkpoint = filepath.Join(t.TempDir(), "runs")
	set.Runs = 6
	must(AIS(background, Family[[]float64](f), s, set))
	set.Runs, set.Resume = 13, true
	if got := must(AIS(background, Family[[]float64](f), s, set)); !sameNumbers(got, want) {
		t.Errorf("resumed: %+v; at once %+v", got, want)
	}
}

// brittle is a family whose log ratio is NaN for one of the runs.
type brittle struct {
	groupedGaussian
	bad float64
}

func (b brittle) LogRatio(s []float64, from, to float64) float64 {
	if s[0] == b.bad {
		return math.NaN()
	}
	return b.groupedGaussian.LogRatio(s, from, to)
}

func TestErrorsNameTheRunOfAGroup(t *testing.T) {
	var starts []float64
	f := groupedGaussian{exactGaussian: exactGaussian{newGaussian(1)}, size: 8, lost: -100}
	_, err := Reverse(background, Family[[]float64](f), must(Uniform(5)), func(run int, s []float64, r *rand.Rand) error {
		starts = append(starts, s[0])
		return nil
	}, Settings{Runs: 8, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	_, err = Reverse(background, Family[[]float64](brittle{f, starts[5]}), must(Uniform(5)), func(int, []float64, *rand.Rand) error { return nil },
		Settings{Runs: 8, Threads: 1})
	if !errors.Is(err, errNaN) || !strings.Contains(err.Error(), "run 6:") {
		t.Errorf("error %v", err)
	}
}
