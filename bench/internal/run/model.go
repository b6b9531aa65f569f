package run

import (
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/ergodic-mcmc/ergodic/bugs"
)

// Compile reads a program and its data into a model of this process.
func Compile(program, data string, r *rand.Rand) (*bugs.Compiled, error) {
	src, err := os.ReadFile(program)
	if err != nil {
		return nil, err
	}
	p, err := bugs.Parse(filepath.Base(program), string(src))
	if err != nil {
		return nil, err
	}
	d, err := bugs.ReadDataFiles([]string{data})
	if err != nil {
		return nil, err
	}
	return bugs.Compile(p, d, r)
}
