//go:build amd64 && !noasm

package columns

import (
	"unsafe"

	"golang.org/x/sys/cpu"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

//go:generate go -C ../assembly run ./columns -set AVX512 -out ../columns/avx512_amd64.s -stubs ../columns/avx512_amd64.go -pkg columns
//go:generate go -C ../assembly run ./columns -set AVX2 -out ../columns/avx2_amd64.s -stubs ../columns/avx2_amd64.go -pkg columns

// best is the widest instruction set that processor and operating system have.
func best() set {
	switch {
	case cpu.X86.HasAVX512F && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512DQ:
		return avx512
	case cpu.X86.HasAVX2:
		return avx2
	}
	return plainGo
}

// few is below how many rows an elementary function is quicker row by row, fewest for those of few operations.
const (
	few    = 3
	fewest = 6
)

func at[T any](x []T) *T { return unsafe.SliceData(x) }

func (s *Sums) lanes() *[lanes]float64 { return (*[lanes]float64)(s) }

func expTable() *byte { return (*byte)(unsafe.Pointer(vec.ExpTable())) }

func logTable() *byte { return (*byte)(unsafe.Pointer(vec.LogTable())) }

func (s set) add(d, a, b []float64) {
	switch s {
	case avx512:
		addAVX512(at(d), at(a), at(b), len(d))
	case avx2:
		addAVX2(at(d), at(a), at(b), len(d))
	default:
		addGo(d, a, b)
	}
}

func (s set) sub(d, a, b []float64) {
	switch s {
	case avx512:
		subAVX512(at(d), at(a), at(b), len(d))
	case avx2:
		subAVX2(at(d), at(a), at(b), len(d))
	default:
		subGo(d, a, b)
	}
}

func (s set) mul(d, a, b []float64) {
	switch s {
	case avx512:
		mulAVX512(at(d), at(a), at(b), len(d))
	case avx2:
		mulAVX2(at(d), at(a), at(b), len(d))
	default:
		mulGo(d, a, b)
	}
}

func (s set) div(d, a, b []float64) {
	switch s {
	case avx512:
		divAVX512(at(d), at(a), at(b), len(d))
	case avx2:
		divAVX2(at(d), at(a), at(b), len(d))
	default:
		divGo(d, a, b)
	}
}

func (s set) addMul(d, a, b []float64) {
	switch s {
	case avx512:
		addMulAVX512(at(d), at(a), at(b), len(d))
	case avx2:
		addMulAVX2(at(d), at(a), at(b), len(d))
	default:
		addMulGo(d, a, b)
	}
}

func (s set) addScalar(d, a []float64, c float64) {
	switch s {
	case avx512:
		addScalarAVX512(at(d), at(a), c, len(d))
	case avx2:
		addScalarAVX2(at(d), at(a), c, len(d))
	default:
		addScalarGo(d, a, c)
	}
}

func (s set) subFrom(d []float64, c float64, a []float64) {
	switch s {
	case avx512:
		subFromAVX512(at(d), at(a), c, len(d))
	case avx2:
		subFromAVX2(at(d), at(a), c, len(d))
	default:
		subFromGo(d, c, a)
	}
}

func (set set) rotate(x, y []float64, c, s float64) {
	switch y = y[:len(x)]; set {
	case avx512:
		rotateAVX512(at(x), at(y), c, s, len(x))
	case avx2:
		rotateAVX2(at(x), at(y), c, s, len(x))
	default:
		rotateGo(x, y, c, s)
	}
}

func (s set) mulScalar(d, a []float64, c float64) {
	switch s {
	case avx512:
		mulScalarAVX512(at(d), at(a), c, len(d))
	case avx2:
		mulScalarAVX2(at(d), at(a), c, len(d))
	default:
		mulScalarGo(d, a, c)
	}
}

func (s set) divInto(d []float64, c float64, a []float64) {
	switch s {
	case avx512:
		divIntoAVX512(at(d), at(a), c, len(d))
	case avx2:
		divIntoAVX2(at(d), at(a), c, len(d))
	default:
		divIntoGo(d, c, a)
	}
}

func (s set) addScaled(d, a []float64, c float64) {
	switch s {
	case avx512:
		addScaledAVX512(at(d), at(a), c, len(d))
	case avx2:
		addScaledAVX2(at(d), at(a), c, len(d))
	default:
		addScaledGo(d, a, c)
	}
}

func (set set) affine(d, a []float64, s, c float64) {
	switch set {
	case avx512:
		affineAVX512(at(d), at(a), s, c, len(d))
	case avx2:
		affineAVX2(at(d), at(a), s, c, len(d))
	default:
		affineGo(d, a, s, c)
	}
}

func (s set) moments(mean, sum, x []float64, w float64) {
	switch s {
	case avx512:
		momentsAVX512(at(mean), at(sum), at(x), w, len(mean))
	case avx2:
		momentsAVX2(at(mean), at(sum), at(x), w, len(mean))
	default:
		momentsGo(mean, sum, x, w)
	}
}

func (s set) normalPriors(d, y, mu, tau []float64) float64 {
	switch s {
	case avx512:
		return normalPriorsAVX512(at(d), at(y), at(mu), at(tau), len(d))
	case avx2:
		return normalPriorsAVX2(at(d), at(y), at(mu), at(tau), len(d))
	}
	return normalPriorsGo(d, y, mu, tau)
}

func (s set) addScaledMul(d, a, b []float64, c float64) {
	switch s {
	case avx512:
		addScaledMulAVX512(at(d), at(a), at(b), c, len(d))
	case avx2:
		addScaledMulAVX2(at(d), at(a), at(b), c, len(d))
	default:
		addScaledMulGo(d, a, b, c)
	}
}

func (s set) drift(x, r, h, scale []float64, half, eps float64) {
	switch s {
	case avx512:
		driftAVX512(at(x), at(r), at(h), at(scale), half, eps, len(x))
	case avx2:
		driftAVX2(at(x), at(r), at(h), at(scale), half, eps, len(x))
	default:
		driftGo(x, r, h, scale, half, eps)
	}
}

func (s set) neg(d, a []float64) {
	switch s {
	case avx512:
		negAVX512(at(d), at(a), len(d))
	case avx2:
		negAVX2(at(d), at(a), len(d))
	default:
		negGo(d, a)
	}
}

func (s set) fill(d []float64, c float64) {
	switch s {
	case avx512:
		fillAVX512(at(d), c, len(d))
	case avx2:
		fillAVX2(at(d), c, len(d))
	default:
		fillGo(d, c)
	}
}

func (s set) sqrt(d, a []float64) {
	switch s {
	case avx512:
		sqrtAVX512(at(d), at(a), len(d))
	case avx2:
		sqrtAVX2(at(d), at(a), len(d))
	default:
		sqrtGo(d, a)
	}
}

func (s set) sum(to *Sums, a []float64) {
	switch s {
	case avx512:
		sumAVX512(to.lanes(), at(a), len(a))
	case avx2:
		sumAVX2(to.lanes(), at(a), len(a))
	default:
		sumGo(to, a)
	}
}

func (s set) dot(to *Sums, a, b []float64) {
	switch s {
	case avx512:
		dotAVX512(to.lanes(), at(a), at(b), len(a))
	case avx2:
		dotAVX2(to.lanes(), at(a), at(b), len(a))
	default:
		dotGo(to, a, b)
	}
}

func (s set) normal(to *Sums, d, y, mu []float64, tau float64) {
	switch s {
	case avx512:
		normalAVX512(to.lanes(), at(d), at(y), at(mu), tau, len(d))
	case avx2:
		normalAVX2(to.lanes(), at(d), at(y), at(mu), tau, len(d))
	default:
		normalGo(to, d, y, mu, tau)
	}
}

func (s set) normalRows(to *Sums, d, q, y, mu, tau []float64) {
	switch s {
	case avx512:
		normalRowsAVX512(to.lanes(), at(d), at(q), at(y), at(mu), at(tau), len(d))
	case avx2:
		normalRowsAVX2(to.lanes(), at(d), at(q), at(y), at(mu), at(tau), len(d))
	default:
		normalRowsGo(to, d, q, y, mu, tau)
	}
}

func (s set) normalLine(to *Sums, d, y, x, tau []float64, c, mu float64) (slope, product float64) {
	switch s {
	case avx512:
		return normalLineAVX512(to.lanes(), at(d), at(y), at(x), at(tau), c, mu, len(d))
	case avx2:
		return s.normalLineByParts(to, d, y, x, tau, c, mu)
	}
	return normalLineGo(to, d, y, x, tau, c, mu)
}

// normalLineByParts is normalLine where its sums do not find room in the registers together.
func (s set) normalLineByParts(to *Sums, d, y, x, tau []float64, c, mu float64) (slope, product float64) {
	var byMean, byC Sums
	var rooms [2][4 * lanes]float64
	for len(d) > 0 {
		n := min(len(d), 4*lanes)
		w, q := rooms[0][:n], rooms[1][:n]
		s.mulScalar(w, x[:n], c)
		s.addScalar(w, w, mu)
		s.normalRows(to, w, q, y[:n], w, tau[:n])
		s.sum(&byMean, w)
		s.dot(&byC, w, x[:n])
		s.addScaled(d[:n], w, c)
		d, y, x, tau = d[n:], y[n:], x[n:], tau[n:]
	}
	return byMean.Total(), byC.Total()
}

func (s set) normalPlane(to *Sums, d, e, y, a, x, b, z []float64, tau float64) {
	switch s {
	case avx512:
		normalPlaneAVX512(to.lanes(), at(d), at(e), at(y), at(a), at(x), at(b), at(z), tau, len(d))
	case avx2:
		normalPlaneAVX2(to.lanes(), at(d), at(e), at(y), at(a), at(x), at(b), at(z), tau, len(d))
	default:
		normalPlaneGo(to, d, e, y, a, x, b, z, tau)
	}
}

func (s set) addMatVec(d, x []float64, ld int, b []float64) {
	switch s {
	case avx512:
		addMatVecAVX512(at(d), at(x), 8*ld, at(b), len(d), len(b))
	case avx2:
		addMatVecAVX2(at(d), at(x), 8*ld, at(b), len(d), len(b))
	default:
		addMatVecGo(d, x, ld, b)
	}
}

func (s set) addMatTVec(to []Sums, x []float64, ld int, r []float64) {
	switch s {
	case avx512:
		addMatTVecAVX512(at(to).lanes(), at(x), 8*ld, at(r), len(r), len(to))
	case avx2:
		addMatTVecAVX2(at(to).lanes(), at(x), 8*ld, at(r), len(r), len(to))
	default:
		addMatTVecGo(to, x, ld, r)
	}
}

func (s set) bernoulliLogit(to *Sums, product *[lanes]float64, d, y, eta []float64) {
	switch s {
	case avx512:
		bernoulliLogitAVX512(to.lanes(), product, at(d), at(y), at(eta), len(d), expTable())
	case avx2:
		bernoulliLogitAVX2(to.lanes(), product, at(d), at(y), at(eta), len(d), expTable())
	default:
		bernoulliLogitGo(to, product, d, y, eta)
	}
}

func (s set) binomialLogit(to *Sums, d, y, n, eta []float64) {
	switch s {
	case avx512:
		binomialLogitAVX512(to.lanes(), at(d), at(y), at(n), at(eta), len(d), expTable(), logTable())
	case avx2:
		binomialLogitAVX2(to.lanes(), at(d), at(y), at(n), at(eta), len(d), expTable(), logTable())
	default:
		binomialLogitGo(to, d, y, n, eta)
	}
}

func (s set) poissonLog(to *Sums, d, y, eta []float64) {
	switch s {
	case avx512:
		poissonLogAVX512(to.lanes(), at(d), at(y), at(eta), len(d), expTable())
	case avx2:
		poissonLogAVX2(to.lanes(), at(d), at(y), at(eta), len(d), expTable())
	default:
		poissonLogGo(to, d, y, eta)
	}
}

func (s set) negBinLog(to, l *Sums, d, y, w, u []float64, r float64) {
	switch s {
	case avx512:
		negBinLogAVX512(to.lanes(), l.lanes(), at(d), at(y), at(w), at(u), r, len(d), expTable(), logTable())
	case avx2:
		negBinLogAVX2(to.lanes(), l.lanes(), at(d), at(y), at(w), at(u), r, len(d), expTable(), logTable())
	default:
		negBinLogGo(to, l, d, y, w, u, r)
	}
}

func (s set) orderedLogit(t *Density, da, db, a, b []float64) {
	l := &t.Factors
	switch s {
	case avx512:
		orderedLogitAVX512(t.Terms.lanes(), &t.Logs.product, &l.product, &l.exponent, at(da), at(db), at(a), at(b), len(da), expTable())
	case avx2:
		orderedLogitAVX2(t.Terms.lanes(), &t.Logs.product, &l.product, &l.exponent, at(da), at(db), at(a), at(b), len(da), expTable())
	default:
		orderedLogitGo(t, da, db, a, b)
	}
}

func (s set) orderedProbit(to *Sums, l *Logs, da, db, a, b []float64) {
	switch s {
	case avx512:
		orderedProbitAVX512(to.lanes(), &l.product, &l.exponent, at(da), at(db), at(a), at(b), len(da), expTable())
	case avx2:
		orderedProbitAVX2(to.lanes(), &l.product, &l.exponent, at(da), at(db), at(a), at(b), len(da), expTable())
	default:
		orderedProbitGo(to, l, da, db, a, b)
	}
}

func (s set) digamma(d, a []float64) {
	for len(d) > 0 {
		if s == plainGo || len(d) < few {
			digammaGo(d, a)
			return
		}
		done := 0
		switch s {
		case avx512:
			done = digammaAVX512(at(d), at(a), len(d), logTable())
		case avx2:
			done = digammaAVX2(at(d), at(a), len(d), logTable())
		}
		d, a = rest(d, a, done, vec.Digamma)
	}
}

func (s set) exp(d, a []float64) {
	for len(d) > 0 {
		if s == plainGo || len(d) < fewest {
			expGo(d, a)
			return
		}
		done := 0
		switch s {
		case avx512:
			done = expAVX512(at(d), at(a), len(d), expTable())
		case avx2:
			done = expAVX2(at(d), at(a), len(d), expTable())
		}
		d, a = rest(d, a, done, vec.Exp)
	}
}

func (s set) log(d, a []float64) {
	for len(d) > 0 {
		if s == plainGo || len(d) < fewest {
			logGo(d, a)
			return
		}
		done := 0
		switch s {
		case avx512:
			done = logAVX512(at(d), at(a), len(d), logTable())
		case avx2:
			done = logAVX2(at(d), at(a), len(d), logTable())
		}
		d, a = rest(d, a, done, vec.Log)
	}
}

func (s set) log1pExp(d, a []float64) {
	for len(d) > 0 {
		if s == plainGo || len(d) < few {
			log1pExpGo(d, a)
			return
		}
		done := 0
		switch s {
		case avx512:
			done = log1pExpAVX512(at(d), at(a), len(d), expTable(), logTable())
		case avx2:
			done = log1pExpAVX2(at(d), at(a), len(d), expTable(), logTable())
		}
		d, a = rest(d, a, done, vec.Log1pExp)
	}
}

func (s set) ilogit(d, a []float64) {
	for len(d) > 0 {
		if s == plainGo || len(d) < few {
			ilogitGo(d, a)
			return
		}
		done := 0
		switch s {
		case avx512:
			done = ilogitAVX512(at(d), at(a), len(d), expTable())
		case avx2:
			done = ilogitAVX2(at(d), at(a), len(d), expTable())
		}
		d, a = rest(d, a, done, vec.Ilogit)
	}
}

func (s set) tanh(d, a []float64) {
	for len(d) > 0 {
		if s == plainGo || len(d) < few {
			tanhGo(d, a)
			return
		}
		done := 0
		switch s {
		case avx512:
			done = tanhAVX512(at(d), at(a), len(d), expTable())
		case avx2:
			done = tanhAVX2(at(d), at(a), len(d), expTable())
		}
		d, a = rest(d, a, done, vec.Tanh)
	}
}

func (s set) bernoulliProbit(to *Sums, l *Logs, d, y, eta []float64) {
	switch s {
	case avx512:
		bernoulliProbitAVX512(to.lanes(), &l.product, &l.exponent, at(d), at(y), at(eta), len(d), expTable())
	case avx2:
		bernoulliProbitAVX2(to.lanes(), &l.product, &l.exponent, at(d), at(y), at(eta), len(d), expTable())
	default:
		bernoulliProbitGo(to, l, d, y, eta)
	}
}

func (s set) lgamma(d, a []float64) {
	for len(d) > 0 {
		if s == plainGo || len(d) < few {
			lgammaGo(d, a)
			return
		}
		done := 0
		switch s {
		case avx512:
			done = lgammaAVX512(at(d), at(a), len(d), logTable())
		case avx2:
			done = lgammaAVX2(at(d), at(a), len(d), logTable())
		}
		d, a = rest(d, a, done, vec.Lgamma)
	}
}

// rest does some rows that a loop has stopped at one by one, and returns those after them.
func rest(d, a []float64, done int, f func(float64) float64) (_, _ []float64) {
	end := min(done+8, len(d))
	for i := done; i < end; i++ {
		d[i] = f(a[i])
	}
	return d[end:], a[end:]
}

func (s set) gather(d, v []float64, idx []int32) {
	if s == plainGo || len(v) == 0 || uint64(len(v)) > 1<<31 {
		gatherGo(d, v, idx)
		return
	}
	var bad [8]uint32
	if s == avx512 {
		gatherAVX512(at(d), at(v), at(idx), len(d), uint32(len(v)-1), &bad)
	} else {
		gatherAVX2(at(d), at(v), at(idx), len(d), uint32(len(v)-1), &bad)
	}
	if bad != [8]uint32{} {
		gatherGo(d, v, idx) // panics
	}
}

func (s set) times(d, a, b []float64) {
	for len(d) > 0 {
		done := 0
		switch s {
		case avx512:
			done = timesAVX512(at(d), at(a), at(b), len(d))
		case avx2:
			done = timesAVX2(at(d), at(a), at(b), len(d))
		default:
			timesGo(d, a, b)
			return
		}
		end := min(done+8, len(d))
		timesGo(d[done:end], a[done:end], b[done:end])
		d, a, b = d[end:], a[end:], b[end:]
	}
}

func (s set) addLogs(l *Logs, a []float64) {
	for i := 0; i < len(a); {
		switch s {
		case avx512:
			i = addLogsAVX512(&l.product, &l.exponent, at(a), i, len(a))
		case avx2:
			i = addLogsAVX2(&l.product, &l.exponent, at(a), i, len(a))
		default:
			addLogsGo(l, a, i)
			return
		}
		end := min(i+8, len(a))
		addLogsGo(l, a[:end], i)
		i = end
	}
}

func (s set) sumTotal(a []float64) float64 {
	switch s {
	case avx512:
		return sumTotalAVX512(at(a), len(a))
	case avx2:
		return sumTotalAVX2(at(a), len(a))
	}
	return sumTotalGo(a)
}

func (s set) dotTotal(a, b []float64) float64 {
	switch s {
	case avx512:
		return dotTotalAVX512(at(a), at(b), len(a))
	case avx2:
		return dotTotalAVX2(at(a), at(b), len(a))
	}
	return dotTotalGo(a, b)
}

func (s set) addScaledNorm(d, a []float64, c float64) float64 {
	switch s {
	case avx512:
		return addScaledNormAVX512(at(d), at(a), c, len(d))
	case avx2:
		return addScaledNormAVX2(at(d), at(a), c, len(d))
	}
	return addScaledNormGo(d, a, c)
}

func (s set) kick(h, r, grad, scale []float64, half float64) float64 {
	switch s {
	case avx512:
		return kickAVX512(at(h), at(r), at(grad), at(scale), half, len(h))
	case avx2:
		return kickAVX2(at(h), at(r), at(grad), at(scale), half, len(h))
	}
	return kickGo(h, r, grad, scale, half)
}

func (s set) mulScalarDot(d, a []float64, c float64, b []float64) (sum, dot float64) {
	switch s {
	case avx512:
		return mulScalarDotAVX512(at(d), at(a), c, at(b), len(d))
	case avx2:
		return mulScalarDotAVX2(at(d), at(a), c, at(b), len(d))
	}
	return mulScalarDotGo(d, a, c, b)
}

func (s set) normalAlike(d, y []float64, mu, tau float64) (slope, squares float64) {
	switch s {
	case avx512:
		return normalAlikeAVX512(at(d), at(y), mu, tau, len(d))
	case avx2:
		return normalAlikeAVX2(at(d), at(y), mu, tau, len(d))
	}
	return normalAlikeGo(d, y, mu, tau)
}

func (s set) pair(sum, a, b []float64) (aa, bb, ab float64) {
	switch s {
	case avx512:
		return pairAVX512(at(sum), at(a), at(b), len(sum))
	case avx2:
		return pairAVX2(at(sum), at(a), at(b), len(sum))
	}
	return pairGo(sum, a, b)
}

func (s set) join(products *[6]float64, sum, first, last, sum1, first1, last1 []float64) {
	switch s {
	case avx512:
		joinAVX512(at(sum), at(first), at(last), at(sum1), at(first1), at(last1), len(sum), products)
	case avx2:
		joinAVX2(at(sum), at(first), at(last), at(sum1), at(first1), at(last1), len(sum), products)
	default:
		joinGo(products, sum, first, last, sum1, first1, last1)
	}
}

func (s set) matTVec(d, x []float64, ld int, r []float64) {
	switch s {
	case avx512:
		matTVecAVX512(at(d), at(x), 8*ld, at(r), len(r), len(d))
	case avx2:
		matTVecAVX2(at(d), at(x), 8*ld, at(r), len(r), len(d))
	default:
		matTVecGo(d, x, ld, r)
	}
}
