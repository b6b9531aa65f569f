package multispin

// head is the number of planes that each vector has of its own, and group that of the vectors which share those after them.
// Both are part of what the draws of a seed are.
const (
	head  = 8
	group = 4
)

// open is what is known of the words of a group: whether spins pass their threshold, where that is undecided yet, where
// spins have the second and the third class, and the majority of their neighbours.
type open struct {
	pass, undecided, second, third, up [group * Vector]uint64
}

func updateGo(r *Row, rule *Rule, l *Lanes) {
	var o open
	for at := 0; at < len(r.Self); at += group * Vector {
		n := min(group*Vector, len(r.Self)-at)
		if rule.neighbours == 4 {
			r.headSquare(rule, l, &o, at, n)
		} else {
			r.headCubic(rule, l, &o, at, n)
		}
		o.tail(rule, l, n)
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

// headSquare finds the classes of the words of a group and compares the first planes.
func (r *Row) headSquare(rule *Rule, l *Lanes, o *open, at, n int) {
	for lane := range Vector {
		s0, s1, s2, s3 := l.s[0][lane], l.s[1][lane], l.s[2][lane], l.s[3][lane]
		for j := lane; j < n; j += Vector {
			i := at + j
			beside := r.Beside[i : i+3]
			b0, b1, b2 := squareCount(beside[1], r.Across[0][i], r.Across[1][i], beside[2]^(beside[0]^beside[2])&r.Before)
			var out, pass, undecided, second uint64
			out, s0, s1, s2, s3 = next(s0, s1, s2, s3)
			if rule.kind == HeatBath {
				o.up[j] = rule.anti ^ (b2 | b1&b0)
				second = ^(b0 | b1)
				undecided = r.Live[i] &^ (b1 &^ b0)
				pass = ^out
			} else {
				s := r.Self[i] ^ rule.anti
				second = ^(b0 | b1 | (b2 ^ s))
				undecided = second | b0&^(b1^s)
				pass = ^(undecided & out)
				undecided &= r.Live[i]
			}
			undecided &^= out ^ second&rule.planes[0][1] ^ rule.planes[0][0]
			for p := 1; p < head; p++ {
				t := &rule.planes[p]
				out, s0, s1, s2, s3 = next(s0, s1, s2, s3)
				pass ^= (pass ^ ^out) & undecided
				undecided &^= out ^ second&t[1] ^ t[0]
			}
			o.pass[j], o.undecided[j], o.second[j] = pass, undecided, second
		}
		l.s[0][lane], l.s[1][lane], l.s[2][lane], l.s[3][lane] = s0, s1, s2, s3
	}
}

// headCubic is headSquare with six neighbours.
func (r *Row) headCubic(rule *Rule, l *Lanes, o *open, at, n int) {
	for lane := range Vector {
		s0, s1, s2, s3 := l.s[0][lane], l.s[1][lane], l.s[2][lane], l.s[3][lane]
		for j := lane; j < n; j += Vector {
			i := at + j
			beside := r.Beside[i : i+3]
			b0, b1, b2 := cubicCount(beside[1], r.Across[0][i], r.Across[1][i], beside[2]^(beside[0]^beside[2])&r.Before,
				r.Across[2][i], r.Across[3][i])
			var out, pass, undecided, second, third uint64
			out, s0, s1, s2, s3 = next(s0, s1, s2, s3)
			if rule.kind == HeatBath {
				o.up[j] = rule.anti ^ b2
				second, third = b0&^b1, ^(b0 | (b1 ^ b2))
				undecided = r.Live[i] &^ (b0 & b1)
				pass = ^out
			} else {
				away := r.Self[i] ^ rule.anti ^ b2
				second, third = b0&^(b1|away), ^(b0 | (b1 ^ b2) | away)
				undecided = second | third | (b1^b2)&^(b0|away)
				pass = ^(undecided & out)
				undecided &= r.Live[i]
			}
			undecided &^= out ^ second&rule.planes[0][1] ^ third&rule.planes[0][2] ^ rule.planes[0][0]
			for p := 1; p < head; p++ {
				t := &rule.planes[p]
				out, s0, s1, s2, s3 = next(s0, s1, s2, s3)
				pass ^= (pass ^ ^out) & undecided
				undecided &^= out ^ second&t[1] ^ third&t[2] ^ t[0]
			}
			o.pass[j], o.undecided[j], o.second[j], o.third[j] = pass, undecided, second, third
		}
		l.s[0][lane], l.s[1][lane], l.s[2][lane], l.s[3][lane] = s0, s1, s2, s3
	}
}

// tail decides what the first planes have left open, in all vectors of a group at once where no two of them are undecided at
// the same place, and else in one after the other.
func (o *open) tail(rule *Rule, l *Lanes, n int) {
	var undecided, second, third, pass [Vector]uint64
	twice := uint64(0)
	for j := range n {
		u, k := o.undecided[j], j%Vector
		twice |= undecided[k] & u
		undecided[k] |= u
		second[k] |= o.second[j] & u
		third[k] |= o.third[j] & u
	}
	if twice == 0 {
		rule.decide(l, &pass, &undecided, &second, &third)
		for j := range n {
			k := j % Vector
			o.pass[j] ^= (o.pass[j] ^ pass[k]) & o.undecided[j]
		}
		return
	}
	for j := 0; j < n; j += Vector {
		copy(undecided[:], o.undecided[j:])
		rule.decide(l, (*[Vector]uint64)(o.pass[j:]), &undecided, (*[Vector]uint64)(o.second[j:]), (*[Vector]uint64)(o.third[j:]))
	}
}

// decide compares planes until no spin is undecided. Where the thresholds end a spin does not pass.
func (rule *Rule) decide(l *Lanes, pass, undecided, second, third *[Vector]uint64) {
	left := uint64(0)
	for _, u := range undecided {
		left |= u
	}
	for p := head; left != 0 && p < rule.last; p++ {
		left = 0
		t := &rule.planes[p]
		for i := range Vector {
			var out uint64
			out, l.s[0][i], l.s[1][i], l.s[2][i], l.s[3][i] = next(l.s[0][i], l.s[1][i], l.s[2][i], l.s[3][i])
			pass[i] ^= (pass[i] ^ ^out) & undecided[i]
			undecided[i] &^= out ^ second[i]&t[1] ^ third[i]&t[2] ^ t[0]
			left |= undecided[i]
		}
	}
	for i := range pass {
		pass[i] &^= undecided[i]
	}
}
