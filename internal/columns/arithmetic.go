package columns

// Add sets d[i] = a[i] + b[i].
func Add(d, a, b []float64) { best().add(d, a[:len(d)], b[:len(d)]) }

// Sub sets d[i] = a[i] − b[i].
func Sub(d, a, b []float64) { best().sub(d, a[:len(d)], b[:len(d)]) }

// Mul sets d[i] = a[i]·b[i].
func Mul(d, a, b []float64) { best().mul(d, a[:len(d)], b[:len(d)]) }

// Times is Mul but for 0·±Inf, which is 0, as in BUGS.
func Times(d, a, b []float64) { best().times(d, a[:len(d)], b[:len(d)]) }

// Div sets d[i] = a[i]/b[i].
func Div(d, a, b []float64) { best().div(d, a[:len(d)], b[:len(d)]) }

// AddMul sets d[i] += a[i]·b[i].
func AddMul(d, a, b []float64) { best().addMul(d, a[:len(d)], b[:len(d)]) }

// AddScalar sets d[i] = a[i] + s.
func AddScalar(d, a []float64, s float64) { best().addScalar(d, a[:len(d)], s) }

// SubFrom sets d[i] = s − a[i].
func SubFrom(d []float64, s float64, a []float64) { best().subFrom(d, s, a[:len(d)]) }

// MulScalar sets d[i] = a[i]·s.
func MulScalar(d, a []float64, s float64) { best().mulScalar(d, a[:len(d)], s) }

// DivInto sets d[i] = s/a[i].
func DivInto(d []float64, s float64, a []float64) { best().divInto(d, s, a[:len(d)]) }

// AddScaled sets d[i] += a[i]·s.
func AddScaled(d, a []float64, s float64) { best().addScaled(d, a[:len(d)], s) }

// Affine sets d[i] = a[i]·s + c.
func Affine(d, a []float64, s, c float64) { best().affine(d, a[:len(d)], s, c) }

// Moments takes x into account in means and sums of squared deviations from them, in which it has the weight w (Welford, 1962).
func Moments(mean, sum, x []float64, w float64) {
	best().moments(mean, sum[:len(mean)], x[:len(mean)], w)
}

// AddScaledMul sets d[i] += s·(a[i]·b[i]).
func AddScaledMul(d, a, b []float64, s float64) {
	best().addScaledMul(d, a[:len(d)], b[:len(d)], s)
}

// Drift adds half·h[i] to r[i], and then eps·(scale[i]·r[i]) to x[i].
func Drift(x, r, h, scale []float64, half, eps float64) {
	n := len(x)
	best().drift(x, r[:n], h[:n], scale[:n], half, eps)
}

// Neg sets d[i] = −a[i].
func Neg(d, a []float64) { best().neg(d, a[:len(d)]) }

// Sqr sets d[i] = a[i]².
func Sqr(d, a []float64) { best().mul(d, a[:len(d)], a[:len(d)]) }

// Fill sets d[i] = s.
func Fill(d []float64, s float64) { best().fill(d, s) }

func fillGo(d []float64, s float64) {
	for i := range d {
		d[i] = s
	}
}

func addGo(d, a, b []float64) {
	for i := range d {
		d[i] = a[i] + b[i]
	}
}

func subGo(d, a, b []float64) {
	for i := range d {
		d[i] = a[i] - b[i]
	}
}

func mulGo(d, a, b []float64) {
	for i := range d {
		d[i] = float64(a[i] * b[i])
	}
}

func timesGo(d, a, b []float64) {
	for i := range d {
		d[i] = times(a[i], b[i])
	}
}

func times(a, b float64) float64 {
	p := a * b
	if p != p && (a == 0 && b == b || b == 0 && a == a) {
		return 0
	}
	return p
}

func divGo(d, a, b []float64) {
	for i := range d {
		d[i] = a[i] / b[i]
	}
}

func addMulGo(d, a, b []float64) {
	for i := range d {
		d[i] += float64(a[i] * b[i])
	}
}

func addScalarGo(d, a []float64, s float64) {
	for i := range d {
		d[i] = a[i] + s
	}
}

func subFromGo(d []float64, s float64, a []float64) {
	for i := range d {
		d[i] = s - a[i]
	}
}

func mulScalarGo(d, a []float64, s float64) {
	for i := range d {
		d[i] = float64(a[i] * s)
	}
}

func divIntoGo(d []float64, s float64, a []float64) {
	for i := range d {
		d[i] = s / a[i]
	}
}

func addScaledGo(d, a []float64, s float64) {
	for i := range d {
		d[i] += float64(a[i] * s)
	}
}

func affineGo(d, a []float64, s, c float64) {
	for i, v := range a {
		d[i] = float64(v*s) + c
	}
}

func momentsGo(mean, sum, x []float64, w float64) {
	for i, v := range x {
		d := v - mean[i]
		mean[i] += float64(d * w)
		sum[i] += float64(d * (v - mean[i]))
	}
}

func addScaledMulGo(d, a, b []float64, s float64) {
	for i, v := range a {
		d[i] += float64(s * float64(v*b[i]))
	}
}

func driftGo(x, r, h, scale []float64, half, eps float64) {
	addScaledGo(r, h, half)
	addScaledMulGo(x, scale, r, eps)
}

func negGo(d, a []float64) {
	for i := range d {
		d[i] = -a[i]
	}
}
