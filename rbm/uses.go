package rbm

// Uses reports whether a setting of [LogZSettings], by its name, changes anything for the method. Auto uses what a method does
// that it may choose.
func (e Estimator) Uses(setting string) bool {
	sums := e == Exact || e == MeanTAP
	switch setting {
	case "Runs":
		return e != Exact
	case "Base", "Geometric", "Temperatures", "Schedule":
		return !sums
	case "Particles":
		return e == SMC || e == Auto
	case "Rounds":
		return !sums && e != Auto && e != SMC && e != AIS && e != Sandwich
	case "FromPrior":
		return e == RTS
	case "TAP":
		return e == MeanTAP
	}
	return true
}

// Uses reports whether a setting of [Training], by its name, changes anything for the method.
func (m Method) Uses(setting string) bool {
	switch setting {
	case "Ladder":
		return m == Tempered
	case "Particles":
		return m != CD
	case "FastRate", "FastDecay":
		return m == FastPCD
	}
	return true
}
