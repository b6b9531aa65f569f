package plan

import (
	"encoding/binary"
	"math"

	"github.com/ergodic-mcmc/ergodic/model"
)

// farOut is a value from which a square or two overflow. Data in no unit come
// near it: where sampling does, it is kept from going on by overflow alone.
const farOut = 1e150

// looks is how many draws there are to one that NoteFar looks at: a look at every draw takes 3 % of the time of a sweep, and
// where one draw in 20 is far out 4 chains of 1000 draws would all be missed with probability 1e-11.
const looks = 8

// NoteFar is told of each draw of a chain. It counts one in s.Far if a parent of a node that has a density, or the value of
// one that is sampled, lies so far out that the density is about to overflow.
func (j *Job) NoteFar(s *model.State) {
	s.Far.Seen++
	if s.Far.Seen%looks != 1 {
		return
	}
	s.Far.Looked++
	j.ready()
	s.Settle()
	for _, r := range j.reach {
		if !anyFar(s.V[r.lo:r.hi]) {
			continue
		}
		if s.Far.Draws == 0 {
			s.Far.Node, s.Far.Relation = farNode(s, j.density)
		}
		s.Far.Draws++
		return
	}
}

func anyFar(v []float64) bool {
	for _, x := range v {
		if !(math.Abs(x) < farOut) {
			return true
		}
	}
	return false
}

// changing are the cells that the densities of the rows depend on and that sampling changes.
func changing(m *model.Model, rows []model.Seg) (all []span) {
	wanted := make([]bool, len(m.Kinds))
	for k := range rowsOf(m, rows) {
		for _, cells := range [2][]int32{k.in, k.out} {
			for _, c := range cells {
				wanted[c] = !given(m, c)
			}
		}
	}
	for c, yes := range wanted {
		switch at := int32(c); {
		case !yes:
		case len(all) > 0 && all[len(all)-1].hi == at:
			all[len(all)-1].hi++
		default:
			all = append(all, span{at, at + 1})
		}
	}
	return all
}

// farNode is the first node whose density is about to overflow, and its relation with values.
func farNode(s *model.State, rows []model.Seg) (node, relation string) {
	for k := range rowsOf(s.M, rows) {
		if changingAndFar(s, k.in) || changingAndFar(s, k.out) {
			e := nodeError(s, k.t, k.i)
			return e.Left, e.Relation(nil)
		}
	}
	return "", ""
}

// changingAndFar looks for a cell that is not given and far out.
func changingAndFar(s *model.State, cells []int32) bool {
	for _, c := range cells {
		if !(math.Abs(s.V[c]) < farOut) && !given(s.M, c) {
			return true
		}
	}
	return false
}

// marshalFar is empty where no draw was looked at.
func marshalFar(b []byte, f model.Far) []byte {
	if f == (model.Far{}) {
		return b
	}
	for _, n := range [3]int{f.Seen, f.Looked, f.Draws} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	for _, text := range [2]string{f.Node, f.Relation} {
		b = append(binary.AppendUvarint(b, uint64(len(text))), text...)
	}
	return b
}

// unmarshalFar is the inverse of marshalFar.
func unmarshalFar(b []byte) (f model.Far, err error) {
	if len(b) == 0 {
		return f, nil
	}
	for _, to := range [3]*int{&f.Seen, &f.Looked, &f.Draws} {
		x, n := binary.Uvarint(b)
		if n <= 0 || x > math.MaxInt {
			return f, errTuning
		}
		*to, b = int(x), b[n:]
	}
	for _, to := range [2]*string{&f.Node, &f.Relation} {
		size, n := binary.Uvarint(b)
		if n <= 0 || size > uint64(len(b)-n) {
			return f, errTuning
		}
		*to, b = string(b[n:n+int(size)]), b[n+int(size):]
	}
	if len(b) != 0 {
		return f, errTuning
	}
	return f, nil
}

// Movable names the monitored elements that cannot have one value in all draws: continuous nodes that are sampled.
func (j *Job) Movable() map[string]bool {
	m := j.Plan.Model
	names := map[string]bool{}
	for _, mon := range j.Monitors {
		for k, c := range mon.Cells {
			if c < 0 || m.Kinds[c] != model.Unobserved || !m.Informed(m.DefRow(c)) {
				continue
			}
			t, _ := m.TemplateOf(m.DefRow(c))
			if d := t.Stoch.Scalar; d != nil && !d.Discrete || t.Stoch.Name == "dmnorm" || t.Stoch.Name == "dmt" {
				names[mon.ElementName(k)] = true
			}
		}
	}
	return names
}
