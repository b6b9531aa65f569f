package anneal

import (
	"fmt"
	"math"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Kind is how temperatures fall from the first to the last, as a function of x from 0 to 1, the part of a read that is done.
type Kind int

const (
	// Geometric is hot (cold/hot)^x (Kirkpatrick, Gelatt and Vecchi, 1983).
	Geometric Kind = iota
	// LinearBeta has inverse temperatures that rise linearly.
	LinearBeta
	// Linear is hot + x (cold − hot).
	Linear
	// Logarithmic is c/log(k + e) at sweep k (Geman and Geman, 1984), with c and a factor of the logarithm that make the ends those
	// asked for.
	Logarithmic
	// Acceptance keeps the share of accepted proposals near a curve, by changing the temperature after each sweep: 0.44 in the middle of
	// the read, more before and less after (Lam and Delosme, 1988, as simplified by Swartz and by Boyan, 1998).
	Acceptance
	// SpecificHeat begins with a geometric pass of a tenth of the read, in which the variance of the energy and the acceptance are measured
	// at each temperature, and spends the rest where these say that equilibrium is hard to keep: β rises at the rate
	// 4ρ(1−ρ)²/(2−ρ)² / (σ·β²σ²) (Lam and Delosme, 1988), scaled to end in time.
	SpecificHeat
	// Custom takes the temperatures of a list in turn, each for as many sweeps.
	Custom
)

var kindNames = [...]string{"geometric", "linear-beta", "linear", "logarithmic", "acceptance", "specific-heat", "custom"}

// String is the name that [ParseKind] reads.
func (k Kind) String() string {
	if k < 0 || int(k) >= len(kindNames) {
		return fmt.Sprintf("Kind(%d)", int(k))
	}
	return kindNames[k]
}

// Kinds are the names of all kinds of schedules.
func Kinds() []string { return kindNames[:] }

// ParseKind reads the name of a kind.
func ParseKind(name string) (Kind, error) {
	for k, is := range kindNames {
		if is == name {
			return Kind(k), nil
		}
	}
	return 0, fmt.Errorf("there is no schedule %q; there are %s", name, strings.Join(kindNames[:], ", "))
}

// Schedule is a course of temperatures. The zero value is geometric between the temperatures that the problem gives.
type Schedule struct {
	Kind      Kind
	Hot, Cold float64   // the first and the last; 0: those of the problem
	List      []float64 // of Custom
}

// check says what is wrong with a schedule whose ends are known.
func (s *Schedule) check() error {
	if s.Kind < 0 || int(s.Kind) >= len(kindNames) {
		return fmt.Errorf("anneal: there is no schedule %v", s.Kind)
	}
	if (s.Kind == Custom) != (len(s.List) > 0) {
		return fmt.Errorf("anneal: a list of %d temperatures for the schedule %v: the custom one has a list, and no other", len(s.List), s.Kind)
	}
	for i, t := range s.List {
		if !(t >= 0) || math.IsInf(t, 0) {
			return fmt.Errorf("anneal: temperature %d of the list is %v; it must be finite and not negative", i+1, t)
		}
	}
	if s.Kind != Custom && !(s.Cold > 0 && s.Hot >= s.Cold && !math.IsInf(s.Hot, 0)) {
		return fmt.Errorf("anneal: temperatures from %v to %v: they must fall, and be finite and above 0", s.Hot, s.Cold)
	}
	return nil
}

// Temperature is the one at x from 0 to 1 of a read of so many sweeps, for kinds that do not adapt; it is Geometric for those that do.
func (s *Schedule) Temperature(x float64, sweeps int) float64 {
	x = min(max(x, 0), 1)
	switch s.Kind {
	case Custom:
		return s.List[min(int(x*float64(len(s.List))), len(s.List)-1)]
	case Linear:
		return s.Hot + float64(x*(s.Cold-s.Hot))
	case LinearBeta:
		hot, cold := 1/s.Hot, 1/s.Cold
		return 1 / (hot + float64(x*(cold-hot)))
	case Logarithmic:
		n := float64(max(sweeps, 2))
		rise := vec.Log(1+float64(x*(n-1))) / vec.Log(n)
		return s.Hot / (1 + float64((s.Hot/s.Cold-1)*rise))
	}
	return s.Hot * vec.Exp(x*vec.Log(s.Cold/s.Hot))
}
