package ngram

// Discounts are what modified Kneser–Ney smoothing takes off the adjusted counts 1, 2, and 3 or more, of sequences of one length.
type Discounts struct {
	D [3]float64
	// Fallback tells that the counts gave none, and D is ½, 1 and 3/2.
	Fallback bool
}

// discounts are those of adjusted counts, by equation 26 of Chen and Goodman (1998).
func discounts(counts []uint32) Discounts {
	var t [5]float64
	for _, c := range counts {
		if c < 5 {
			t[c]++
		}
	}
	d := Discounts{D: [3]float64{0.5, 1, 1.5}, Fallback: true}
	if t[1] == 0 || t[2] == 0 || t[3] == 0 {
		return d
	}
	y := t[1] / (t[1] + float64(2*t[2]))
	var found [3]float64
	for k := 1.0; k <= 3; k++ {
		x := k - float64((k+1)*y*t[int(k)+1])/t[int(k)]
		if !(x > 0 && x <= k) { // 0 would leave nothing for what was not seen
			return d
		}
		found[int(k)-1] = x
	}
	return Discounts{D: found}
}

// of is the discount of a count.
func (d *Discounts) of(count uint32) float64 {
	if count == 0 {
		return 0
	}
	return d.D[min(count, 3)-1]
}
