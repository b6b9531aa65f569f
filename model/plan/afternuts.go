package plan

import (
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

const afterNUTSName = "adaptive-after-nuts"

// afterNUTS moves a node of nuts between two bounds by itself too, where no data depend on it and trajectories move it slowly: against a bound its density is an exponential tail on the
// logit, for which no step size fits. Its full conditional has few densities. Where nuts is the only kernel it is not added: a trajectory would no longer begin with the gradient at
// which the one before has ended.
type afterNUTS struct {
	*adaptive
	alone       lagged  // the node as nuts moves it
	own, others float64 // squared jumps on the line by the kernel, and by all others
	last        float64 // the node on the line after a move
	on          float64 // 1 where it is in use
}

const (
	slowByNUTS    = 0.25 // lag-1 autocorrelation below which it is quick enough
	leastOwnJumps = 0.1  // squared jumps of the kernel, as a share of the others', below which it does not pay
	mostAfterNUTS = 8
)

// movesAfterNUTS adds the kernel for up to eight nodes of nuts beside others.
func movesAfterNUTS(p *planner, _ []int32) {
	var rows []int32
	for _, it := range p.Items {
		if it.Kernel != nutsName {
			continue
		}
		for _, r := range it.Rows {
			if p.asked[r] == nil && p.cheapGivenOthers(r, len(it.Rows)) {
				rows = append(rows, r)
			}
		}
	}
	if len(rows) > mostAfterNUTS || len(p.Items) == 1 {
		return
	}
	for _, r := range rows {
		p.add(Item{Kernel: afterNUTSName, Rows: []int32{r}, make: func([]kernel) kernel { return &afterNUTS{adaptive: newAdaptiveAlone(newNode(p.Model, r))} }})
	}
}

// cheapGivenOthers tells whether a node of so many has two bounds, and other nodes' priors, but no data, depend on it.
func (p *planner) cheapGivenOthers(row int32, nodes int) bool {
	n := newNode(p.Model, row)
	if k := newAdaptive(n); k == nil || k.kind != logit || model.Count(n.b.Stoch) < 2 || model.Count(n.b.Stoch) > 1+nodes {
		return false
	}
	for d := range rowsOf(p.Model, n.b.Stoch) {
		if p.Model.Kinds[d.out[0]] != model.Unobserved {
			return false
		}
	}
	return true
}

// Step moves the node.
func (k *afterNUTS) Step(s *model.State, r *rand.Rand) mcmc.Info {
	if k.on == 0 {
		return idle()
	}
	return k.adaptive.Step(s, r)
}

// Adapt watches the node in the second quarter of warm-up, and moves it in the second half.
func (k *afterNUTS) Adapt(s *model.State, r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	if 4*w.Iteration < w.Total {
		return idle()
	}
	u := k.at(s)
	if 2*w.Iteration < w.Total {
		k.alone.add(u)
		k.adaptive.learn(u)
		return idle()
	}
	if !k.alone.above(slowByNUTS) {
		return idle()
	}
	if k.on != 0 {
		k.others += float64((u - k.last) * (u - k.last))
	}
	info := k.adaptive.Adapt(s, r, w)
	k.on, k.last = 1, k.at(s)
	k.own += float64((k.last - u) * (k.last - u))
	return info
}

func (k *afterNUTS) at(s *model.State) float64 { return k.forward(s.V[k.slice.n.cells[0]]) }

// Freeze ends the warm-up.
func (k *afterNUTS) Freeze() {
	k.adaptive.Freeze()
	if !(k.own >= leastOwnJumps*k.others) {
		k.on = 0
	}
}

func (k *afterNUTS) fields() []*float64 {
	return append(k.alone.fields(), &k.own, &k.others, &k.last, &k.on)
}

// MarshalBinary writes the tuning.
func (k *afterNUTS) MarshalBinary() ([]byte, error) {
	return marshalWith(k.fields(), []kernel{k.adaptive})
}

// UnmarshalBinary is the inverse of MarshalBinary.
func (k *afterNUTS) UnmarshalBinary(b []byte) error {
	return unmarshalWith(b, k.fields(), []kernel{k.adaptive})
}
