// Package text samples sentences from language models under constraints, by Metropolis–Hastings over sentences.
package text

import "iter"

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

// Paired is a model that lists the pairs of words that it knows beside each other: those of its training text. From their probabilities
// the moves of this package know which words go between two others; without pairs they propose by the words' own probabilities alone.
type Paired interface {
	Model
	// Pairs are the pairs in a fixed order, each once. Begin may be a first word, End a second.
	Pairs() iter.Seq2[int32, int32]
}

// Stateful is a model in which all that counts of the words before is a number: sentences are scored word by word without looking back.
type Stateful interface {
	Model
	// Start is the state after Begin.
	Start() uint32
	// Next is LogProb of a word in a state, and the state after it.
	Next(state uint32, word int32) (logProb float64, next uint32)
}

// Whole is a model that tells the log probabilities of all words of a sentence at once, as one that takes long to ask.
type Whole interface {
	Model
	// LogProbs fills out with LogProb of text[from], text[from+1], …, each given all words before it.
	LogProbs(text []int32, from int, out []float64)
}
