package mcmc

import (
	"fmt"

	"github.com/ergodic-mcmc/ergodic/draws"
)

// Stat is what is known of a draw besides its values.
type Stat struct {
	Info
	Named []float64 // the statistics that a [StatKeeper] names, in its order; the slice changes after the call
}

// StatKeeper is a [Recorder] that keeps more of a draw than its Info.
type StatKeeper interface {
	// Statistics names what is kept: "lp", the log density, which a job that is [Weighed] knows, and what a kernel that is a
	// [Teller] knows. A run is refused where neither does, but "tree_depth" is 0 then.
	Statistics() []string
}

// StatisticsOf are those that a recorder keeps, none where it is no [StatKeeper]. A recorder around another has a method Statistics
// that returns them.
func StatisticsOf(rec Recorder) []string {
	if k, ok := rec.(StatKeeper); ok {
		return k.Statistics()
	}
	return nil
}

// Teller is a kernel that knows more of its last step than an Info holds. It is asked where a draw is recorded, so that
// other steps take no longer.
type Teller interface {
	// Statistic is a statistic of the last step, by ArviZ's name where there is one ("energy", "tree_depth"). It is not ok, whatever
	// was the last step, where the kernel does not know it.
	Statistic(name string) (value float64, ok bool)
}

// weigher is a kernel that may know the log density of the state that its last step led to, so that it need not be computed again. It differs from
// that of [Weighed] by rounding.
type weigher[S any] interface {
	LastLogDensity(s S) (lp float64, ok bool)
}

// statistic finds who knows a statistic of the chain's draws.
func (c *chain[S]) statistic(name string) (func(S) float64, error) {
	if w, ok := c.job.(Weighed[S]); ok && name == draws.LP { // of the draw, also where another kernel moved it since
		if k, ok := c.kernel.(weigher[S]); ok {
			return func(s S) float64 {
				if lp, ok := k.LastLogDensity(s); ok {
					return lp
				}
				return w.LogDensity(s)
			}, nil
		}
		return w.LogDensity, nil
	}
	if k, ok := c.kernel.(Teller); ok {
		if _, ok := k.Statistic(name); ok {
			return func(S) float64 { v, _ := k.Statistic(name); return v }, nil
		}
	}
	if name == draws.TreeDepth {
		return func(S) float64 { return 0 }, nil
	}
	return nil, fmt.Errorf("the recorder keeps %s of a draw, and neither a %T nor its kernel, a %T, knows it: name the statistics to keep, without it, in Layout.Stats",
		name, c.job, c.kernel)
}

// keeps finds all statistics that the recorder keeps.
func (c *chain[S]) keeps() error {
	for _, name := range StatisticsOf(c.rec) {
		f, err := c.statistic(name)
		if err != nil {
			return err
		}
		c.statistics, c.named = append(c.statistics, f), append(c.named, 0)
	}
	return nil
}

func (c *chain[S]) stat(info Info) Stat {
	for i, f := range c.statistics {
		c.named[i] = f(c.state)
	}
	return Stat{info, c.named}
}
