package dist

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// InverseCDF draws quantile(U), U uniform on the open interval (0, 1). With the quantile function of any law, discrete
// or not, that is a draw from it; InvertCDF does without one. U is a multiple of 2⁻⁵³: what is rarer than that is not
// seen.
func InverseCDF(r *rand.Rand, quantile func(u float64) float64) float64 { return quantile(uniform(r)) }

// BoxMuller draws two independent standard normals, √(2E) (cos 2πU, sin 2πU) with E exponential (Box and Muller 1958,
// Ann. Math. Stat. 29). StdNormal is faster.
func BoxMuller(r *rand.Rand) (z1, z2 float64) {
	radius := math.Sqrt(2 * StdExp(r))
	angle := 2 * math.Pi * uniform(r)
	return radius * vec.Cos(angle), radius * vec.Sin(angle)
}

// BoxMullerPolar is BoxMuller without sine and cosine: a point (u, v) that is uniform in the unit disc, which π/4 of the
// points of the square are, has a uniform direction, and its squared radius s is uniform and independent of it;
// the normals are (u, v) √(−2 log(s)/s) (Marsaglia and Bray 1964, SIAM Review 6).
func BoxMullerPolar(r *rand.Rand) (z1, z2 float64) {
	for {
		u, v := 2*uniform(r)-1, 2*uniform(r)-1 // exact, fused or not
		s := float64(u*u) + float64(v*v)
		if s < 1 { // never 0: no odd multiple of 2⁻⁵³ is 1/2
			f := math.Sqrt(-2 * vec.Log(s) / s)
			return u * f, v * f
		}
	}
}
