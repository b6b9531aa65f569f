package hmc

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// stepSize is dual averaging (Nesterov, 2009) of the logarithm of ε towards an acceptance probability, as Hoffman and Gelman (2014,
// section 3.2) have it. Fields are exported for gob.
type stepSize struct {
	Log     float64 // of ε now
	Mean    float64 // the average of the logarithm, with weights that favour late steps
	Centre  float64
	Deficit float64
	Shrink  float64 // γ
	N       int     // steps since the start
	Late    int     // steps in the average
}

// Constants of Hoffman and Gelman (2014, section 3.2.2). With their γ the logarithm of ε varies so much from step to step that its average is accepted with a
// probability of about 0.85 where 0.8 is aimed at, for acceptance falls ever faster as ε grows. With twice of it the probability is 0.80 to 0.82, and trajectories are shorter.
const (
	stepShrink = 0.05 // γ of [Windows]
	stepSteady = 0.1  // and of [Fisher]
	stepDelay  = 10   // t₀
	stepDecay  = 0.75 // κ
	stepReach  = 10   // the centre is so many times the first step size
)

// start begins at a step size.
func (s *stepSize) start(eps float64, by Adaptation) {
	*s = stepSize{Log: vec.Log(eps), Mean: vec.Log(eps), Centre: vec.Log(stepReach * eps), Shrink: stepSteady}
	if by == Windows {
		s.Shrink = stepShrink
	}
}

// forget begins the average again; the steps that it is of go on.
func (s *stepSize) forget() { s.Late = 0 }

// learn is called after a step that had this acceptance probability.
func (s *stepSize) learn(accept, target float64) {
	s.N++
	s.Late++
	w := 1 / float64(s.N+stepDelay)
	s.Deficit = float64((1-w)*s.Deficit) + float64(w*(target-accept))
	s.Log = s.Centre - float64(math.Sqrt(float64(s.N))/s.Shrink*s.Deficit)
	s.Log = min(max(s.Log, -logStepMost), logStepMost)
	w = vec.Pow(float64(s.Late), -stepDecay)
	s.Mean = float64(w*s.Log) + float64((1-w)*s.Mean)
}

const logStepMost = 300 // exp of it is far from overflow
