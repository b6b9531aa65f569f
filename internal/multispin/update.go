package multispin

import "math"

// head is the number of planes that each vector has of its own, and group that of the vectors which share those after them.
// Both are part of what the draws of a seed are.
const (
	head  = 8
	group = 16
)

// open is what is known of the words of a group: whether spins pass their threshold, where that is undecided yet, where
// spins have the second and the third class, and the majority of their neighbours.
type open struct {
	pass, undecided, second, third, up [group * Vector]uint64
}

func updateGo(r *Row, rule *Rule, l *Lanes) {
	for at := 0; at < len(r.Self); at += group * Vector {
		n := min(group*Vector, len(r.Self)-at)
		if rule.neighbours == 4 {
			r.classSquare(rule, &l.open, at, n)
			l.headSquare(rule, n)
		} else {
			r.classCubic(rule, &l.open, at, n)
			l.headCubic(rule, n)
		}
		r.tail(rule, l, at, n)
	}
}

// squareCount is the number of neighbours that are up, as the bits of a number.
func squareCount(a, b, c, d uint64) (b0, b1, b2 uint64) {
	odd, two := a^b^c, a&b|c&(a^b)
	return odd ^ d, two ^ odd&d, two & odd & d
}

func cubicCount(a, b, c, d, e, f uint64) (b0, b1, b2 uint64) {
	odd, two := a^b^c, a&b|c&(a^b)
	odder, twos := d^e^f, d&e|f&(d^e)
	carry := odd & odder
	return odd ^ odder, two ^ twos ^ carry, two&twos | carry&(two^twos)
}

// narrow takes a plane: fail, the complement of pass, becomes the random bits where spins are undecided, and they stay so where these
// are those of the threshold, of which the complement is given.
func narrow(fail, undecided, random, not uint64) (uint64, uint64) {
	return fail ^ (fail^random)&undecided, undecided & (random ^ not)
}

// classSquare finds the classes of the words of a group. Pass is where the first random bit tells.
func (r *Row) classSquare(rule *Rule, o *open, at, n int) {
	self, live, beside := r.Self[at:at+n], r.Live[at:at+n], r.Beside[at:at+n+2]
	up, down := r.Across[0][at:at+n], r.Across[1][at:at+n]
	for j, s := range self {
		b0, b1, b2 := squareCount(beside[j+1], up[j], down[j], beside[j+2]^(beside[j]^beside[j+2])&r.Before)
		if rule.kind == HeatBath {
			o.up[j] = rule.anti ^ (b2 | b1&b0)
			o.pass[j], o.undecided[j], o.second[j] = math.MaxUint64, live[j]&^(b1&^b0), ^(b0 | b1)
			continue
		}
		s ^= rule.anti
		second := ^(b0 | b1 | (b2 ^ s))
		some := second | b0&^(b1^s)
		o.pass[j], o.undecided[j], o.second[j] = some, some&live[j], second
	}
}

// classCubic is classSquare with six neighbours.
func (r *Row) classCubic(rule *Rule, o *open, at, n int) {
	self, live, beside := r.Self[at:at+n], r.Live[at:at+n], r.Beside[at:at+n+2]
	up, down, front, back := r.Across[0][at:at+n], r.Across[1][at:at+n], r.Across[2][at:at+n], r.Across[3][at:at+n]
	for j, s := range self {
		b0, b1, b2 := cubicCount(beside[j+1], up[j], down[j], beside[j+2]^(beside[j]^beside[j+2])&r.Before, front[j], back[j])
		if rule.kind == HeatBath {
			o.up[j] = rule.anti ^ b2
			o.pass[j], o.undecided[j] = math.MaxUint64, live[j]&^(b0&b1)
			o.second[j], o.third[j] = b0&^b1, ^(b0 | (b1 ^ b2))
			continue
		}
		away := s ^ rule.anti ^ b2
		second, third := b0&^(b1|away), ^(b0 | (b1 ^ b2) | away)
		some := second | third | (b1^b2)&^(b0|away)
		o.pass[j], o.undecided[j], o.second[j], o.third[j] = some, some&live[j], second, third
	}
}

// headSquare compares the first planes.
func (l *Lanes) headSquare(rule *Rule, n int) {
	o := &l.open
	one, two := &rule.planes[0], &rule.planes[1]
	numbers := &l.numbers
	for lane := 0; lane < Vector; lane += 2 {
		l.random(lane, n/Vector*head)
		for odd := range numbers {
			rest := numbers[odd][:]
			for j := lane + odd; j < n; j += Vector {
				random := (*[head]uint64)(rest)
				rest = rest[head:]
				undecided, second := o.undecided[j], o.second[j]
				fail := o.pass[j] & random[0]
				undecided &= random[0] ^ one[0] ^ second&two[0]
				fail, undecided = narrow(fail, undecided, random[1], one[1]^second&two[1])
				fail, undecided = narrow(fail, undecided, random[2], one[2]^second&two[2])
				fail, undecided = narrow(fail, undecided, random[3], one[3]^second&two[3])
				fail, undecided = narrow(fail, undecided, random[4], one[4]^second&two[4])
				fail, undecided = narrow(fail, undecided, random[5], one[5]^second&two[5])
				fail, undecided = narrow(fail, undecided, random[6], one[6]^second&two[6])
				fail, undecided = narrow(fail, undecided, random[7], one[7]^second&two[7])
				o.pass[j], o.undecided[j] = ^fail, undecided
			}
		}
	}
}

// headCubic is headSquare with six neighbours.
func (l *Lanes) headCubic(rule *Rule, n int) {
	o := &l.open
	one, two, three := &rule.planes[0], &rule.planes[1], &rule.planes[2]
	numbers := &l.numbers
	for lane := 0; lane < Vector; lane += 2 {
		l.random(lane, n/Vector*head)
		for odd := range numbers {
			rest := numbers[odd][:]
			for j := lane + odd; j < n; j += Vector {
				random := (*[head]uint64)(rest)
				rest = rest[head:]
				undecided, second, third := o.undecided[j], o.second[j], o.third[j]
				fail := o.pass[j] & random[0]
				undecided &= random[0] ^ one[0] ^ second&two[0] ^ third&three[0]
				fail, undecided = narrow(fail, undecided, random[1], one[1]^second&two[1]^third&three[1])
				fail, undecided = narrow(fail, undecided, random[2], one[2]^second&two[2]^third&three[2])
				fail, undecided = narrow(fail, undecided, random[3], one[3]^second&two[3]^third&three[3])
				fail, undecided = narrow(fail, undecided, random[4], one[4]^second&two[4]^third&three[4])
				fail, undecided = narrow(fail, undecided, random[5], one[5]^second&two[5]^third&three[5])
				fail, undecided = narrow(fail, undecided, random[6], one[6]^second&two[6]^third&three[6])
				fail, undecided = narrow(fail, undecided, random[7], one[7]^second&two[7]^third&three[7])
				o.pass[j], o.undecided[j] = ^fail, undecided
			}
		}
	}
}

// tail decides what the first planes have left open, in as many vectors at once, from the first on, as are not undecided at the same
// places, then in as many from the next on; and writes the spins.
func (r *Row) tail(rule *Rule, l *Lanes, at, n int) {
	o := &l.open
	for from := 0; from < n; {
		var pass, undecided, second, third [Vector]uint64
		to := from
		for ; to < n && o.join(&undecided, &second, &third, to); to += Vector {
		}
		rule.decide(l, &pass, &undecided, &second, &third)
		for ; from < to; from += Vector {
			self, live, up := (*[Vector]uint64)(r.Self[at+from:]), (*[Vector]uint64)(r.Live[at+from:]), (*[Vector]uint64)(o.up[from:])
			before, undecided := (*[Vector]uint64)(o.pass[from:]), (*[Vector]uint64)(o.undecided[from:])
			for k := range Vector {
				turn := before[k] ^ (before[k]^pass[k])&undecided[k]
				if rule.kind == HeatBath {
					turn ^= self[k] ^ up[k]
				}
				self[k] ^= turn & live[k]
			}
		}
	}
}

// join adds the vector from word j on to those that are decided together, if it is undecided nowhere that they are.
func (o *open) join(undecided, second, third *[Vector]uint64, j int) bool {
	more, two, three := (*[Vector]uint64)(o.undecided[j:]), (*[Vector]uint64)(o.second[j:]), (*[Vector]uint64)(o.third[j:])
	both := uint64(0)
	for k := range Vector {
		both |= more[k] & undecided[k]
	}
	if both != 0 {
		return false
	}
	for k := range Vector {
		undecided[k] |= more[k]
		second[k] |= two[k] & more[k]
		third[k] |= three[k] & more[k]
	}
	return true
}

// decide compares planes until no spin is undecided. Where the thresholds end a spin does not pass.
func (rule *Rule) decide(l *Lanes, pass, undecided, second, third *[Vector]uint64) {
	var steps [Vector]int
	longest := 0
	for i := range Vector {
		steps[i] = rule.decideLane(l, i, &pass[i], undecided[i], second[i], third[i])
		longest = max(longest, steps[i])
	}
	for i := range Vector { // all lanes step together
		s0, s1, s2, s3 := l.s[0][i], l.s[1][i], l.s[2][i], l.s[3][i]
		for range longest - steps[i] {
			_, s0, s1, s2, s3 = next(s0, s1, s2, s3)
		}
		l.s[0][i], l.s[1][i], l.s[2][i], l.s[3][i] = s0, s1, s2, s3
	}
}

// decideLane returns the number of steps of the generator.
func (rule *Rule) decideLane(l *Lanes, i int, pass *uint64, undecided, second, third uint64) int {
	fail, p := ^*pass, head
	s0, s1, s2, s3 := l.s[0][i], l.s[1][i], l.s[2][i], l.s[3][i]
	for ; undecided != 0 && p < rule.last; p++ {
		var out uint64
		out, s0, s1, s2, s3 = next(s0, s1, s2, s3)
		fail, undecided = narrow(fail, undecided, out, rule.planes[0][p]^second&rule.planes[1][p]^third&rule.planes[2][p])
	}
	l.s[0][i], l.s[1][i], l.s[2][i], l.s[3][i] = s0, s1, s2, s3
	*pass = ^(fail | undecided)
	return p - head
}
