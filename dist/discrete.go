package dist

// discrete lists the discrete univariate distributions, in alphabetical order.
func discrete() []*Scalar { return nil }
