package multispin

// head is the number of planes that each vector has of its own, and group that of the vectors which share those after them.
// Both are part of what the draws of a seed are.
const (
	head  = 8
	group = 16
)

// open is what is known of the words of a group: whether spins pass their threshold, before the first plane where a fair coin decides; where
// that is undecided yet, where spins have the second and the third class, and the majority of their neighbours.
type open struct {
	pass, undecided, second, third, up [group * Vector]uint64
}

func updateGo(r *Row, rule *Rule, l *Lanes) {
	for at := 0; at < len(r.Self); at += group * Vector {
		n := min(group*Vector, len(r.Self)-at)
		if rule.neighbours == 4 {
			r.classSquare(rule, &l.open, at, n)
		} else {
			r.classCubic(rule, &l.open, at, n)
		}
		l.head(rule, n)
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

// classSquare finds the classes of the words of a group.
func (r *Row) classSquare(rule *Rule, o *open, at, n int) {
	self, live, beside := r.Self[at:at+n], r.Live[at:at+n], r.Beside[at:at+n+2]
	up, down := r.Across[0][at:at+n], r.Across[1][at:at+n]
	for j, s := range self {
		b0, b1, b2 := squareCount(beside[j+1], up[j], down[j], beside[j+2]^(beside[j]^beside[j+2])&r.Before)
		if rule.kind == HeatBath {
			o.up[j] = rule.anti ^ (b2 | b1&b0)
			tie := b1 &^ b0
			o.pass[j], o.undecided[j], o.second[j] = tie, live[j]&^tie, ^(b0 | b1)
			continue
		}
		s ^= rule.anti
		second := ^(b0 | b1 | (b2 ^ s))
		some := second | b0&^(b1^s)
		o.pass[j], o.undecided[j], o.second[j] = 0, some&live[j], second
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
			tie := b0 & b1
			o.pass[j], o.undecided[j] = tie, live[j]&^tie
			o.second[j], o.third[j] = b0&^b1, ^(b0 | (b1 ^ b2))
			continue
		}
		away := s ^ rule.anti ^ b2
		second, third := b0&^(b1|away), ^(b0 | (b1 ^ b2) | away)
		some := second | third | (b1^b2)&^(b0|away)
		o.pass[j], o.undecided[j], o.second[j], o.third[j] = 0, some&live[j], second, third
	}
}

// head compares the first planes, of two lanes at a time.
func (l *Lanes) head(rule *Rule, n int) {
	for lane := 0; lane < Vector; lane += 2 {
		l.random(lane, n/Vector*head)
		for v := range n / Vector {
			l.headPair(rule, v, v*Vector+lane)
		}
	}
}

// headPair is head for words j and j+1, of vector v. A random bit 1 where the threshold has 0 fails, and 0 where it has 1 passes.
func (l *Lanes) headPair(rule *Rule, v, j int) {
	o := &l.open
	a, b := (*[head]uint64)(l.numbers[0][v*head:]), (*[head]uint64)(l.numbers[1][v*head:])
	undecidedA, undecidedB := o.undecided[j], o.undecided[j+1]
	failA, failB := o.pass[j]&a[0], o.pass[j+1]&b[0]
	for p, kind := range &rule.head {
		randomA, randomB := a[p], b[p]
		switch kind {
		case ones:
			undecidedA &= randomA
			undecidedB &= randomB
		case zeros:
			outA, outB := undecidedA&randomA, undecidedB&randomB
			failA |= outA
			failB |= outB
			undecidedA ^= outA
			undecidedB ^= outB
		default:
			one, two := rule.planes[0][p], rule.planes[1][p]
			notA, notB := one^o.second[j]&two, one^o.second[j+1]&two
			if rule.neighbours > 4 {
				three := rule.planes[2][p]
				notA ^= o.third[j] & three
				notB ^= o.third[j+1] & three
			}
			failA |= undecidedA & randomA & notA
			failB |= undecidedB & randomB & notB
			undecidedA &= randomA ^ notA
			undecidedB &= randomB ^ notB
		}
	}
	o.pass[j], o.pass[j+1] = ^(failA | undecidedA), ^(failB | undecidedB)
	o.undecided[j], o.undecided[j+1] = undecidedA, undecidedB
}

// tail decides what the first planes have left open, in as many vectors at once, from the first on, as are not undecided at the same
// places, then in as many from the next on; and writes the spins.
func (r *Row) tail(rule *Rule, l *Lanes, at, n int) {
	o := &l.open
	for from := 0; from < n; {
		var pass, undecided, second, third [Vector]uint64
		to := from
		for ; to < n && o.join(&undecided, to); to += Vector {
			o.classes(rule, &second, &third, to)
		}
		rule.decide(l, &pass, &undecided, &second, &third)
		for ; from < to; from += Vector {
			self, live, up := (*[Vector]uint64)(r.Self[at+from:]), (*[Vector]uint64)(r.Live[at+from:]), (*[Vector]uint64)(o.up[from:])
			before, undecided := (*[Vector]uint64)(o.pass[from:]), (*[Vector]uint64)(o.undecided[from:])
			if rule.kind == HeatBath {
				for k := range Vector {
					self[k] ^= (before[k] | pass[k]&undecided[k] ^ self[k] ^ up[k]) & live[k]
				}
				continue
			}
			for k := range Vector {
				self[k] ^= (before[k] | pass[k]&undecided[k]) & live[k]
			}
		}
	}
}

// join adds the vector from word j on to those that are decided together, if it is undecided nowhere that they are.
func (o *open) join(undecided *[Vector]uint64, j int) bool {
	u, more := undecided, (*[Vector]uint64)(o.undecided[j:])
	if more[0]&u[0]|more[1]&u[1]|more[2]&u[2]|more[3]&u[3]|more[4]&u[4]|more[5]&u[5]|more[6]&u[6]|more[7]&u[7] != 0 {
		return false
	}
	for k := range Vector {
		u[k] |= more[k]
	}
	return true
}

// classes adds the classes of the undecided spins of the vector from word j on.
func (o *open) classes(rule *Rule, second, third *[Vector]uint64, j int) {
	more, two, three := (*[Vector]uint64)(o.undecided[j:]), (*[Vector]uint64)(o.second[j:]), (*[Vector]uint64)(o.third[j:])
	for k := range Vector {
		second[k] |= two[k] & more[k]
	}
	if rule.neighbours == 4 {
		return
	}
	for k := range Vector {
		third[k] |= three[k] & more[k]
	}
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
