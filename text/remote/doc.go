// Package remote has language models that a server computes, such as a neural network's, and serves models of this module to others.
//
// The protocol is two requests with JSON. Words are numbers from 0; logarithms are natural.
//
//	GET  URL/model
//	     {"words": ["<unk>", "<s>", "</s>", "the", …], "begin": 1, "end": 2, "unknown": 0, "order": 0}
//	POST URL/log-probs
//	     {"queries": [{"text": [1, 3, 7, 2], "from": 1}, …]}
//	     {"log_probs": [[-2.1, -4.7, -0.3], …]}
//
// A query asks for log p(text[i] | text[0], …, text[i−1]) for i from from to the end of text, and gets as many numbers, 0 or less; null stands
// for −∞, a probability of 0. unknown is null where every word must be of the vocabulary; order is how many words the longest dependence has, 0 for all.
// Any other answer than status 200 is an error, whose text is shown.
//
// A seed gives the same draws as long as the server gives the same numbers.
package remote
