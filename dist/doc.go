// Package dist holds probability distributions with the names, the parameters and the parameter order of the BUGS
// language: log density and its partial derivatives, sampling, distribution function and quantile, moments.
//
// # Variates from uniforms
//
// All draws are made of 64-bit words, U = (k + ½) 2⁻⁵² for their upper 52 bits k, and are exact but for rounding:
//
//	normal                  ziggurat (StdNormal); Box and Muller's sines, and their polar form
//	exponential             ziggurat (StdExp)
//	gamma                   Marsaglia and Tsang's squeeze, from a normal; its logarithm where the shape is below 1
//	dnorm dlnorm            normal; its exponential
//	dexp ddexp dweib dpar   exponential; with a sign; a power of it; its exponential
//	dgpar dgev              functions of an exponential
//	dgamma dchisqr          gamma
//	dgen.gamma dinvgamma    a power of a gamma
//	dbeta                   a share of two gammas
//	df dscaled.gamma        a ratio of two gammas; its root, half normal or half t
//	dt dnt                  a normal over the root of a gamma
//	dnchisqr                a gamma whose shape is Poisson
//	dunif dlogis            inversion
//	dbern                   inversion
//	dcat                    cumulative search (Categorical, Cumulative); Alias; Dynamic where weights change
//	dbin dpois              inversion below mean 10, then Hörmann's transformed rejection
//	dgeom                   one more than dnegbin
//	dnegbin                 a Poisson whose mean is gamma; the geometric distribution is size 1
//	dbetabin                a binomial whose probability is beta
//	dhyper                  inversion outward from the mode
//	dmulti                  a binomial for each category, given those before
//	dsample                 coins in turn, given how many are left to fall on their face
//	ddirch                  shares of gammas
//	dmnorm dmnorm.vcov      normals times a Cholesky factor
//	dmt                     such a vector over the root of a gamma
//	dwish                   Bartlett's decomposition: normals and gammas
//
// For laws that are not in the table there are inversion (InverseCDF of a quantile function, InvertCDF of a distribution
// function), Rejection from a proposal or from a prior, and ARS for log-concave densities.
package dist
