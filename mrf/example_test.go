package mrf_test

import (
	"context"
	"fmt"
	"log"
	"math"

	"github.com/ergodic-mcmc/ergodic/mrf"
)

// sprinkler is a Bayesian network in the Interchange Format.
const sprinkler = `
variable rain { type discrete [ 2 ] { no, yes }; }
variable sprinkler { type discrete [ 2 ] { off, on }; }
variable grass { type discrete [ 2 ] { dry, wet }; }
probability ( rain ) { table 0.8, 0.2; }
probability ( sprinkler | rain ) { (no) 0.6, 0.4; (yes) 0.99, 0.01; }
probability ( grass | sprinkler, rain ) {
  (off, no) 1, 0;
  (off, yes) 0.2, 0.8;
  (on, no) 0.1, 0.9;
  (on, yes) 0.01, 0.99;
}`

// Given that the grass is wet, has it rained? A junction tree gives marginals, the probability of the evidence and the most probable state.
func ExampleJunctionTree() {
	m, err := mrf.ReadBIF("sprinkler.bif", []byte(sprinkler))
	if err != nil {
		log.Fatal(err)
	}
	grass := m.Variable("grass")
	given, err := m.Given(mrf.Evidence{{Variable: grass, Value: m.Value(grass, "wet")}})
	if err != nil {
		log.Fatal(err)
	}
	tree, err := mrf.NewJunctionTree(given.Model, 0)
	if err != nil {
		log.Fatal(err)
	}
	logZ, free, err := tree.Marginals(context.Background(), nil)
	if err != nil {
		log.Fatal(err)
	}
	marginals := given.Marginals(free)
	rain := m.Variable("rain")
	fmt.Printf("wet grass has probability %.4f\n", math.Exp(logZ))
	fmt.Printf("given that, rain has probability %.4f\n", marginals[rain][m.Value(rain, "yes")])
	state, _, err := tree.MAP(context.Background(), nil)
	if err != nil {
		log.Fatal(err)
	}
	for i, v := range given.State(state) {
		fmt.Print(m.VariableName(i), " ", m.ValueName(i, v), "; ")
	}
	fmt.Println()
	// Output:
	// wet grass has probability 0.4484
	// given that, rain has probability 0.3577
	// rain no; sprinkler on; grass wet;
}

// Two variables that prefer to be equal, in the form of the UAI competitions, and evidence on one of them.
func ExampleReadUAI() {
	m, err := mrf.ReadUAI("pair.uai", []byte("MARKOV  2  2 2  1  2 0 1  4  3 1 1 3"))
	if err != nil {
		log.Fatal(err)
	}
	evidence, err := mrf.ReadEvidence("pair.evid", []byte("1  0 1"), m)
	if err != nil {
		log.Fatal(err)
	}
	given, err := m.Given(evidence[0])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(given.Free, given.Factors[0].Table)
	_, err = mrf.ReadUAI("short.uai", []byte("MARKOV\n2\n2 2\n1\n2 0 1\n4\n3 1 -1 3\n"))
	fmt.Println(err)
	// Output:
	// [1] [1 3]
	// short.uai:7:5: an entry of factor 0 is -1, which is negative; entries are probabilities or weights, not their logarithms
}
