package main

// kernels are mistakes in kernels and estimators for any target: the tests of their own
// packages, by kerneltest and exact results, are to catch them. Frozen draws do not count.
func kernels() []mutant {
	m := func(file, old, new, what, pkg string) mutant {
		return mutant{file, old, new, what, "go test -short -skip Golden " + pkg}
	}
	return []mutant{
		m("mh/multiply.go", "	return dst, float64(log * float64(power))", "	return dst, float64(log * float64(power-1))",
			"a Jacobian's power that is one too small", "./mh"),
		m("mh/multipletry.go", "weight(s.LogP, -k.ratios[at])", "weight(s.LogP, k.ratios[at])",
			"a sign: the way back weighs as the way there", "./mh"),
		m("mh/delayed.go", "		sum += vec.Log1p(-k.prob(from, at))\n", "",
			"the rejection between two stages has no probability", "./mh"),
		m("mh/delayed.go", "			s.LogP = f\n", "",
			"a stale cache: the state keeps the density of the point before", "./mh"),
		m("slice/univariate.go", "		if parted && !s.inside(fl) && !s.inside(fr) {\n			return false", "		if parted && !s.inside(fl) && !s.inside(fr) {\n			return true",
			"doubling without its check of the way back", "./slice"),
		m("slice/univariate.go", "	s.left = s.x - float64(s.width*r.Float64())", "	s.left = s.x - float64(s.width*(0.5+0*r.Float64()))",
			"an interval that is always in the middle", "./slice"),
		m("slice/elliptical.go", "	lo, hi := angle-2*math.Pi, angle", "	lo, hi := -math.Pi, math.Pi",
			"a first arc that is not cut at a random place", "./slice"),
		m("mcmc/chain.go", "	left := thin - (c.iter-c.set.Warmup)%thin //", "	left := 1 + thin - (c.iter-c.set.Warmup)%thin //",
			"an off-by-one in thinning", "./mcmc"),
		m("mcmc/chain.go", "c.steps = rng.New(set.Seed, \"chain\", uint64(id))", "c.steps = rng.New(set.Seed, \"chain\", uint64(id/2))",
			"a stream that two chains share", "./mcmc"),
		m("markov/metropolis.go", "			qji := s.at(int(j), int32(i))", "			qji := s.at(i, j)",
			"the probability of a proposal instead of that of its way back", "./markov"),
		m("tempering/kernel.go", "k.decide(s, i, up, down, up+down, r)", "k.decide(s, i, up, down, up-down, r)",
			"a sign in the ratio of a swap", "./tempering ./path"),
		m("path/annealing.go", "		if err := a.move(beta(k)); err != nil {", "		if err := a.move(beta(k - 1)); err != nil {",
			"moves on the way up that are one temperature behind the weights", "./path"),
		m("path/smc.go", "	p.logZ += logMeanExp(p.logw)\n	clear(p.logw)\n", "	p.logZ += logMeanExp(p.logw)\n",
			"weights that count again after resampling", "./path"),
		m("path/selfadjustedchains.go", "		base += vec.Log(a.target[label] / a.target[reference])", "		base -= vec.Log(a.target[label] / a.target[reference])",
			"a sign: the intended shares of labels go the wrong way into SAMC's estimate", "./path"),
		m("path/temperedresult.go", "	return vec.Log(other/w.set.Prior[k]) - vec.Log(first/w.set.Prior[0])", "	return vec.Log(other) - vec.Log(first)",
			"the intended shares of temperatures are left in the estimate of RTS", "./path"),
		m("ensemble/kernel.go", "	k.update(s, k.order[half:], k.order[:half], r, info)", "	k.update(s, k.order[half:], k.order, r, info)",
			"walkers that propose with themselves", "./ensemble"),
		m("rbm/gibbs.go", "	in := s.input[:m.Visible]\n	m.VisibleInput(in, s.H)", "	in := s.input[:m.Visible]\n	m.VisibleInput(in, s.H)\n	in[0] = 0",
			"a unit that forgets its bias and weights", "./rbm"),
	}
}
