package main

import (
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Jobs that write sentences.
const (
	textGenerateJob   = "text generate"
	textParaphraseJob = "text paraphrase"
	textCorrectJob    = "text correct"
	textFillJob       = "text fill"
	textComposeJob    = "text compose"
)

type textGenerateCmd struct {
	textWordFlags
	textLengthFlags
	textWalkFlags
	textRunFlags
}

type textParaphraseCmd struct {
	Sentence string `arg:"" optional:"" help:"The sentence, or --cases."`
	textWordFlags
	textLengthFlags
	textSourceFlags
	textWalkFlags
	textRunFlags
}

type textCorrectCmd struct {
	Sentence string   `arg:"" optional:"" help:"The sentence, or --cases."`
	Errors   *float64 `help:"Logarithm of how much less probable one more error makes the sentence (15); less rewrites more." placeholder:"X"`
	textLengthFlags
	textWalkFlags
	textRunFlags
}

type textFillCmd struct {
	Template string `arg:"" optional:"" help:"Words, _ for one word, * for any number of them; or --cases."`
	textWordFlags
	textLengthFlags
	textWalkFlags
	textRunFlags
}

type textComposeCmd struct {
	Form  string `arg:"" optional:"" help:"A file with the form of a verse: _ for a word, _TONE for one of a tone, _/A for one that rhymes with the others of /A, _TONE/A for both, and words; a line of it is a sentence of the model."`
	Tones string `help:"Tones and rhymes: a word, its tone and its rhyme a line." placeholder:"FILE"`
	textWordFlags
	textWalkFlags
	textRunFlags
}

// textWordFlags are conditions on words.
type textWordFlags struct {
	Keywords []string `help:"Words that must be in the sentence." placeholder:"WORDS" json:"keywords,omitempty"`
	Ordered  *bool    `help:"In the order of --keywords." json:"ordered,omitempty"`
	Forbid   []string `help:"Words that must not be in it." placeholder:"WORDS" json:"forbid,omitempty"`
	Soft     *float64 `help:"Keywords, and the places of a template or a form, may be missed, each at the cost of so much log probability; default: they must be met." placeholder:"X" json:"soft,omitempty"`
}

// textLengthFlags are conditions on the length.
type textLengthFlags struct {
	Length *string `help:"Words, as 5..12, or 8; default: 5..15, or near that of the sentence given." placeholder:"N" json:"length,omitempty"`
}

// textSourceFlags say what a paraphrase keeps.
type textSourceFlags struct {
	Overlap    *float64 `help:"Share of the sentence's words that must be kept, by their information (0.75)." placeholder:"P" json:"overlap,omitempty"`
	Edits      *string  `help:"Words that must differ, as 3..8, or 3; default: one in seven at least, and more at a cost." placeholder:"N" json:"edits,omitempty"`
	Vectors    string   `help:"Vectors of words, in the text format of word2vec or GloVe." placeholder:"FILE" json:"-"`
	Similarity *float64 `help:"Similarity of meaning that must be kept, by --vectors (0.7)." placeholder:"P" json:"similarity,omitempty"`
}

// textWalkFlags say how sentences are looked for.
type textWalkFlags struct {
	Method      *string  `help:"mh: Metropolis-Hastings; gibbs: full conditionals of single words at a fixed length; importance, rejection: independent draws, without a chain (mh)." placeholder:"NAME" json:"method,omitempty"`
	Temperature *float64 `help:"Of the model's log probabilities (1)." placeholder:"T" json:"temperature,omitempty"`
	Anneal      *float64 `help:"Let the temperature fall to this, toward the best sentence (0.2, where neither --temperature, --samples nor --replicas is given)." placeholder:"T" json:"anneal,omitempty"`
	Replicas    *int     `help:"Replicas of parallel tempering in each chain (1: none)." placeholder:"N" json:"replicas,omitempty"`
	Hottest     *float64 `help:"Temperature of the hottest replica (4 times the coldest)." placeholder:"T" json:"hottest,omitempty"`
	Chains      *int     `help:"Chains of each case (4)." placeholder:"N" json:"chains,omitempty"`
	Steps       *int     `help:"Steps of each chain, or draws without a chain (50000)." placeholder:"N" json:"steps,omitempty"`
	Warmup      *int     `help:"Of these, steps that samples and R-hat leave out (a fifth)." placeholder:"N" json:"warmup,omitempty"`
	Best        *int     `help:"Best sentences to show, all different (5)." placeholder:"N" json:"best,omitempty"`
	Samples     *int     `help:"Show so many draws of each chain, at equal distances, instead of the best." placeholder:"N" json:"samples,omitempty"`
	PerWord     *bool    `help:"The best are those of the greatest log probability per word." json:"per_word,omitempty"`
	Candidates  *int     `help:"Words in each list from which proposals come (64)." placeholder:"N" json:"candidates,omitempty"`
	Full        *bool    `help:"gibbs: look at the whole vocabulary instead of lists of candidates." json:"full,omitempty"`
}

// textRunFlags are the flags of every job that writes sentences.
type textRunFlags struct {
	LM     string  `name:"lm" help:"Language model: a file of text train, one in the ARPA format, gzip or not, or the http address of one on a server." placeholder:"FILE"`
	Chars  *bool   `help:"The words of a model in the ARPA format or on a server are characters; a file of text train says so itself."`
	Cases  string  `help:"Cases, one a line: the column keywords (parted by blanks or commas), sentence or template of a table with tabs and these names above, or else the first column." placeholder:"FILE"`
	Seed   *uint64 `help:"64-bit seed; drawn from the system and printed when not given."`
	Out    string  `help:"The run's folder; default TASK-run, with a number when that exists." placeholder:"DIR"`
	Strict bool    `help:"Exit with status 3 when a diagnostic warns."`
	resumable
	wideFlag
}

// textAsked is what a command asks for.
type textAsked struct {
	job     string
	what    string // that it needs, for messages
	column  string // of a file of cases
	text    string // a sentence, a template; empty: none
	form    string // files
	tones   string
	vectors string
	words   textWordFlags
	length  textLengthFlags
	source  textSourceFlags
	errors  *float64
	walk    textWalkFlags
}

// Run writes sentences with keywords.
func (c *textGenerateCmd) Run() error {
	return c.start(textAsked{job: textGenerateJob, column: "keywords", words: c.textWordFlags, length: c.textLengthFlags, walk: c.textWalkFlags})
}

// Run writes paraphrases.
func (c *textParaphraseCmd) Run() error {
	return c.start(textAsked{job: textParaphraseJob, what: "a sentence, or --cases", column: "sentence", text: c.Sentence, vectors: c.Vectors, words: c.textWordFlags, length: c.textLengthFlags,
		source: c.textSourceFlags, walk: c.textWalkFlags})
}

// Run corrects a sentence.
func (c *textCorrectCmd) Run() error {
	return c.start(textAsked{job: textCorrectJob, what: "a sentence, or --cases", column: "sentence", text: c.Sentence, length: c.textLengthFlags, errors: c.Errors, walk: c.textWalkFlags})
}

// Run fills a template.
func (c *textFillCmd) Run() error {
	return c.start(textAsked{job: textFillJob, what: "a template, or --cases", column: "template", text: c.Template, words: c.textWordFlags, length: c.textLengthFlags, walk: c.textWalkFlags})
}

// Run composes verse.
func (c *textComposeCmd) Run() error {
	return c.start(textAsked{job: textComposeJob, what: "the file of a form", column: "keywords", form: c.Form, tones: c.Tones, words: c.textWordFlags, walk: c.textWalkFlags})
}

func (c *textRunFlags) start(a textAsked) error {
	return noticed(c.Progress, func(v *job.Notices) error { return c.run(v, a) })
}

func (c *textRunFlags) run(v *job.Notices, a textAsked) error {
	there := c.LM != "" && (a.what == "" || a.text != "" || a.form != "" || c.Cases != "" && a.job != textComposeJob)
	what := "a language model by --lm"
	if a.what != "" {
		what += ", and " + a.what
	}
	if c.Cases != "" && a.text != "" {
		return usage("%s: --cases and %s on the command line: choose one", a.job, wording.Quote(wording.Brief(a.text)))
	}
	if err := c.check(a.job, what, there, c.Out); err != nil {
		return err
	}
	w := &writing{Run: &job.Run{Name: a.job, Version: version, Say: v}, cmd: c, asked: a, began: time.Now()}
	defer w.Close()
	if err := w.open(); err != nil {
		return err
	}
	defer func() {
		if w.model.close != nil {
			w.model.close()
		}
	}()
	if err := answered(w.load); err != nil {
		return err
	}
	if !w.Resumed {
		if err := w.Create(outFolder(c.Out, a.job[len("text "):]), c.Force, &w.spec); err != nil {
			return err
		}
	}
	return w.write()
}
