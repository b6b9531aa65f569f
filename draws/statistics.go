package draws

import (
	"fmt"
	"math"
	"slices"
)

// The sample statistics that a [Stat] holds, by ArviZ's names.
const (
	AcceptanceRate = "acceptance_rate"
	Diverging      = "diverging"
	TreeDepth      = "tree_depth"
	NSteps         = "n_steps"
	LP             = "lp"
)

// inStat are the statistics with a field of their own in a Stat.
func inStat() []string { return []string{AcceptanceRate, Diverging, TreeDepth, NSteps, LP} }

// statistics are the columns of a sample_stats group, in order: those of a Stat's fields that the layout names, or all,
// and then the others.
func (l Layout) statistics() []Variable {
	var vars []Variable
	for _, name := range inStat() {
		if l.Stats == nil || slices.Contains(l.Stats, name) {
			vars = append(vars, Variable{Name: name})
		}
	}
	for _, name := range l.OtherStats() {
		vars = append(vars, Variable{Name: name})
	}
	return vars
}

// OtherStats are the statistics that Stats names and a [Stat] has no field for, in this order.
func (l Layout) OtherStats() []string {
	return slices.DeleteFunc(slices.Clone(l.Stats), func(name string) bool { return slices.Contains(inStat(), name) })
}

func (l Layout) checkStats() error {
	if err := checkAll(l.statistics()); err != nil {
		return fmt.Errorf("the sample statistics: %w", err)
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

// fits says whether a draw has as many other statistics as the layout.
func (s *Stat) fits(others int) error {
	if len(s.Others) != others {
		return fmt.Errorf("a draw with %d statistics besides those of every draw, for a layout of %d", len(s.Others), others)
	}
	return nil
}

// value is the statistic of a column, a truth value as 0 or 1.
func (s *Stat) value(of statistic) float64 {
	switch of {
	case acceptanceRate:
		return s.AcceptanceRate
	case diverging:
		if s.Diverging {
			return 1
		}
		return 0
	case treeDepth:
		return float64(s.TreeDepth)
	case nSteps:
		return float64(s.NSteps)
	}
	return s.LP
}

// statistic tells which field of a Stat a column holds.
type statistic uint8

const (
	acceptanceRate statistic = iota
	diverging
	treeDepth
	nSteps
	logDensity
	other // none
)

func statisticOf(name string) statistic {
	if k := slices.Index(inStat(), name); k >= 0 {
		return statistic(k)
	}
	return other
}

// putStat adds the statistics of a draw to their columns.
func (t *track) putStat(s *Stat) {
	others := s.Others
	for i := range t.stats {
		c := &t.stats[i]
		switch of := t.statistics[i]; of {
		case other:
			c.putNumber(math.Float64bits(others[0]))
			others = others[1:]
		case diverging:
			c.buf[c.fill] = byte(s.value(of))
			c.fill++
		case treeDepth, nSteps:
			c.putNumber(uint64(int64(s.value(of))))
		default:
			c.putNumber(math.Float64bits(s.value(of)))
		}
	}
}
