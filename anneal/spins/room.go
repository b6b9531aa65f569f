package spins

import (
	"unsafe"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
)

// room asks for the memory of a model, its instance beside it.
func room(variables, couplings int) error {
	const (
		variable = 8 + 28                                                      // linear terms; rows, fields and their copies
		coupling = 2*float64(unsafe.Sizeof(Coupling{})) + 2*(4+4) + 16*2 + 4*2 // a model and its Ising form; both directions, as numbers and as rows
	)
	return memory.Room(float64(variable*float64(variables)) + float64(coupling*float64(couplings)))
}
