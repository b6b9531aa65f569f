package dist

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// The ziggurat of Marsaglia and Tsang (2000), J. Stat. Software 5(8), with Doornik's (2005) repair: the layer and the
// position in it come from different bits of one 64-bit word. 256 layers of equal area; layer 0 holds the tail.
const (
	zigLayers = 256

	// Right edge of layer 0 and area of a layer, solved in 40 digits so that layer 255 ends at the mode.
	normalR = 3.654152885361008771645429720399515762975
	normalV = 0.004928673233974655347361775402336028069135402
	expR    = 7.697117470131049714044628048015215499114
	expV    = 0.003949659822581557219977571956814861091912672
)

// zigTable: x[i] is the right edge of layer i (x[0] that of a rectangle with the area of layer 0), f the density at it.
type zigTable struct {
	x, f [zigLayers + 1]float64
}

var (
	normalTable = newZigTable(normalR, normalV,
		func(x float64) float64 { return vec.Exp(-0.5 * x * x) },
		func(y float64) float64 { return math.Sqrt(-2 * vec.Log(y)) })
	expTable = newZigTable(expR, expV,
		func(x float64) float64 { return vec.Exp(-x) },
		func(y float64) float64 { return -vec.Log(y) })
)

func newZigTable(r, v float64, density, inverse func(float64) float64) *zigTable {
	t := new(zigTable)
	t.x[0], t.x[1] = v/density(r), r
	for i := 1; i < zigLayers-1; i++ {
		t.x[i+1] = inverse(v/t.x[i] + density(t.x[i]))
	}
	t.x[zigLayers] = 0
	for i := range t.x {
		t.f[i] = density(t.x[i])
	}
	return t
}

// StdNormal draws from the normal distribution of mean 0 and variance 1.
func StdNormal(r *rand.Rand) float64 {
	t := normalTable
	for {
		bits := r.Uint64()
		i := bits & (zigLayers - 1)
		// A signed odd multiple of 2⁻⁵³ in (-1, 1): symmetric, never 0.
		x := (float64(int64(bits)>>11) + 0.5) * 0x1p-52 * t.x[i]
		switch {
		case math.Abs(x) < t.x[i+1]:
			return x
		case i == 0:
			return math.Copysign(normalTail(r), x)
		case t.f[i]+float64(uniform(r)*(t.f[i+1]-t.f[i])) < vec.Exp(-0.5*x*x):
			return x
		}
	}
}

// normalTail draws |Z| given |Z| > normalR (Marsaglia 1964).
func normalTail(r *rand.Rand) float64 {
	for {
		x := StdExp(r) / normalR
		if 2*StdExp(r) > x*x {
			return normalR + x
		}
	}
}

// StdExp draws from the exponential distribution of mean 1.
func StdExp(r *rand.Rand) float64 {
	t := expTable
	shift := 0.0
	for {
		bits := r.Uint64()
		i := bits & (zigLayers - 1)
		x := float64((float64(bits>>12) + 0.5) * 0x1p-52 * t.x[i])
		switch {
		case x < t.x[i+1]:
			return shift + x
		case i == 0:
			shift += expR // the tail is the same law again, moved
		case t.f[i]+float64(uniform(r)*(t.f[i+1]-t.f[i])) < vec.Exp(-x):
			return shift + x
		}
	}
}

// uniform draws from the open interval (0, 1): the odd multiples of 2⁻⁵³.
func uniform(r *rand.Rand) float64 {
	return float64((float64(r.Uint64()>>12) + 0.5) * 0x1p-52)
}

// uniformFine is uniform with a lattice that is finer near 0, so that an event of any small probability p, drawn as
// uniformFine(r) < p, has it to a relative precision of 2⁻³².
func uniformFine(r *rand.Rand) float64 {
	scale := 1.0
	for scale > smallest {
		u := uniform(r)
		if u >= 0x1p-20 {
			return scale * u
		}
		scale *= 0x1p-20
	}
	return smallest
}
