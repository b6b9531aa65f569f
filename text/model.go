// Package text samples sentences from language models under constraints, by Metropolis–Hastings over sentences.
package text

// Model is a language model over a vocabulary: a distribution over sentences, as a product of the probabilities of each word
// given those before it, with an end of sentence as the last. Words are numbers from 0 to Size−1. A Model is not changed by its use, and may be used by several goroutines.
type Model interface {
	// Size is the number of words, the special ones among them.
	Size() int
	// Word spells a word, Number finds it; ok is false where the vocabulary has it not.
	Word(number int32) string
	Number(word string) (number int32, ok bool)
	// Begin, End and Unknown are the special words: before and after each sentence, and for what the vocabulary has not; Unknown is −1
	// where the model has none.
	Begin() int32
	End() int32
	Unknown() int32
	// Order is the length of the longest dependence: a word depends on the Order−1 words before it; 0: on all.
	Order() int
	// LogProb is the natural logarithm of the probability of a word given the words before it in its sentence, Begin the first of them.
	LogProb(context []int32, word int32) float64
}
