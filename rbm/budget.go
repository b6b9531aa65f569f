package rbm

import (
	"cmp"
	"math"
	"time"
)

// Budget shares a time between tasks, of which some are done.
type Budget struct {
	Total time.Duration // for all tasks; 0: as long as they take
	Tasks []Task        // as [Work.Tasks] lists them
	Took  []float64     // seconds of the tasks of the estimates that are made
	Used  float64       // seconds of them all
	Spent float64       // seconds that went into the task at hand before it is gone on with
}

// at is the number of the estimate that the task at hand makes next.
func (b Budget) at() int { return len(b.Took) }

// Share is the part of the total that the task at hand has: as much of what tasks before it left as is due to each of its machines. That of
// SMC is four times as large: it is the most efficient where others are only begun, and what it leaves is theirs.
func (b Budget) Share() time.Duration {
	k := b.at()
	return b.part(b.Total-span(b.Used), k) * time.Duration(len(b.Tasks[k].Machines))
}

// part is what of a time is due to a machine of the task at hand, where the tasks from some estimate on share it.
func (b Budget) part(of time.Duration, from int) time.Duration {
	weight := func(t Task) time.Duration {
		if t.Method == SMC {
			return 4
		}
		return 1
	}
	all := time.Duration(0)
	for _, t := range b.Tasks[from:] {
		all += weight(t)
	}
	return of / all * weight(b.Tasks[b.at()])
}

// Rest is what is left of the share.
func (b Budget) Rest() time.Duration { return b.Share() - span(b.Spent) }

// Left is the time that all tasks will take that are not done, of which the one at hand has taken some seconds in all and has the given time
// left, below 0 where that is not known. A method is expected to take what it took for other machines, or else the mean of all tasks. It is no more than the
// total leaves, and below 0 where nothing is known.
func (b Budget) Left(took float64, task time.Duration) time.Duration {
	all := task
	if task >= 0 {
		k := b.at()
		here := took + task.Seconds()
		for _, t := range b.Tasks[k+len(b.Tasks[k].Machines):] {
			all += span(b.expected(t.Method, here))
		}
	}
	if b.Total == 0 {
		return all
	}
	budget := max(b.Total-span(b.Used+took), 0)
	if all < 0 {
		return budget
	}
	return min(all, budget)
}

// expected is how long a method will take for a machine, in seconds, where the task at hand takes as long as here.
func (b Budget) expected(method Estimator, here float64) float64 {
	k := b.at()
	same, n := 0.0, 0
	for i, t := range b.Tasks[:k] {
		if t.Method == method {
			same, n = same+b.Took[i]/float64(len(t.Machines)), n+1
		}
	}
	if b.Tasks[k].Method == method {
		same, n = same+here, n+len(b.Tasks[k].Machines)
	}
	if n > 0 {
		return same / float64(n)
	}
	return (b.Used + here) / float64(k+len(b.Tasks[k].Machines))
}

// fitting is the part of a task's time for which its populations are planned: the rest is for what comes before them, and for
// machines that are slower than is reckoned with defaultSeconds for the default.
const (
	fitting        = 0.4
	defaultSeconds = 25
)

// Particles is how many each population of SMC has: those asked for, or, where a limited time is too short for the default, so many that one
// core makes all populations in the task's part of the total, which is the same when a run is resumed. 0 is the default.
func (b Budget) Particles(machines []*Model, set LogZSettings) int {
	t := b.Tasks[b.at()]
	if set.Particles > 0 || b.Total == 0 || t.Method != SMC {
		return set.Particles
	}
	seconds := fitting * b.part(b.Total, 0).Seconds()
	moves := machines[t.Machines[0]].defaultMoves() * min(1, seconds/defaultSeconds)
	return max(smcParticles, int(moves/float64(cmp.Or(set.Runs, smcRuns)*cmp.Or(set.Temperatures, smcSteps))))
}

func span(seconds float64) time.Duration {
	return time.Duration(min(seconds, math.MaxInt64/2e9) * float64(time.Second))
}
