package plan

// Reason says of a kernel what a node must be for it, where an [Item] has no Why of its own: a node gets the first kernel that can move it.
func Reason(kernel string) string {
	switch kernel {
	case blockNormal:
		return "normal nodes that share children, which are normal with means linear in them: all at once, exactly"
	case blockGLM:
		return "normal nodes that share children, which depend on one linear predictor each: proposals from the Gaussian at the mode"
	case blockVolatility:
		return "normal nodes in the log precisions of normal children: proposals from a mixture of normal laws"
	case ffbsName:
		return "discrete nodes with few values that depend on one another: jointly and exactly, by forward filtering and backward sampling"
	case "conjugate-normal":
		return "a normal node whose children are normal or lognormal with means linear in it: exactly"
	case "conjugate-gamma":
		return "up to a factor it is the precision, rate or mean of its children: exactly"
	case "conjugate-beta":
		return "it is its children's probability: exactly"
	case "conjugate-dirichlet":
		return "its children are categorical or multinomial with it as probabilities: exactly"
	case "conjugate-mnormal":
		return "a multivariate normal node with normal children of linear means: exactly"
	case "conjugate-wishart":
		return "it is the precision of multivariate normal children: exactly"
	case "enumerate":
		return "a discrete node with few values: each is evaluated"
	case "collapsed":
		return "no conjugate kernel fits, but its children have one: they are integrated out while it moves, and drawn after it"
	case "adaptive":
		return "a continuous node that no exact kernel fits: slice sampling, then proposals fitted in warm-up"
	case "slice":
		return "a scalar node that no kernel before fits: slice sampling by stepping out"
	case truncatedName:
		return "a multivariate normal node whose elements data bound: an element at a time, exactly"
	case "elliptical-slice":
		return "a multivariate normal node that no exact kernel fits"
	case "simplex-slice":
		return "a Dirichlet node that no exact kernel fits"
	case seatName:
		return "a label of a Chinese restaurant process: of new clusters a few are weighed"
	case exchangeName:
		return "counts, or zeros and ones, of a given sum: two at a time"
	case nutsName:
		return "continuous nodes that depend on one another and that no exact kernel fits: all at once by the no-U-turn sampler"
	case jointName:
		return "a block depends on it: moved together with the block, whose nodes are integrated out, on top of its own kernel"
	case withNormalsName:
		return "its value scales or bends normal nodes: moved together with these, on top of its own kernel"
	case allWithBlockName:
		return "a block depends on it and on others: moved at once with the block integrated out, where one of them is slow by itself"
	case withFieldName:
		return "the normal nodes of nuts, a walk's among them, depend on it: moved with them, as they are in the standard coordinates of their conditional density"
	case pseudoPriorName:
		return "an indicator without which a latent has no data, or another prior: moved with the latent, which is proposed from where it is given each value, or integrated out"
	case jointAdaptiveName:
		return "it shares densities with others: moved at once with them, children that have a conjugate kernel integrated out, or where one of them is slow by itself, on top of its own kernel"
	case afterNUTSName:
		return "between two bounds, and other nodes' priors, but no data, depend on it: moved by itself too, where trajectories move it slowly"
	case withPoolsName:
		return "counts that depend on one another, as those of an open population: summed over along trees, or by particles where they make cycles, while nodes above them move, and then drawn"
	case shiftName:
		return "an intercept and its effects, in opposite directions, where data see only their sum"
	case indicatorName:
		return "an indicator that switches a coefficient on and off: moved with the coefficient integrated out"
	case AutoName:
		return "it was left to the plan"
	case "slice-doubling", "metropolis", walnutsName, cheesName, staticName, langevinName:
		return "it was asked for"
	case priorName:
		return "no other kernel moves it, or it was asked for: proposals from its prior"
	}
	return "it was chosen among those that can move it"
}
