// Package importance estimates under one distribution from draws of another. A draw x of a density g stands for one
// of f with the weight f(x)/g(x) (Kahn and Marshall 1953), and f is needed up to a constant only: estimates are
// divided by the sum of the weights. [Sample] holds draws of any kind of state with their weights, and says how far
// they can be trusted; [Multinomial], [Systematic], [Stratified] and [Residual] turn weights into numbers of
// offspring.
package importance
