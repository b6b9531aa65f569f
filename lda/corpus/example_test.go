package corpus_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ergodic-mcmc/ergodic/lda/corpus"
)

// A bag of words in UCI's form: three documents, four words, five entries.
const docword = "3\n4\n5\n1 1 2\n1 3 1\n2 2 1\n2 3 1\n3 4 6\n"

func ExampleRead() {
	words, _, err := corpus.ReadVocabulary(strings.NewReader("gibbs\nslice\nsampler\nkernel\n"), "vocab.txt")
	if err != nil {
		fmt.Println(err)
		return
	}
	c, _, err := corpus.Read(strings.NewReader(docword), corpus.Settings{Name: "docword.txt", Fixed: words})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Len(), "documents,", len(c.Tokens), "tokens")
	for _, w := range c.Document(0) {
		fmt.Print(c.Vocabulary[w], " ")
	}
	// Output:
	// 3 documents, 11 tokens
	// gibbs gibbs sampler
}

func ExampleRead_lines() {
	text := "The chain mixes slowly.\nA slow chain\n\nSlow mixing, and slower mixing"
	c, warnings, err := corpus.Read(strings.NewReader(text), corpus.Settings{Format: corpus.Lines, Rules: corpus.Rules{
		StopWords:    corpus.EnglishStopWords(),
		Stem:         "english",
		MinDocuments: corpus.Frequency{Documents: 2},
	}})
	fmt.Println(c.Vocabulary, c.Tokens, err)
	fmt.Println(warnings)
	// Output:
	// [chain mix slow] [0 1 2 0 2 1 1] <nil>
	// [1 of 4 documents has no words; they are kept, and say nothing of topics]
}

func ExampleRead_csv() {
	c, _, err := corpus.Read(strings.NewReader("id,body\n7,burn in\n8,\"thin, then burn\"\n"),
		corpus.Settings{Format: corpus.CSV, TextColumn: "body", NameColumn: "id"})
	fmt.Println(c.Documents, c.Vocabulary, c.Tokens, err)
	// Output: [7 8] [burn in thin then] [0 1 2 3 0] <nil>
}

func ExampleRead_faults() {
	for _, text := range []string{"3\n4\n5\n1 1 2\n1 5 1\n", "3\n4\n5\n1 1 2\n", "3\n4\n5\n1 1 0.25\n"} {
		_, _, err := corpus.Read(strings.NewReader(text), corpus.Settings{Name: "docword.txt"})
		fmt.Println(err)
	}
	_, _, err := corpus.Read(strings.NewReader("id,body\n7,burn in\n"), corpus.Settings{Name: "a.csv", TextColumn: "boby"})
	fmt.Println(err)
	// Output:
	// docword.txt:5:3: word 5: line 2 of the file announces 4
	// docword.txt:4: the third line of the file announces 5 entries, and it ends after 1: it is cut short, or the line is wrong
	// docword.txt:4:5: "0.25" is not written as a whole number (topic models are for counts of words, not for weights such as tf–idf); the count belongs here
	// a.csv:1: no column is called "boby"; did you mean "body"?
}

func ExamplePhrases() {
	text := strings.Repeat("a hidden markov model\nthe hidden markov model of speech\nhidden costs\n", 10)
	c, _, err := corpus.Read(strings.NewReader(text), corpus.Settings{Format: corpus.Lines, Rules: corpus.Rules{
		StopWords: corpus.EnglishStopWords(),
		Phrases:   corpus.Phrases{Rounds: 2, MinNPMI: 0.5},
	}})
	fmt.Println(c.Vocabulary, err)
	// Output: [hidden_markov_model speech hidden_costs] <nil>
}

func ExampleTokenise() {
	fmt.Printf("%q\n", corpus.Tokenise("Don’t re-run B2B's 2 CHAINS -- Gelman–Rubin: R̂ < 1.01"))
	// Output: ["don't" "re-run" "b2b's" "2" "chains" "gelman" "rubin" "r̂" "1" "01"]
}

func ExampleCorpus_WriteUCI() {
	c := corpus.Corpus{Words: 4, Starts: []int64{0, 3, 5, 11}, Tokens: []int32{0, 2, 0, 1, 2, 3, 3, 3, 3, 3, 3}}
	var b bytes.Buffer
	if err := c.WriteUCI(&b); err != nil {
		fmt.Println(err)
	}
	fmt.Println(b.String() == docword)
	if err := c.WriteLDAC(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// true
	// 2 0:2 2:1
	// 2 1:1 2:1
	// 1 3:6
}

// A collection that memory does not hold is packed once, and opened without being read into memory.
func ExamplePack() {
	dir, err := os.MkdirTemp("", "pack")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	from, to := filepath.Join(dir, "docword.txt"), filepath.Join(dir, "docword.packed")
	if err := os.WriteFile(from, []byte(docword), 0o666); err != nil {
		fmt.Println(err)
		return
	}
	if _, err := corpus.Pack(to, from, corpus.Settings{}); err != nil {
		fmt.Println(err)
		return
	}
	p, err := corpus.OpenPacked(to)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer p.Close()
	fmt.Println(p.Len(), p.Words, p.Tokens[p.Starts[2]:])
	fmt.Println(p.Digest()[:16], p.Digest() == p.Corpus.Digest())
	// Output:
	// 3 4 [3 3 3 3 3 3]
	// a2aeddd423f09168 true
}
