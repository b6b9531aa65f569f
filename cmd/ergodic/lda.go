package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/ergodic-mcmc/ergodic/lda/corpus"
)

type ldaCmd struct {
	Train    ldaTrainCmd    `cmd:"" name:"train" help:"Find the topics of a collection of documents."`
	Pack     ldaPackCmd     `cmd:"" name:"pack" help:"Compile a collection into a file that is mapped into memory."`
	Summary  ldaSummaryCmd  `cmd:"" name:"summary" help:"Show what trainings found, and compare the likelihoods of several."`
	Infer    ldaInferCmd    `cmd:"" name:"infer" help:"Find the topics of new documents."`
	Evaluate ldaEvaluateCmd `cmd:"" name:"evaluate" help:"Estimate how likely new documents are."`
	Topics   ldaTopicsCmd   `cmd:"" name:"topics" help:"Print the topics of a finished run."`
}

// ldaReadFlags say how a collection is read. nil is a flag not given.
type ldaReadFlags struct {
	Format *corpus.Format `help:"uci, ldac, mallet, lines, csv or folder; default: by the name and what the file begins with." placeholder:"NAME" json:"format,omitempty"`
	Vocab  *string        `help:"Words of a bag of words, one a line; default: the file beside a docword that is called vocab." placeholder:"FILE" json:"vocab,omitempty"`
	Text   *string        `help:"Column of a CSV file that holds the text (text)." placeholder:"COLUMN" json:"text,omitempty"`
	Name   *string        `help:"Column of a CSV file that names the documents." placeholder:"COLUMN" json:"name,omitempty"`
}

// settings are those of the reader.
func (f *ldaReadFlags) settings() corpus.Settings {
	return corpus.Settings{Format: given(f.Format, corpus.Auto), Vocabulary: given(f.Vocab, ""), TextColumn: given(f.Text, ""), NameColumn: given(f.Name, "")}
}

// ldaCorpusFlags say besides which words are kept. They are kept for --resume.
type ldaCorpusFlags struct {
	ldaReadFlags
	StopWords    *string           `help:"Words to leave out: english, or a file of one a line." placeholder:"WHICH" json:"stop_words,omitempty"`
	MinLength    *int              `help:"Characters that a word must have." placeholder:"N" json:"min_length,omitempty"`
	Stem         *string           `help:"Language of the Snowball stemmer." placeholder:"LANGUAGE" json:"stem,omitempty"`
	MinDocuments *corpus.Frequency `help:"Documents that a word must be in: a number, or a share such as 1%." placeholder:"N" json:"min_documents,omitempty"`
	MaxDocuments *corpus.Frequency `help:"Documents that a word may be in: a number, or a share such as 50%." placeholder:"N" json:"max_documents,omitempty"`
	RemoveTop    *int              `help:"Leave out the N most frequent words that are left." placeholder:"N" json:"remove_top,omitempty"`
	Phrases      *int              `help:"Join neighbours that occur together more often than chance: 1 makes phrases of two words, 2 of up to four (0)." placeholder:"ROUNDS" json:"phrases,omitempty"`
	PhraseCount  *int              `help:"Times that a phrase must occur (10)." placeholder:"N" json:"phrase_count,omitempty"`
	PhraseNPMI   *float64          `name:"phrase-npmi" help:"Normalised mutual information that a phrase must have, from -1 to 1 (0.5)." placeholder:"X" json:"phrase_npmi,omitempty"`
}

// settings are those of the reader.
func (f *ldaCorpusFlags) settings() (corpus.Settings, error) {
	set := f.ldaReadFlags.settings()
	set.Rules = corpus.Rules{MinLength: given(f.MinLength, 0), Stem: given(f.Stem, ""), RemoveTop: given(f.RemoveTop, 0),
		MinDocuments: given(f.MinDocuments, corpus.Frequency{}), MaxDocuments: given(f.MaxDocuments, corpus.Frequency{})}
	set.Rules.Phrases = corpus.Phrases{Rounds: given(f.Phrases, 0), MinCount: given(f.PhraseCount, 0), MinNPMI: given(f.PhraseNPMI, 0.5)}
	var err error
	switch which := given(f.StopWords, ""); which {
	case "":
	case "english":
		set.Rules.StopWords = corpus.EnglishStopWords()
	default:
		set.Rules.StopWords, err = corpus.ReadStopWords(which)
	}
	return set, err
}

// read reads the collection, or maps it where it is packed; done lets go of it.
func (f *ldaCorpusFlags) read(path string) (c *corpus.Corpus, digest string, warnings []string, done func(), err error) {
	if corpus.IsPacked(path) {
		if *f != (ldaCorpusFlags{}) {
			return nil, "", nil, nil, usage("lda: %s is packed, and says itself what its words are; leave out the flags of the collection", path)
		}
		p, err := corpus.OpenPacked(path)
		if err != nil {
			return nil, "", nil, nil, err
		}
		return &p.Corpus, p.Digest(), nil, func() { p.Close() }, nil
	}
	set, err := f.settings()
	if err != nil {
		return nil, "", nil, nil, err
	}
	if c, warnings, err = corpus.ReadFile(path, set); err != nil {
		if !strings.Contains(err.Error(), path) {
			err = fmt.Errorf("%s: %w", path, err)
		}
		return nil, "", nil, nil, err
	}
	return c, c.Digest(), warnings, func() {}, nil
}

type ldaPackCmd struct {
	Corpus string `arg:"" help:"The collection: UCI's docword, LDA-C, MALLET's lines, a document a line, CSV, or a folder of texts; gzip or not."`
	Out    string `help:"The packed file." required:"" placeholder:"FILE"`
	Force  bool   `help:"Overwrite a file."`
	ldaCorpusFlags
}

// Run packs a collection.
func (c *ldaPackCmd) Run() error {
	if !c.Force && exists(c.Out) {
		return fmt.Errorf("%s exists; choose another --out, or overwrite it with --force", c.Out)
	}
	set, err := c.settings()
	if err != nil {
		return err
	}
	warnings, err := corpus.Pack(c.Out, c.Corpus, set)
	for _, w := range warnings {
		say("warning: " + w)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(os.Stdout, "wrote %s\n", c.Out)
	return err
}
