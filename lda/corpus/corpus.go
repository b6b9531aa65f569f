// Package corpus holds collections of documents as sequences of word numbers, and reads them from the formats in
// which topic models find them.
//
// [Read] and [ReadFile] read a collection into memory in one pass, in any [Format], in gzip or not. [Rules] say what counts as a
// word of a text ([Tokenise] defines it) and which words are kept. What is wrong with a file is an [*Error] with its
// line and column; what could be mended is among the warnings. [Pack] compiles a collection that is larger than memory into a file,
// which [OpenPacked] maps. [Corpus.WriteUCI], [Corpus.WriteLDAC] and [Corpus.WriteVocabulary] write what other programs read.
package corpus

import "fmt"

// Corpus is a collection of documents over a vocabulary. The tokens of a document follow one another; a bag of words
// has them in the order of their words.
type Corpus struct {
	Vocabulary []string // the words; nil where only their number is known
	Documents  []string // names of the documents; nil where they have none
	Words      int      // size of the vocabulary
	Starts     []int64  // the tokens of document d are Tokens[Starts[d]:Starts[d+1]]; its length is that of the collection plus 1
	Tokens     []int32  // the word of each token, from 0 to Words − 1
	LeftOut    int64    // tokens of words that the reader or KeepTo found, and left out
	Bag        bool     // the order of the tokens in a document says nothing
}

// Len is the number of documents.
func (c *Corpus) Len() int { return len(c.Starts) - 1 }

// Document is the tokens of document d.
func (c *Corpus) Document(d int) []int32 { return c.Tokens[c.Starts[d]:c.Starts[d+1]] }

// Check tells what keeps c from being a corpus: starts that do not rise from 0 to the number of tokens, a word that is
// not in the vocabulary, or names in another number than what they name.
func (c *Corpus) Check() error {
	if len(c.Starts) == 0 || c.Starts[0] != 0 || c.Starts[c.Len()] != int64(len(c.Tokens)) {
		return fmt.Errorf("corpus: the documents do not begin at 0 and end at token %d", len(c.Tokens))
	}
	for d := range c.Len() {
		if c.Starts[d+1] < c.Starts[d] {
			return fmt.Errorf("corpus: document %d ends before it begins", d+1)
		}
	}
	for i, w := range c.Tokens {
		if w < 0 || int(w) >= c.Words {
			return fmt.Errorf("corpus: token %d is word %d of %d", i+1, w+1, c.Words)
		}
	}
	if c.Vocabulary != nil && len(c.Vocabulary) != c.Words {
		return fmt.Errorf("corpus: %d names for %d words", len(c.Vocabulary), c.Words)
	}
	if c.Documents != nil && len(c.Documents) != c.Len() {
		return fmt.Errorf("corpus: %d names for %d documents", len(c.Documents), c.Len())
	}
	return nil
}
