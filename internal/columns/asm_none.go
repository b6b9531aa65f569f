//go:build !amd64 || noasm

package columns

func best() set { return plainGo }

func (set) add(d, a, b []float64) { addGo(d, a, b) }

func (set) sub(d, a, b []float64) { subGo(d, a, b) }

func (set) mul(d, a, b []float64) { mulGo(d, a, b) }

func (set) times(d, a, b []float64) { timesGo(d, a, b) }

func (set) div(d, a, b []float64) { divGo(d, a, b) }

func (set) addMul(d, a, b []float64) { addMulGo(d, a, b) }

func (set) addScalar(d, a []float64, c float64) { addScalarGo(d, a, c) }

func (set) subFrom(d []float64, c float64, a []float64) { subFromGo(d, c, a) }

func (set) rotate(x, y []float64, c, s float64) { rotateGo(x, y, c, s) }

func (set) mulScalar(d, a []float64, c float64) { mulScalarGo(d, a, c) }

func (set) divInto(d []float64, c float64, a []float64) { divIntoGo(d, c, a) }

func (set) addScaled(d, a []float64, c float64) { addScaledGo(d, a, c) }

func (set) affine(d, a []float64, s, c float64) { affineGo(d, a, s, c) }

func (set) moments(mean, sum, x []float64, w float64) { momentsGo(mean, sum, x, w) }

func (set) normalPriors(d, y, mu, tau []float64) float64 { return normalPriorsGo(d, y, mu, tau) }

func (set) addScaledMul(d, a, b []float64, c float64) { addScaledMulGo(d, a, b, c) }

func (set) drift(x, r, h, scale []float64, half, eps float64) { driftGo(x, r, h, scale, half, eps) }

func (set) neg(d, a []float64) { negGo(d, a) }

func (set) fill(d []float64, c float64) { fillGo(d, c) }

func (set) sqrt(d, a []float64) { sqrtGo(d, a) }

func (set) sum(to *Sums, a []float64) { sumGo(to, a) }

func (set) dot(to *Sums, a, b []float64) { dotGo(to, a, b) }

func (set) normal(to *Sums, d, y, mu []float64, tau float64) { normalGo(to, d, y, mu, tau) }

func (set) normalRows(to *Sums, d, q, y, mu, tau []float64) { normalRowsGo(to, d, q, y, mu, tau) }

func (set) addMatVec(d, x []float64, ld int, b []float64) { addMatVecGo(d, x, ld, b) }

func (set) addMatTVec(to []Sums, x []float64, ld int, r []float64) { addMatTVecGo(to, x, ld, r) }

func (set) bernoulliLogit(to *Sums, product *[lanes]float64, d, y, eta []float64) {
	bernoulliLogitGo(to, product, d, y, eta)
}

func (set) normalLine(to *Sums, d, y, x, tau []float64, c, mu float64) (slope, product float64) {
	return normalLineGo(to, d, y, x, tau, c, mu)
}

func (set) normalPlane(to *Sums, d, e, y, a, x, b, z []float64, tau float64) {
	normalPlaneGo(to, d, e, y, a, x, b, z, tau)
}

func (set) binomialLogit(to *Sums, d, y, n, eta []float64) { binomialLogitGo(to, d, y, n, eta) }

func (set) poissonLog(to *Sums, d, y, eta []float64) { poissonLogGo(to, d, y, eta) }

func (set) negBinLog(to, l *Sums, d, y, w, u []float64, r float64) { negBinLogGo(to, l, d, y, w, u, r) }

func (set) orderedLogit(t *Density, da, db, a, b []float64) { orderedLogitGo(t, da, db, a, b) }

func (set) orderedProbit(to *Sums, l *Logs, da, db, a, b []float64) {
	orderedProbitGo(to, l, da, db, a, b)
}

func (set) digamma(d, a []float64) { digammaGo(d, a) }

func (set) exp(d, a []float64) { expGo(d, a) }

func (set) log(d, a []float64) { logGo(d, a) }

func (set) log1pExp(d, a []float64) { log1pExpGo(d, a) }

func (set) ilogit(d, a []float64) { ilogitGo(d, a) }

func (set) lgamma(d, a []float64) { lgammaGo(d, a) }

func (set) tanh(d, a []float64) { tanhGo(d, a) }

func (set) bernoulliProbit(to *Sums, l *Logs, d, y, eta []float64) {
	bernoulliProbitGo(to, l, d, y, eta)
}

func (set) gather(d, v []float64, idx []int32) { gatherGo(d, v, idx) }

func (set) addLogs(l *Logs, a []float64) { addLogsGo(l, a, 0) }

func (set) sumTotal(a []float64) float64 { return sumTotalGo(a) }

func (set) dotTotal(a, b []float64) float64 { return dotTotalGo(a, b) }

func (set) addScaledNorm(d, a []float64, c float64) float64 { return addScaledNormGo(d, a, c) }

func (set) kick(h, r, grad, scale []float64, half float64) float64 {
	return kickGo(h, r, grad, scale, half)
}

func (set) mulScalarDot(d, a []float64, c float64, b []float64) (sum, dot float64) {
	return mulScalarDotGo(d, a, c, b)
}

func (set) normalAlike(d, y []float64, mu, tau float64) (slope, squares float64) {
	return normalAlikeGo(d, y, mu, tau)
}

func (set) pair(sum, a, b []float64) (aa, bb, ab float64) { return pairGo(sum, a, b) }

func (set) join(products *[6]float64, sum, first, last, sum1, first1, last1 []float64) {
	joinGo(products, sum, first, last, sum1, first1, last1)
}

func (set) matTVec(d, x []float64, ld int, r []float64) { matTVecGo(d, x, ld, r) }
