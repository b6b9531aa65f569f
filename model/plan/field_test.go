package plan_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// casesOf are those of the conformance suite for some kernels.
func casesOf(kernels ...string) (out []conformance) {
	for _, tc := range cases() {
		if slices.Contains(kernels, tc.kernel) {
			out = append(out, tc)
		}
	}
	return out
}

// A chain whose kernels are taken away every few steps, in warm-up and after it, goes on byte for byte, and steps after warm-up allocate nothing.
func TestFieldsKeepTheirTuning(t *testing.T) {
	for _, tc := range casesOf("joint-with-field", "with-innovations", "gaussian-process") {
		var ways [2]string
		for k, every := range []int{0, 7} {
			c := compileText(t, tc.model, tc.data)
			p, err := plan.New(c.Model, nil)
			if err != nil {
				t.Fatal(err)
			}
			job, r := &plan.Job{Plan: p}, rand.New(rand.NewPCG(1, 2))
			s, err := p.Start(nil, r)
			if err != nil {
				t.Fatal(err)
			}
			var all strings.Builder
			const warm = 200
			w := p.Sweep()
			for i := range warm + 30 {
				if i == warm {
					w.Freeze()
				}
				if i < warm {
					w.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: warm})
				} else {
					w.Step(s, r)
				}
				if every > 0 && i%every == 0 {
					w, s = again(t, p, job, w, s)
				}
				fmt.Fprintln(&all, s.V)
			}
			if ways[k] = all.String(); every == 0 {
				if n := testing.AllocsPerRun(20, func() { w.Step(s, r) }); n != 0 {
					t.Errorf("%s: %v allocations in an iteration", tc.name, n)
				}
			}
		}
		if ways[0] != ways[1] {
			t.Errorf("%s: kernels that are marshalled every 7 steps go another way", tc.name)
		}
	}
}

// TestCurvature holds the matrix that a field is scaled by to second derivatives by differences of the density itself, one pair of nodes at a time, where a mean over all nodes fills it.
func TestCurvature(t *testing.T) {
	for _, tc := range casesOf("joint-with-field") {
		c := compileText(t, tc.model, tc.data)
		p, err := plan.New(c.Model, nil)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(3, 4))
		s, err := p.Start(nil, r)
		if err != nil {
			t.Fatal(err)
		}
		if worst := p.Sweep().CurvatureError(s, r); !(worst < 1e-4) {
			t.Errorf("%s: T Tᵀ is no inverse of the curvature: off by %v", tc.name, worst)
		}
	}
}
