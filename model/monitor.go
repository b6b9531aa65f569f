package model

import "github.com/ergodic-mcmc/ergodic/draws"

// Monitor is a quantity that is recorded: the cells of an array or of a part of
// it in column-major order; no cells mean the deviance, −2 times the log
// density of the observed nodes.
type Monitor struct {
	draws.Variable
	Cells []int32
}

// Deviance is the name under which the deviance is monitored.
const Deviance = "deviance"
