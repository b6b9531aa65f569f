package rbm

// products walks through four states of two neighbouring hidden units while
// all others rest. First the odds are multiplied by f; the states then have
// the odds, those times g, those times g·h, and those times h, which is left
// in odds. The result is Π (1 + odds) of each, in this order.
//
// No more than run factors are multiplied before their exponent is taken out.
// Two products a state go side by side, as the processor can.
func products(odds, f, g, h []float64, run int) (all [4]scaled) {
	for k := range all {
		all[k].m = 1
	}
	for at := 0; at < len(odds); at += 2 * run {
		end := min(len(odds), at+2*run)
		p := productsRun(odds[at:end], f[at:end], g[at:end], h[at:end])
		for k := range all {
			even, odd := split(p[k]), split(p[k+4])
			all[k] = normal(all[k].m*(even.m*odd.m), all[k].e+even.e+odd.e)
		}
	}
	return all
}

// productsRun multiplies without regard to overflow; even elements and odd
// ones have products of their own.
func productsRun(odds, f, g, h []float64) [8]float64 {
	a0, a1, a2, a3 := 1.0, 1.0, 1.0, 1.0
	b0, b1, b2, b3 := 1.0, 1.0, 1.0, 1.0
	n := len(odds) &^ 1
	odds, f, g, h = odds[:len(odds):len(odds)], f[:len(odds)], g[:len(odds)], h[:len(odds)]
	for i := 1; i < n; i += 2 {
		x, y := float64(odds[i-1]*f[i-1]), float64(odds[i]*f[i])
		gx, gy, hx, hy := g[i-1], g[i], h[i-1], h[i]
		a0 *= 1 + x
		b0 *= 1 + y
		u, v := float64(x*gx), float64(y*gy)
		a1 *= 1 + u
		b1 *= 1 + v
		a2 *= 1 + float64(u*hx)
		b2 *= 1 + float64(v*hy)
		x, y = float64(x*hx), float64(y*hy)
		odds[i-1], odds[i] = x, y
		a3 *= 1 + x
		b3 *= 1 + y
	}
	if n < len(odds) {
		x := float64(odds[n] * f[n])
		u := float64(x * g[n])
		odds[n] = float64(x * h[n])
		a0 *= 1 + x
		a1 *= 1 + u
		a2 *= 1 + float64(u*h[n])
		a3 *= 1 + float64(x*h[n])
	}
	return [8]float64{a0, a1, a2, a3, b0, b1, b2, b3}
}
