// Package ngram trains and reads n-gram language models.
//
// A model of order N gives a word w after the words h before it, of which the last N−1 count, the interpolated probability of
// modified Kneser–Ney smoothing (Chen and Goodman 1998, "An empirical study of smoothing techniques for language modeling", section 4.1.6)
//
//	p(w | h) = (a(hw) − D(a(hw))) / Σ_v a(hv) + γ(h) p(w | h'),
//
// where h' is h without its first word, and the last of them, p(w | no words before), is interpolated with 1/(V−1) for each of the V words of the
// vocabulary but the begin of a sentence. a is the adjusted count: how often a sequence of N words, or one that begins a sentence, occurs, and for
// every other in how many words' company it does, as the number of different words before it. The discounts of each order are
//
//	Y = t₁/(t₁ + 2t₂),  D(k) = k − (k+1) Y t_{k+1}/t_k for k = 1, 2, 3 and D(k) = D(3) for k > 3,
//
// where t_k sequences have the adjusted count k, and γ(h) makes the sum 1:
//
//	γ(h) = Σ_k D(k) · |{v : a(hv) = k}| / Σ_v a(hv).
//
// What Chen and Goodman leave open is as in KenLM (Heafield, Pouzyrevsky, Clark and Koehn 2013, "Scalable modified Kneser–Ney language model
// estimation"): the end of a sentence is a word, the begin is a context only, the unknown word has the count 0 and the probability γ/(V−1).
// Where an order's discounts do not exist, because no sequence has the count 1, 2 or 3, or a discount lies outside [0, k], they are ½, 1 and 3/2.
//
// Stored are, as in the ARPA format, log10 p(w | h) of each sequence that occurs and log10 γ of each that is followed by words: the probability of a sequence that
// does not occur is γ(h) p(w | h').
package ngram
