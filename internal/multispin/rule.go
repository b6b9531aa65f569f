package multispin

// Kind is how a spin is updated.
type Kind uint8

// Kinds of updates.
const (
	Metropolis Kind = iota // a spin without majority of its neighbours behind it turns; another with the probability of its class
	HeatBath               // a spin becomes what most of its neighbours are, but the opposite with the probability of its class
)

// most is the largest number of thresholds: that of the cubic lattice.
const most = 3

// Rule is a kind of update of spins that have 4 or 6 neighbours, and its probabilities.
//
// Plane p is bit 63 − p of the thresholds, as words of 64 equal bits: planes[0] is the complement of those of the first class, and
// planes[c] where class c differs from it. So a random bit b of a spin is that of its threshold where b ^ planes[0] ^ planes[c] is one.
type Rule struct {
	kind       Kind
	neighbours int
	anti       uint64 // all ones where neighbours prefer to be opposite
	last       int    // the planes from here on are zero for all classes
	planes     [most][64]uint64
	head       [head]plane // what the first are, for the twin
}

// plane is what the bits of the thresholds in a plane are.
type plane uint8

const (
	mixed plane = iota // not the same for all classes
	zeros
	ones
)

// NewRule returns a rule whose probabilities are zero.
func NewRule(kind Kind, neighbours int) *Rule {
	if neighbours != 4 && neighbours != 6 {
		panic("multispin: spins have 4 or 6 neighbours")
	}
	return &Rule{kind: kind, neighbours: neighbours}
}

// Set takes the thresholds: class c has probability thresholds[c]·2⁻⁶⁴. There are half as many as neighbours. Under Metropolis
// they are those of spins that agree with their neighbours, by all but 1, 0 in the square lattice and by all but 2, 1, 0 in the
// cubic one; under the heat bath those of as many neighbours differing from the others. Without a majority a spin always turns under
// Metropolis and is a fair coin under the heat bath. Anti says that agreement is with the opposite of the neighbours.
func (r *Rule) Set(thresholds []uint64, anti bool) {
	if len(thresholds) != r.neighbours/2 {
		panic("multispin: there are half as many thresholds as neighbours")
	}
	r.anti, r.last = 0, 0
	if anti {
		r.anti = ^uint64(0)
	}
	for p := range 64 {
		first := -(thresholds[0] >> (63 - p) & 1)
		r.planes[0][p] = ^first
		same := true
		for c, t := range thresholds {
			bit := -(t >> (63 - p) & 1)
			if c > 0 {
				r.planes[c][p] = bit ^ first
			}
			if bit != 0 {
				r.last = p + 1
			}
			same = same && bit == first
		}
		if p < head {
			r.head[p] = kindOf(same, first)
		}
	}
}

func kindOf(same bool, first uint64) plane {
	switch {
	case !same:
		return mixed
	case first == 0:
		return zeros
	}
	return ones
}
