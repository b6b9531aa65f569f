// Package diag diagnoses draws: have the chains mixed (R-hat), how much are they
// worth (effective sample sizes), how exact are the estimates (Monte Carlo
// standard errors), does the model predict (PSIS-LOO, WAIC, DIC).
//
// Everything is a pure function of the draws of one scalar, chains × draws.
// Chains of unequal length are read up to the length of the shortest. A number
// that does not exist is NaN: no draws, a constant, a NaN among the draws. As
// in R's posterior, draws whose range is below 2⁻⁵² count as constant where
// their values matter, not only their ranks.
//
// Definitions are those of Vehtari, Gelman, Simpson, Carpenter and Bürkner,
// "Rank-normalization, folding, and localization: an improved R-hat", Bayesian
// Analysis 16 (2021), unless a function names another source.
package diag
