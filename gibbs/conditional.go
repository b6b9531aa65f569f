package gibbs

import "math/rand/v2"

// Conditional is a distribution over states of type S, known by its full conditionals.
type Conditional[S any] interface {
	// Draw gives node i of s a draw from its law given all the other nodes. Its random
	// numbers come from r alone, it leaves the other nodes as they are, and allocates nothing.
	//
	// [Parallel] calls it for several nodes of one colour at once: then it must write
	// nothing that belongs to another node and read nothing outside the node's blanket.
	Draw(s S, i int, r *rand.Rand)
}

// Func is a function as a Conditional.
type Func[S any] func(s S, i int, r *rand.Rand)

// Draw calls the function.
func (f Func[S]) Draw(s S, i int, r *rand.Rand) { f(s, i, r) }
