package corpus

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// source gives the documents of a collection, as often as it is asked.
type source interface {
	// each calls take with the name and the tokens of every document in turn; their memory is used again. left
	// may stand between the tokens of a sequence.
	each(take func(name string, tokens []int32) error) error
	sequence() bool // tokens stand as in the text
	names() bool    // documents have names
	// vocabulary is the words, nil where they have no names, and their number. It is there after a pass.
	vocabulary() ([]string, int)
	warnings() []string // of the last pass
}

// collection is a collection to read.
type collection struct {
	set Settings
	source
	warned []string // before the first pass
}

// fromFile opens the collection at path; ordered is for those that are read more than once and entry by entry.
func fromFile(path string, set Settings, ordered bool) (*collection, error) {
	if set.Name == "" {
		set.Name = path
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		if set.Format != Auto && set.Format != Folder {
			return nil, &Error{File: path, Msg: fmt.Sprintf("this is a folder, and the format %v is that of a file", set.Format)}
		}
		read, err := folderTexts(path)
		if err != nil {
			return nil, err
		}
		set.Format = Folder
		return fromTexts(&texts{read: read, named: true}, set)
	}
	if set.Format == Folder {
		return nil, &Error{File: path, Msg: "this is a file, and the format folder is that of a folder"}
	}
	return fromInput(&input{name: set.Name, path: path}, set, ordered)
}

// fromInput opens a collection that is in one file.
func fromInput(in *input, set Settings, ordered bool) (*collection, error) {
	head, err := in.peek()
	if err != nil {
		return nil, err
	}
	c, err := fromHead(in, head, set, ordered)
	if err != nil {
		in.forget()
	}
	return c, err
}

func fromHead(in *input, head []byte, set Settings, ordered bool) (*collection, error) {
	switch {
	case len(head) == 0:
		return nil, &Error{File: in.name, Msg: "the file is empty; it should hold a collection of documents"}
	case strings.HasPrefix(string(head), kind.Line()):
		return nil, &Error{File: in.name, Msg: "this is a packed collection already; where it is gzip'ed, gunzip it"}
	}
	if set.Format == Auto {
		set.Format = detect(in.name, head)
	}
	switch set.Format {
	case UCI, LDAC:
		return fromBag(in, set, ordered)
	case Mallet:
		return fromTexts(&texts{read: malletTexts(in), named: true}, set)
	case Lines:
		return fromTexts(&texts{read: lineTexts(in)}, set)
	case CSV:
		c := &table{from: in, text: set.TextColumn, name: set.NameColumn, comma: ','}
		if strings.HasSuffix(strings.TrimSuffix(strings.ToLower(in.name), ".gz"), ".tsv") {
			c.comma = '\t'
		}
		return fromTexts(&texts{read: c.read, named: c.name != ""}, set)
	}
	return nil, fmt.Errorf("corpus: a stream cannot be of the format %v", set.Format)
}

func fromBag(in *input, set Settings, ordered bool) (*collection, error) {
	if set.Fixed != nil { // which has what the bag has of stems and phrases
		set.Rules.Stem, set.Rules.Phrases = "", Phrases{}
	}
	if set.Rules.Stem != "" || set.Rules.Phrases.Rounds > 0 {
		return nil, &Error{File: in.name, Msg: "stems and phrases are found in texts, and this is a bag of words"}
	}
	if set.Vocabulary == "" && set.Format == UCI && in.path != "" {
		set.Vocabulary = beside(in.path)
	}
	c := &collection{set: set}
	var words []string
	if set.Vocabulary != "" {
		var err error
		if words, c.warned, err = readVocabulary(&input{name: set.Vocabulary, path: set.Vocabulary}); err != nil {
			return nil, err
		}
	} else if set.Fixed != nil {
		words, set.Vocabulary = set.Fixed, "that is fixed"
	}
	if words == nil && (len(set.Rules.StopWords) > 0 || set.Rules.MinLength > 0) {
		return nil, &Error{File: in.name, Msg: "stop words and a least length of words need the words themselves; name the file of the vocabulary"}
	}
	if set.Format == UCI {
		c.source = &uci{in: in, known: words, named: set.Vocabulary, ordered: ordered}
	} else {
		c.source = &ldac{in: in, known: words, named: set.Vocabulary}
	}
	return c, nil
}

func fromTexts(t *texts, set Settings) (*collection, error) {
	if set.Vocabulary != "" {
		return nil, fmt.Errorf("corpus: the vocabulary %s is for a bag of words, and the format %v has its words in the texts", wording.Brief(set.Vocabulary), set.Format)
	}
	var err error
	t.numbers, err = newDictionary(set.Rules)
	t.pairs = set.Rules.Phrases.Rounds > 0
	return &collection{set: set, source: t}, err
}

// Read reads a collection from a stream, with the warnings that a user should see. What is wrong with the stream is an [*Error]
// that names the line and column; so is a collection that does not fit into the process's limit of memory, if it has
// one. Documents that have no words, or have none left, are kept and counted in a warning. Reading takes 8 bytes a token at its peak.
func Read(r io.Reader, set Settings) (c *Corpus, warnings []string, err error) {
	if set.Format == Folder {
		return nil, nil, errors.New("corpus: a stream cannot be of the format folder")
	}
	if err := set.Rules.check(); err != nil {
		return nil, nil, err
	}
	in, err := fromInput(&input{name: set.Name, stream: r}, set, false)
	if err != nil {
		return nil, nil, err
	}
	return in.load()
}

// ReadFile is Read for a file or, if the format is Folder, a folder.
func ReadFile(path string, set Settings) (c *Corpus, warnings []string, err error) {
	if err := set.Rules.check(); err != nil {
		return nil, nil, err
	}
	in, err := fromFile(path, set, false)
	if err != nil {
		return nil, nil, err
	}
	return in.load()
}
