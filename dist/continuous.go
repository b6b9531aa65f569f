package dist

// continuous lists the continuous univariate distributions, in alphabetical order.
func continuous() []*Scalar {
	return []*Scalar{
		beta(), chisqr(), ddexp(), expo(), fisher(), gamma(), genExtreme(), genGamma(), genPareto(), invGamma(), lnorm(), logis(), nchisqr(), norm(),
		noncentralT(), par(), scaledGamma(),
		student(), unif(), weib(),
	}
}
