package columns

// lanes is the number of partial sums.
const lanes = 16

// Sums is a sum in sixteen lanes, to which blocks of a column are added in turn; its zero value is the empty sum.
type Sums [lanes]float64

// Total is the sum of the lanes: i and i+8 first, then i and i+4, i and i+2, i and i+1.
func (s *Sums) Total() float64 {
	a, b, c, d := s[0]+s[8], s[1]+s[9], s[2]+s[10], s[3]+s[11]
	e, f, g, h := s[4]+s[12], s[5]+s[13], s[6]+s[14], s[7]+s[15]
	return ((a + e) + (c + g)) + ((b + f) + (d + h))
}

// Sum adds a[i].
func (s *Sums) Sum(a []float64) { best().sum(s, a) }

// Dot adds a[i]·b[i].
func (s *Sums) Dot(a, b []float64) { best().dot(s, a, b[:len(a)]) }

func sumGo(s *Sums, a []float64) {
	for len(a) >= lanes {
		b := (*[lanes]float64)(a)
		for i := range s {
			s[i] += b[i]
		}
		a = a[lanes:]
	}
	for i, v := range a {
		s[i] += v
	}
}

func dotGo(s *Sums, a, b []float64) {
	for len(a) >= lanes {
		x, y := (*[lanes]float64)(a), (*[lanes]float64)(b)
		for i := range s {
			s[i] += float64(x[i] * y[i])
		}
		a, b = a[lanes:], b[lanes:]
	}
	for i, v := range a {
		s[i] += float64(v * b[i])
	}
}
