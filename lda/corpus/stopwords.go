package corpus

import (
	_ "embed"
	"strings"
)

//go:embed english.txt
var englishStopWords string

// EnglishStopWords are words of English that say nothing of a text's topics.
func EnglishStopWords() []string { return stopWords(englishStopWords) }

// ReadStopWords reads a file of words to leave out: as many a line as one likes, and what follows # is a comment.
func ReadStopWords(path string) ([]string, error) {
	in, err := (&input{name: path, path: path}).lines()
	if err != nil {
		return nil, err
	}
	defer in.close()
	var list []string
	for {
		ok, err := in.next()
		if err != nil || !ok {
			return list, err
		}
		if err := in.utf8(); err != nil {
			return nil, err
		}
		list = append(list, stopWords(string(in.Text))...)
	}
}

func stopWords(text string) (list []string) {
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		list = append(list, strings.Fields(line)...)
	}
	return list
}

// without is the set of words that are left out: as they are given in lower case, and as a text would have them.
func without(list []string) map[string]bool {
	set := make(map[string]bool, len(list))
	for _, w := range list {
		set[strings.ToLower(w)] = true
		if words := Tokenise(w); len(words) == 1 {
			set[words[0]] = true
		}
	}
	return set
}
