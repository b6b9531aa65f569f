package columns

// Sum is the sum of a.
func Sum(a []float64) float64 { return best().sumTotal(a) }

// Dot is the sum of a[i]·b[i].
func Dot(a, b []float64) float64 { return best().dotTotal(a, b[:len(a)]) }

// AddScaledNorm sets d[i] += a[i]·s and returns the sum of the squares of d.
func AddScaledNorm(d, a []float64, s float64) (norm2 float64) {
	return best().addScaledNorm(d, a[:len(d)], s)
}

// Kick sets h[i] = grad[i]·scale[i], adds half·h[i] to r[i], and returns the sum of the squares of r.
func Kick(h, r, grad, scale []float64, half float64) (norm2 float64) {
	n := len(h)
	return best().kick(h, r[:n], grad[:n], scale[:n], half)
}

// MulScalarDot sets d[i] = a[i]·s and returns the sums of a[i] and of d[i]·b[i].
func MulScalarDot(d, a []float64, s float64, b []float64) (sum, dot float64) {
	return best().mulScalarDot(d, a[:len(d)], s, b[:len(d)])
}

// NormalAlike is [Normal] where all rows have one mean. It subtracts tau·(y[i] − mu) from d[i], and returns the sums of these, the derivative by mu, and of (y[i] − mu)².
func NormalAlike(d, y []float64, mu, tau float64) (slope, squares float64) {
	return best().normalAlike(d, y[:len(d)], mu, tau)
}

// NormalPriors is [NormalRows] for nodes: it subtracts tau[i]·(y[i] − mu[i]) from d[i], and returns the sum of tau[i]·(y[i] − mu[i])².
func NormalPriors(d, y, mu, tau []float64) float64 {
	return best().normalPriors(d, y[:len(d)], mu[:len(d)], tau[:len(d)])
}

// Pair sets sum = a + b and returns |a|², |b|² and a·b.
func Pair(sum, a, b []float64) (aa, bb, ab float64) {
	return best().pair(sum, a[:len(sum)], b[:len(sum)])
}

// Join sets sum += sum1, and products to first·sum1, sum·last1, sum·first1, last·sum1, last·last1 and first·first1 with sum as it was.
func Join(products *[6]float64, sum, first, last, sum1, first1, last1 []float64) {
	n := len(sum)
	best().join(products, sum, first[:n], last[:n], sum1[:n], first1[:n], last1[:n])
}

// MatTVec sets d[j] = Σᵢ x[i + j·ld]·r[i].
func MatTVec(d, x []float64, ld int, r []float64) {
	if checkPanel(len(r), x, ld, len(d)) {
		best().matTVec(d, x, ld, r)
	}
}

func sumTotalGo(a []float64) float64 {
	var s Sums
	sumGo(&s, a)
	return s.Total()
}

func dotTotalGo(a, b []float64) float64 {
	var s Sums
	dotGo(&s, a, b)
	return s.Total()
}

func addScaledNormGo(d, a []float64, s float64) float64 {
	addScaledGo(d, a, s)
	return dotTotalGo(d, d)
}

func kickGo(h, r, grad, scale []float64, half float64) float64 {
	mulGo(h, grad, scale)
	return addScaledNormGo(r, h, half)
}

func mulScalarDotGo(d, a []float64, s float64, b []float64) (sum, dot float64) {
	sum = sumTotalGo(a)
	mulScalarGo(d, a, s)
	return sum, dotTotalGo(d, b)
}

func normalAlikeGo(d, y []float64, mu, tau float64) (slope, squares float64) {
	var s, q Sums
	for i, v := range y {
		r := v - mu
		w := float64(tau * r)
		d[i] -= w
		s[i%lanes] += w
		q[i%lanes] += float64(r * r)
	}
	return s.Total(), q.Total()
}

func normalPriorsGo(d, y, mu, tau []float64) float64 {
	var s Sums
	for i, v := range y {
		r := v - mu[i]
		w := float64(tau[i] * r)
		d[i] -= w
		s[i%lanes] += float64(w * r)
	}
	return s.Total()
}

func pairGo(sum, a, b []float64) (aa, bb, ab float64) {
	aa, bb, ab = dotTotalGo(a, a), dotTotalGo(b, b), dotTotalGo(a, b)
	addGo(sum, a, b)
	return aa, bb, ab
}

func joinGo(products *[6]float64, sum, first, last, sum1, first1, last1 []float64) {
	*products = [...]float64{dotTotalGo(first, sum1), dotTotalGo(sum, last1), dotTotalGo(sum, first1), dotTotalGo(last, sum1), dotTotalGo(last, last1), dotTotalGo(first, first1)}
	addGo(sum, sum, sum1)
}

func matTVecGo(d, x []float64, ld int, r []float64) {
	for j := range d {
		d[j] = dotTotalGo(r, x[j*ld:][:len(r)])
	}
}
