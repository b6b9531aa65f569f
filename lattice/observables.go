package lattice

import "math"

// Quantity is what is estimated from the measurements of chains at one inverse temperature.
type Quantity int

// The quantities, with e the energy and m the magnetisation per site, N the number of sites.
const (
	Energy                   Quantity = iota // ⟨e⟩
	SpecificHeat                             // c = β² N (⟨e²⟩ − ⟨e⟩²), per site
	Magnetisation                            // ⟨m⟩
	AbsMagnetisation                         // ⟨|m|⟩
	SquaredMagnetisation                     // ⟨m²⟩
	Susceptibility                           // χ = β N (⟨m²⟩ − ⟨|m|⟩²): that of a finite lattice whose phases mix
	DisorderedSusceptibility                 // β N ⟨m²⟩: where ⟨m⟩ is 0 by symmetry; it goes on to grow below the critical temperature
	ConnectedSusceptibility                  // β N (⟨m²⟩ − ⟨m⟩²) = ∂⟨m⟩/∂h: that in a field
	Binder                                   // U = 1 − ⟨m⁴⟩/(3 ⟨m²⟩²) (Binder 1981, equation 8)
	CorrelationLength                        // of second moment: see [Series]
	quantities
)

// String is the quantity's name as results have it.
func (q Quantity) String() string {
	return [...]string{"energy", "specific_heat", "magnetisation", "abs_magnetisation", "squared_magnetisation", "susceptibility",
		"susceptibility_disordered", "susceptibility_connected", "binder", "correlation_length"}[q]
}

// Quantities are all of them.
func Quantities() []Quantity {
	all := make([]Quantity, quantities)
	for q := range all {
		all[q] = Quantity(q)
	}
	return all
}

// moments are means of what is measured. Energies are taken less a number near their mean, whose square would cost digits.
type moments [8]float64

const (
	meanE = iota
	meanE2
	meanM
	meanAbs
	meanM2
	meanM4
	meanZero  // of the structure factor at wave vector 0
	meanFirst // and at the smallest others
)

// system is what a quantity takes besides moments.
type system struct {
	beta, sites float64
	shift       float64 // what energies are less
	wave        float64 // 2 sin(π/L), or what stands for it: Series.Wave
}

// measurement is one measurement's share in the moments.
func (s *system) measurement(e, m, zero, first float64) moments {
	e -= s.shift
	m2 := m * m
	return moments{e, e * e, m, math.Abs(m), m2, m2 * m2, zero, first}
}

// value is the quantity at the moments. It is NaN where it does not exist.
func (s *system) value(q Quantity, a *moments) float64 {
	switch q {
	case Energy:
		return a[meanE] + s.shift
	case SpecificHeat:
		return s.beta * s.beta * s.sites * (a[meanE2] - float64(a[meanE]*a[meanE]))
	case Magnetisation:
		return a[meanM]
	case AbsMagnetisation:
		return a[meanAbs]
	case SquaredMagnetisation:
		return a[meanM2]
	case Susceptibility:
		return s.beta * s.sites * (a[meanM2] - float64(a[meanAbs]*a[meanAbs]))
	case DisorderedSusceptibility:
		return s.beta * s.sites * a[meanM2]
	case ConnectedSusceptibility:
		return s.beta * s.sites * (a[meanM2] - float64(a[meanM]*a[meanM]))
	case Binder:
		return 1 - a[meanM4]/(3*a[meanM2]*a[meanM2])
	}
	return math.Sqrt(a[meanZero]/a[meanFirst]-1) / s.wave
}

// slope is the derivative of the quantity with respect to the moments, by which its fluctuations are to first order those of a
// mean (Wolff 2004, "Monte Carlo errors with less errors", equation 7).
func (s *system) slope(q Quantity, a *moments) (d moments) {
	switch n := s.beta * s.sites; q {
	case Energy:
		d[meanE] = 1
	case SpecificHeat:
		d[meanE2] = s.beta * n
		d[meanE] = -2 * s.beta * n * a[meanE]
	case Magnetisation:
		d[meanM] = 1
	case AbsMagnetisation:
		d[meanAbs] = 1
	case SquaredMagnetisation:
		d[meanM2] = 1
	case Susceptibility:
		d[meanM2] = n
		d[meanAbs] = -2 * n * a[meanAbs]
	case DisorderedSusceptibility:
		d[meanM2] = n
	case ConnectedSusceptibility:
		d[meanM2] = n
		d[meanM] = -2 * n * a[meanM]
	case Binder:
		square := a[meanM2] * a[meanM2]
		d[meanM4] = -1 / (3 * square)
		d[meanM2] = 2 * a[meanM4] / (3 * square * a[meanM2])
	case CorrelationLength:
		r := a[meanZero] / a[meanFirst]
		d[meanZero] = 1 / (2 * s.wave * math.Sqrt(r-1) * a[meanFirst])
		d[meanFirst] = -d[meanZero] * r
	}
	return d
}
