package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/draws"
)

// series is one element as the pictures need it.
type series struct {
	name    string
	chains  [][]float64
	draws   int       // of a chain
	lo, hi  float64   // of what can be drawn; lo > hi when nothing can
	sorted  []float64 // what can be drawn, of all chains
	odd     int       // draws that cannot
	huge    bool      // and some of them are finite
	summary diag.Summary
}

func newSeries(set *draws.Set, element int, work *diag.Work) series {
	s := series{name: set.Names()[element], draws: set.Draws(), lo: math.Inf(1), hi: math.Inf(-1)}
	for _, chain := range set.Element(element) {
		chain = chain[:s.draws]
		s.chains = append(s.chains, chain)
		for _, x := range chain {
			if !drawable(x) {
				s.odd++
				s.huge = s.huge || math.Abs(x) <= math.MaxFloat64
				continue
			}
			s.sorted = append(s.sorted, x)
		}
	}
	slices.Sort(s.sorted)
	if n := len(s.sorted); n > 0 {
		s.lo, s.hi = s.sorted[0], s.sorted[n-1]
	}
	s.summary = diag.Summarize(s.chains, work)
	return s
}

func allSeries(set *draws.Set) []series {
	var work diag.Work
	list := make([]series, len(set.Names()))
	for e := range list {
		list[e] = newSeries(set, e, &work)
	}
	return list
}

func (s series) empty() bool    { return len(s.sorted) == 0 }
func (s series) constant() bool { return s.lo == s.hi }

// why says why there is nothing to draw.
func (s series) why() string {
	if s.draws == 0 || len(s.chains) == 0 {
		return "no draws"
	}
	if s.huge {
		return "no draws within ±1e300"
	}
	return "no finite draws"
}

// remark is R-hat and ESS, loud when they warn, or what keeps them from being.
func (s series) remark() remark {
	switch {
	case s.huge:
		return remark{fmt.Sprintf("%d of %d draws not within ±1e300", s.odd, s.odd+len(s.sorted)), alarmColor}
	case s.odd > 0:
		return remark{fmt.Sprintf("%d of %d draws not finite", s.odd, s.odd+len(s.sorted)), alarmColor}
	case s.empty():
		return remark{}
	case s.constant():
		return remark{"constant " + short(s.lo), faintColor}
	case math.IsNaN(s.summary.Rhat):
		return remark{}
	}
	r := remark{fmt.Sprintf("R-hat %s   ESS %s", rhatShort(s.summary.Rhat), essShort(s.summary.ESSBulk)), faintColor}
	if s.summary.Rhat > RhatMax || s.summary.ESSBulk < float64(ESSPerChain*len(s.chains)) {
		r.color = alarmColor
	}
	return r
}

func rhatShort(rhat float64) string {
	if math.IsInf(rhat, 0) {
		return "∞"
	}
	return fmt.Sprintf("%.3f", rhat)
}

func essShort(ess float64) string {
	if math.IsNaN(ess) {
		return "–"
	}
	return fmt.Sprintf("%.0f", ess)
}
