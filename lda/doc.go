// Package lda samples the topics of latent Dirichlet allocation (Blei, Ng and Jordan, 2003). A document d has shares of K
// topics from a Dirichlet distribution with parameter α, a topic k has shares of V words from a symmetric one with
// parameter β; each token takes a topic z from its document's shares and a word from its topic's. With the shares
// integrated out (Griffiths and Steyvers, 2004) what is left is the topics of the tokens, and
//
//	P(z_di = k | all others) ∝ (n_dk + α_k) (n_kw + β) / (n_k + Vβ),
//
// where w is the token's word, n_dk, n_kw and n_k count the tokens of topic k in document d, of word w and in all, and all
// counts leave out the token di itself. Wherever counts do so, they carry the sign ¬: n¬_dk.
//
// A [Model] holds the topics, a [Sampler] moves them; one may follow another on the same model. Four are exact and differ
// in speed alone, the fifth is the fastest and approximate:
//
//	gibbs   draws from the conditional distribution in O(K); slow, the oracle of the others
//	sparse  the same draw in O(K_d + K_w), the topics of the document and of the word (Yao, Mimno and McCallum, 2009)
//	alias   Metropolis–Hastings from a mixture of the document's topics and an alias table, O(K_d) (Li et al., 2014)
//	light   Metropolis–Hastings from word and document in turn, O(1) (Yuan et al., 2015)
//	warp    as light, with counts that are late by up to a sweep; O(1) and friendly to caches (Chen et al., 2016)
//
// A [Fitted] is what training leaves: it finds the topics of new documents ([Fitted.Infer]) and how likely they are
// ([Fitted.Evaluate]).
//
// Every document, and for warp every word, has in each sweep a random stream of its own, named by the seed, the method, the
// number of the sweep and its place. So the draws do not depend on the number of threads, and the topics with the number of
// sweeps are all that a run needs to go on.
package lda
