package multispin

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
	o := &l.open
	for at := 0; at < len(r.Self); at += group * Vector {
		n := min(group*Vector, len(r.Self)-at)
		if rule.neighbours == 4 {
			r.headSquare(rule, l, at, n)
		} else {
			r.headCubic(rule, l, at, n)
		}
		l.tail(rule, n)
		self, live := r.Self[at:at+n], r.Live[at:at+n]
		for i := range self {
			if rule.kind == HeatBath {
				self[i] ^= (self[i] ^ o.up[i] ^ o.pass[i]) & live[i]
			} else {
				self[i] ^= o.pass[i] & live[i]
			}
		}
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

// headSquare finds the classes of the words of a group and compares the first planes.
func (r *Row) headSquare(rule *Rule, l *Lanes, at, n int) {
	one, two := &rule.planes[0], &rule.planes[1]
	o := &l.open
	self, live, beside := r.Self[at:at+n], r.Live[at:at+n], r.Beside[at:at+n+2]
	up, down := r.Across[0][at:at+n], r.Across[1][at:at+n]
	var numbers [group * head]uint64
	for lane := range Vector {
		rest := numbers[:n/Vector*head]
		l.random(lane, rest)
		for j := lane; j < n; j += Vector {
			random := (*[head]uint64)(rest)
			rest = rest[head:]
			b := beside[j : j+3]
			b0, b1, b2 := squareCount(b[1], up[j], down[j], b[2]^(b[0]^b[2])&r.Before)
			var fail, undecided, second uint64
			if rule.kind == HeatBath {
				o.up[j] = rule.anti ^ (b2 | b1&b0)
				second = ^(b0 | b1)
				undecided = live[j] &^ (b1 &^ b0)
				fail = random[0]
			} else {
				s := self[j] ^ rule.anti
				second = ^(b0 | b1 | (b2 ^ s))
				undecided = second | b0&^(b1^s)
				fail = undecided & random[0]
				undecided &= live[j]
			}
			undecided &= random[0] ^ second&two[0] ^ one[0]
			fail, undecided = narrow(fail, undecided, random[1], one[1]^second&two[1])
			fail, undecided = narrow(fail, undecided, random[2], one[2]^second&two[2])
			fail, undecided = narrow(fail, undecided, random[3], one[3]^second&two[3])
			fail, undecided = narrow(fail, undecided, random[4], one[4]^second&two[4])
			fail, undecided = narrow(fail, undecided, random[5], one[5]^second&two[5])
			fail, undecided = narrow(fail, undecided, random[6], one[6]^second&two[6])
			fail, undecided = narrow(fail, undecided, random[7], one[7]^second&two[7])
			o.pass[j], o.undecided[j], o.second[j] = ^fail, undecided, second
		}
	}
}

// headCubic is headSquare with six neighbours.
func (r *Row) headCubic(rule *Rule, l *Lanes, at, n int) {
	one, two, three := &rule.planes[0], &rule.planes[1], &rule.planes[2]
	o := &l.open
	self, live, beside := r.Self[at:at+n], r.Live[at:at+n], r.Beside[at:at+n+2]
	up, down := r.Across[0][at:at+n], r.Across[1][at:at+n]
	front, back := r.Across[2][at:at+n], r.Across[3][at:at+n]
	var numbers [group * head]uint64
	for lane := range Vector {
		rest := numbers[:n/Vector*head]
		l.random(lane, rest)
		for j := lane; j < n; j += Vector {
			random := (*[head]uint64)(rest)
			rest = rest[head:]
			b := beside[j : j+3]
			b0, b1, b2 := cubicCount(b[1], up[j], down[j], b[2]^(b[0]^b[2])&r.Before, front[j], back[j])
			var fail, undecided, second, third uint64
			if rule.kind == HeatBath {
				o.up[j] = rule.anti ^ b2
				second, third = b0&^b1, ^(b0 | (b1 ^ b2))
				undecided = live[j] &^ (b0 & b1)
				fail = random[0]
			} else {
				away := self[j] ^ rule.anti ^ b2
				second, third = b0&^(b1|away), ^(b0 | (b1 ^ b2) | away)
				undecided = second | third | (b1^b2)&^(b0|away)
				fail = undecided & random[0]
				undecided &= live[j]
			}
			undecided &= random[0] ^ second&two[0] ^ third&three[0] ^ one[0]
			fail, undecided = narrow(fail, undecided, random[1], one[1]^second&two[1]^third&three[1])
			fail, undecided = narrow(fail, undecided, random[2], one[2]^second&two[2]^third&three[2])
			fail, undecided = narrow(fail, undecided, random[3], one[3]^second&two[3]^third&three[3])
			fail, undecided = narrow(fail, undecided, random[4], one[4]^second&two[4]^third&three[4])
			fail, undecided = narrow(fail, undecided, random[5], one[5]^second&two[5]^third&three[5])
			fail, undecided = narrow(fail, undecided, random[6], one[6]^second&two[6]^third&three[6])
			fail, undecided = narrow(fail, undecided, random[7], one[7]^second&two[7]^third&three[7])
			o.pass[j], o.undecided[j], o.second[j], o.third[j] = ^fail, undecided, second, third
		}
	}
}

// tail decides what the first planes have left open: in as many vectors at once, from the first on, as are not undecided at the same
// places, then in as many from the next on.
func (l *Lanes) tail(rule *Rule, n int) {
	o := &l.open
	for from := 0; from < n; {
		var pass, undecided, second, third [Vector]uint64
		to := from
		for ; to < n && o.apart(&undecided, to); to += Vector {
			for k := range Vector {
				u := o.undecided[to+k]
				undecided[k] |= u
				second[k] |= o.second[to+k] & u
				if rule.neighbours == 6 {
					third[k] |= o.third[to+k] & u
				}
			}
		}
		rule.decide(l, &pass, &undecided, &second, &third)
		for ; from < to; from += Vector {
			for k := range Vector {
				o.pass[from+k] ^= (o.pass[from+k] ^ pass[k]) & o.undecided[from+k]
			}
		}
	}
}

// apart says whether the vector from word j on is undecided nowhere that others are.
func (o *open) apart(undecided *[Vector]uint64, j int) bool {
	both := uint64(0)
	for k, u := range undecided {
		both |= u & o.undecided[j+k]
	}
	return both == 0
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
