package rbm

import (
	"context"
	"slices"
)

// RTSPrior is RTS with temperatures from their prior, as a method to compare with others: see LogZSettings.FromPrior.
const RTSPrior Estimator = "rts-prior"

// Work is log Z to estimate: of machines by methods, one after the other.
type Work struct {
	Machines []*Model
	Methods  []Estimator
	Joint    bool // SAMS and SAMC make one run over all machines
	Quick    bool // leaves out exact sums that take long
}

// Usual are the methods that are worth a comparison, in Work that is Quick.
func Usual() []Estimator { return []Estimator{Exact, SMC, AIS, RTS, SAMS, SAMC, TI, PT, MeanTAP} }

// Task is a method with the machines, by number, that one call of it is for.
type Task struct {
	Method   Estimator
	Machines []int
}

// Joint reports whether one run of the method may be over several machines.
func (e Estimator) Joint() bool { return e == SAMS || e == SAMC }

// Tasks are as many as there are estimates to make: a task of several machines is listed for each, so that estimates and tasks are
// numbered alike.
func (w Work) Tasks() (all []Task) {
	for _, method := range w.Methods {
		t := Task{Method: method}
		for k, m := range w.Machines {
			if w.Quick && method == Exact && !m.Summable() {
				continue
			}
			if t.Machines = append(t.Machines, k); w.Joint && len(w.Machines) > 1 && method.Joint() {
				continue
			}
			all = append(all, t)
			t.Machines = nil
		}
		for range t.Machines {
			all = append(all, t)
		}
	}
	return all
}

// Random reports whether any estimate depends on a seed.
func (w Work) Random() bool {
	long := slices.ContainsFunc(w.Machines, func(m *Model) bool { return !m.Summable() })
	return slices.ContainsFunc(w.Methods, func(e Estimator) bool { return e != Exact && (e != Auto || long) })
}

// LogZ makes the estimates of the task, in the order of its machines. Interrupted, it returns those so far and an error.
func (t Task) LogZ(ctx context.Context, machines []*Model, set LogZSettings) ([]*Estimate, error) {
	set.Method = t.Method
	if t.Method == RTSPrior {
		set.Method, set.FromPrior = RTS, true
	}
	if len(t.Machines) > 1 {
		var of []*Model
		for _, k := range t.Machines {
			of = append(of, machines[k])
		}
		return JointLogZ(ctx, of, set)
	}
	e, err := machines[t.Machines[0]].LogZ(ctx, set)
	if e == nil {
		return nil, err
	}
	if t.Method == RTSPrior {
		e.Method = t.Method
	}
	return []*Estimate{e}, err
}
