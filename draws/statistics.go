package draws

import (
	"fmt"
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// The sample statistics that a [Stat] holds, by ArviZ's names.
const (
	AcceptanceRate = "acceptance_rate"
	Diverging      = "diverging"
	TreeDepth      = "tree_depth"
	NSteps         = "n_steps"
	LP             = "lp"
)

// statistics are the columns of a sample_stats group, in order: those the layout names,
// or all.
func (l Layout) statistics() []Variable {
	var vars []Variable
	for _, name := range [...]string{AcceptanceRate, Diverging, TreeDepth, NSteps, LP} {
		if l.Stats == nil || slices.Contains(l.Stats, name) {
			vars = append(vars, Variable{Name: name})
		}
	}
	return vars
}

func (l Layout) checkStats() error {
	for _, name := range l.Stats {
		switch name {
		case AcceptanceRate, Diverging, TreeDepth, NSteps, LP:
		default:
			return fmt.Errorf("there is no sample statistic %s", wording.Quote(name))
		}
	}
	return nil
}

func statType(name string) string {
	switch name {
	case Diverging:
		return boolType
	case TreeDepth, NSteps:
		return int64Type
	}
	return float64Type
}

// value is the statistic of a name, a truth value as 0 or 1.
func (s *Stat) value(name string) float64 {
	switch name {
	case AcceptanceRate:
		return s.AcceptanceRate
	case Diverging:
		if s.Diverging {
			return 1
		}
		return 0
	case TreeDepth:
		return float64(s.TreeDepth)
	case NSteps:
		return float64(s.NSteps)
	}
	return s.LP
}

// putStat adds the statistics of a draw to their columns.
func (t *track) putStat(s Stat) {
	for i := range t.stats {
		c := &t.stats[i]
		x := s.value(t.statNames[i])
		switch statType(t.statNames[i]) {
		case boolType:
			c.buf[c.fill] = byte(x)
			c.fill++
		case int64Type:
			c.putNumber(uint64(int64(x)))
		default:
			c.putNumber(math.Float64bits(x))
		}
	}
}
