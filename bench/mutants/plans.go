package main

// plans are mistakes in the kernels of models, in the model's index and in its densities:
// random programs are to catch them.
func plans() []mutant {
	const programs = "go run ./bench/programs -n 600 -seed 7 -stop"
	m := func(file, old, new, what string) mutant { return mutant{file, old, new, what, programs} }
	// Kernels that rest where nodes move well by themselves, as those of small programs do, have tests of their own.
	of := func(tests, file, old, new, what string) mutant {
		return mutant{file, old, new, what, "go test ./model/plan -run " + tests}
	}
	blankets := func(file, old, new, what string) mutant {
		return mutant{file, old, new, what, "go test ./internal/modeltest -run Blankets"}
	}
	return []mutant{
		m("model/plan/conjgamma.go", "			half++\n			rate += float64(0.5 * f * (y - o) * (y - o))", "			shape++\n			rate += float64(0.5 * f * (y - o) * (y - o))",
			"a count: a normal child adds 1 and not ½ to the shape of its gamma precision"),
		m("model/plan/conjgamma.go", "		case byPois:\n			shape += y\n			rate += f", "		case byPois:\n			shape += y\n			rate++",
			"a factor that is dropped: the exposure of a Poisson child"),
		m("model/plan/conjbeta.go", "		if h.negbin { // y failures before n successes\n			y, fail = n, y\n		}", "",
			"a negative binomial child counted as a binomial one"),
		m("model/plan/conjbeta.go", "			a, b = a+fail, b+y", "			a, b = a+y, b+fail",
			"a sign: a child whose probability falls with the node"),
		m("model/plan/conjnormal.go", "		w := a * v[in[i*n+1]]\n		prec += float64(w * a)", "		w := a * v[in[i*n+1]]\n		prec += w",
			"a slope that is not squared in the precision"),
		m("model/plan/conjnormal.go", "		s.V[d.cell] += float64(d.slope * delta)", "		s.V[d.cell] += delta",
			"a stale cache: logical cells moved by the node's change and not by theirs"),
		of("PosteriorMeansAreExact/truncated", "model/plan/truncatedmnormal.go", "			c.pull[k] -= float64(c.prec[k+j*d] * (nx - x))", "			c.pull[k] -= 0*float64(c.prec[k+j*d] * (nx - x))",
			"elements that go by where those before them were"),
		m("model/plan/conjdirichlet.go", "			if j := int(v[h.out[0]]); j >= 1", "			if j := int(v[h.out[0]]); j > 1",
			"an off-by-one: the first category adds nothing"),
		m("model/plan/conjdirichlet.go", "		if h.via != nil && !s.Picks(h.via, h.viaI, c.n.cells) {\n			continue\n		}", "",
			"children that pick another row are counted"),
		m("model/plan/conjwishart.go", "+ float64(len(c.kids))", "+ float64(len(c.kids)-1)",
			"a count: one degree of freedom too few"),
		m("model/plan/blockstep.go", "	lp1 := k.logPost(s, k.w.r, k.w.e)\n	a := vec.Exp(lp1 - lp0 + logBack - logQ)", "	lp1 := k.logPost(s, k.w.r, k.w.e)\n	a := vec.Exp(lp1 - lp0 - logBack + logQ)",
			"a sign in the ratio of a block's proposals"),
		m("model/plan/hyper.go", "		a = vec.Exp(s.LogProb(k.union) + k.mix.logP(s) + j1 - lp0 + logBack - logQ)", "		a = vec.Exp(s.LogProb(k.union) + k.mix.logP(s) - lp0 + logBack - logQ)",
			"a Jacobian forgotten in a joint move"),
		m("model/plan/simplex.go", "float64(float64(len(k.free)-1)*vec.Log1pExp(u))", "float64(float64(len(k.free)-2)*vec.Log1pExp(u))",
			"an exponent of the simplex's Jacobian"),
		m("model/plan/independence.go", "		f := n.at(s, x) + j - k.proposals.logQ(u)", "		f := n.at(s, x) + 0*j - k.proposals.logQ(u)",
			"a Jacobian forgotten in an independence proposal"),
		m("model/plan/enumerate.go", "	k := min(int(hi-lo)+1, len(e.logw))", "	k := max(1, min(int(hi-lo), len(e.logw)))",
			"a wrong bound: the last value is never drawn"),
		m("model/plan/elliptical.go", "		s.V[cell] = e.mu[j] + float64((e.from[j]-e.mu[j])*c) + float64(e.dev[j]*sn)", "		s.V[cell] = e.mu[j] + float64(e.from[j]*c) + float64(e.dev[j]*sn)",
			"an ellipse about zero and not about the mean"),
		m("model/plan/slicenode.go", "	if !accepted {\n		for i, c := range k.n.cells {\n			s.V[c] = k.old[i]\n		}\n		s.Run(k.n.b.Det)\n	}", "	if !accepted {\n		for i, c := range k.n.cells {\n			s.V[c] = k.old[i]\n		}\n	}",
			"a stale cache: a rejection leaves logical cells at the proposal"),
		m("model/plan/collapse.go", "	return s.LogProbRow(c.n.t, c.n.i) - dist.GammaLogProb(x, shape+ds, rate+dr)", "	return s.LogProbRow(c.n.t, c.n.i) - dist.GammaLogProb(x, shape+0*ds, rate+dr)",
			"evidence of an integrated child without its counts"),
		m("model/density.go", "			return st.Scalar.LogProbT(x, p, lo, hi)", "			if x < lo || x > hi {\n				return math.Inf(-1)\n			}\n			return st.Scalar.LogProb(x, p)",
			"the normalising constant of a truncated child is dropped"),
		m("model/blanket.go", "	default:\n		w.take(&w.stoch, s, of)\n	}", "	case len(w.stoch) < 4:\n		w.take(&w.stoch, s, of)\n	}",
			"a blanket that forgets children beyond the fourth run"),
		blankets("model/blanket.go", "				if n++; *o != (onward{s.T, j - i}) {", "				if n++; n > 1 && *o != (onward{s.T, j - i}) {",
			"rows followed by a distance that is that of the first of them"),
		blankets("model/affine.go", "		like = like && x == reg[k]", "		like = like && x.Kind == reg[k].Kind",
			"a row's forms taken from one whose operands are alike in kind alone"),
		of("KernelsKeepTheJointDistribution/nodes_of", "model/plan/jointadaptive.go", "k.logProb(s) + logJ - k.fit.logQ(k.u) - lp0)", "k.logProb(s) + 0*logJ - k.fit.logQ(k.u) - lp0)",
			"a Jacobian forgotten where nodes move at once"),
		of("PseudoPriors|KernelsKeepTheJointDistribution/latent", "model/plan/pseudoprior.go", " + vec.Log(f.q.scale); math", "; math",
			"a pseudo-prior that is no density"),
		m("model/plan/pseudoprior.go", "if k.u[g] = f.q.draw(r); g == own {", "if k.u[g] = f.q.draw(r); g == own && f.q.scale < 0 {",
			"the present value of a latent lost among proposals"),
		of("Exact|Mixture|KernelsKeepTheJointDistribution/volatility", "model/plan/volatility.go", "vec.Exp(s.LogProb(k.mix.segs)+k.mix.scales(s)-k.mix.approximate(s)-before)", "vec.Exp(0*before)",
			"a mixture of normal laws that is not corrected"),
		of("Individuals", "model/plan/individuals.go", "k.p.rest) + logJ + there", "k.p.rest) + 0*logJ + there",
			"a Jacobian forgotten where parameters move with individuals"),
		of("Individuals", "model/plan/individualtable.go", " - c.lp[i] + c.lq[i]", " - c.lp[i] + 0*c.lq[i]",
			"individuals proposed from a table as if from their prior"),
		of("GroupsHaveTheEnumerated", "model/plan/history.go", "if h.upTo[k] >= len(values)", "if h.upTo[k] > len(values)",
			"states of a history that forget what ends with them"),
		of("RestaurantIsExact", "model/plan/restaurant.go", "w := s.V[k.alpha] / float64(max(fresh, 1))", "w := s.V[k.alpha]",
			"new clusters counted once for each that is offered"),
		of("SplitsAreExact", "model/plan/splitmerge.go", "	logq += s.LogProb(k.prior[p.b])\n", "",
			"the parameters of a component that becomes empty are drawn and not counted"),
		of("SplitsAreExact", "model/plan/splitmerge.go", "return apart - together - logq + vec.Log(", "return apart - together - 0*logq + vec.Log(",
			"the component that a split takes is picked and not counted"),
		of("SplitsAreExact", "model/plan/splitmerge.go", "vec.Log(same*k.near[p.b]/(total*float64(k.size[p.b])))", "vec.Log(same/(0*total+float64(k.size[p.b])))",
			"the component that a merger takes is picked and not counted"),
		of("SplitsAreExact", "model/plan/splitmerge.go", "logq -= vec.Log1pExp(d)", "logq -= 0.5 * vec.Log1pExp(d)",
			"allocations proposed with another probability than counted"),
		of("SplitsAreExact", "model/plan/allocationweights.go", "dist.BetaLogProb(0.5, alpha+yes, beta+not)", "dist.BetaLogProb(0.5, alpha+yes, beta+0*not)",
			"a stick whose weights are integrated out without what passes them"),
		of("SplitsKeepTheJointDistribution", "model/plan/componentdraw.go", "q.logQ(u) - vec.Log(q.scale) - logJ", "q.logQ(u) - vec.Log(q.scale) - 0*logJ",
			"a Jacobian forgotten where a parameter is proposed on its logarithm"),
	}
}
