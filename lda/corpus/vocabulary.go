package corpus

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// ReadVocabulary reads the words of a bag of words: one a line, of which the first is word 0 or, in UCI's files, 1. Blanks
// around a word are no part of it. Empty lines and bytes that are not UTF-8 are errors; words that are there twice
// are two words, and a warning.
func ReadVocabulary(r io.Reader, name string) (words, warnings []string, err error) {
	return readVocabulary(&input{name: name, stream: r})
}

func readVocabulary(from *input) (words, warnings []string, err error) {
	in, err := from.lines()
	if err != nil {
		return nil, nil, err
	}
	defer in.close()
	empty := 0 // the first empty line, if only such follow
	for {
		ok, err := in.next()
		if err != nil {
			return nil, nil, err
		}
		if !ok {
			break
		}
		word := strings.TrimSpace(string(in.Text))
		if word == "" && empty == 0 {
			empty = in.Line
		}
		if word == "" {
			continue
		}
		if empty > 0 {
			return nil, nil, &Error{File: in.name, Line: empty, Msg: "the line is empty, and words follow; a vocabulary has one word in every line"}
		}
		if err := in.utf8(); err != nil {
			return nil, nil, err
		}
		if words, err = memory.Append(words, word); err != nil {
			return nil, nil, in.full(err)
		}
	}
	if len(words) == 0 {
		return nil, nil, in.atEnd("the file is empty; it should hold the vocabulary, one word a line")
	}
	return words, repeated(words, in.name), nil
}

// repeated warns of words that are there twice.
func repeated(words []string, name string) []string {
	first := make(map[string]int, len(words))
	times, second := 0, 0
	for k, w := range words {
		if _, there := first[w]; !there {
			first[w] = k
			continue
		}
		if times++; times == 1 {
			second = k
		}
	}
	if times == 0 {
		return nil
	}
	w := words[second]
	more := ""
	if times > 1 {
		more = fmt.Sprintf(", and %d more are there again", times-1)
	}
	return []string{fmt.Sprintf("%s:%d: %s is already the word of line %d%s; each counts as a word of its own", name, second+1, wording.Quote(w), first[w]+1, more)}
}

// beside looks for the vocabulary that belongs to a docword file: vocab.kos.txt for docword.kos.txt.gz, with or without .gz.
func beside(path string) string {
	base := filepath.Base(path)
	if !strings.Contains(base, "docword") {
		return ""
	}
	plain := strings.TrimSuffix(strings.Replace(base, "docword", "vocab", 1), ".gz")
	for _, name := range []string{plain, plain + ".gz"} {
		full := filepath.Join(filepath.Dir(path), name)
		if info, err := os.Stat(full); err == nil && info.Mode().IsRegular() {
			return full
		}
	}
	return ""
}
