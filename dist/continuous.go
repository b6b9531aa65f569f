package dist

// continuous lists the continuous univariate distributions, in alphabetical order.
func continuous() []*Scalar {
	return []*Scalar{
		beta(), chisqr(), ddexp(), expo(), fisher(), gamma(), genGamma(), lnorm(), logis(), norm(), par(), scaledGamma(),
		student(), unif(), weib(),
	}
}
