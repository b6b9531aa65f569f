package text

// Moves are the changes that a [Walk] proposes, with the share of each: of all positive ones, as they are in proportion.
//
// With Replace, Insert, Delete and Swap every sentence can become every other one that the target allows where the model gives no sentence the probability 0,
// conditions are keywords, forbidden words and lengths, and there are two words at least that may be
// changed or none but their order. What other hard conditions need is said with them.
type Moves struct {
	Replace float64 // a word by another, from the candidates between its neighbours
	Insert  float64 // a word between two others
	Delete  float64 // a word
	Swap    float64 // two words anywhere
	Shift   float64 // a word to another place
	Gibbs   float64 // a word by a draw from the target among the candidates between its neighbours, a full conditional where these are all words
	Pair    float64 // two words anywhere by others, for conditions that tie words to each other
	Group   float64 // the words of a rhyme by those of another, where the target has a [Template] with rhymes
}

// The kinds of moves, by their place in Moves.
const (
	replaceMove = iota
	insertMove
	deleteMove
	swapMove
	shiftMove
	gibbsMove
	pairMove
	groupMove
	moveKinds
)

// MoveNames are the names of the moves, in the order in which a [Walk] counts them.
func MoveNames() []string {
	return []string{"replace", "insert", "delete", "swap", "shift", "gibbs", "pair", "group"}
}

// Sentences are the moves for sentences of any length.
func Sentences() Moves {
	return Moves{Replace: 0.4, Insert: 0.2, Delete: 0.2, Swap: 0.05, Shift: 0.05, Gibbs: 0.1}
}

// FixedLength are the moves for sentences whose length is given.
func FixedLength() Moves {
	return Moves{Replace: 0.6, Swap: 0.05, Shift: 0.05, Gibbs: 0.2, Pair: 0.1}
}

func (m Moves) shares() [moveKinds]float64 {
	return [moveKinds]float64{m.Replace, m.Insert, m.Delete, m.Swap, m.Shift, m.Gibbs, m.Pair, m.Group}
}
