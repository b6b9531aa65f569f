package corpus

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/turkish"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// stemmers are compiled from Snowball's own definitions.
var stemmers = map[string]func(*snowballstem.Env) bool{
	"danish": danish.Stem, "dutch": dutch.Stem, "english": english.Stem, "finnish": finnish.Stem, "french": french.Stem,
	"german": german.Stem, "hungarian": hungarian.Stem, "italian": italian.Stem, "norwegian": norwegian.Stem,
	"portuguese": portuguese.Stem, "romanian": romanian.Stem, "russian": russian.Stem, "spanish": spanish.Stem,
	"swedish": swedish.Stem, "turkish": turkish.Stem,
}

// Stemmers are the languages whose words can be stemmed.
func Stemmers() []string { return slices.Sorted(maps.Keys(stemmers)) }

// longestStemmed is how many bytes a word may have that is stemmed: longer ones are no words of a language.
const longestStemmed = 200

// stemmer finds the stem of a word.
func stemmer(language string) (func(string) string, error) {
	if language == "" {
		return nil, nil
	}
	stem := stemmers[strings.ToLower(language)]
	if stem == nil {
		known := Stemmers()
		if near := wording.Nearest(language, known); near != "" {
			return nil, fmt.Errorf("corpus: no stemmer for %s; did you mean %s?", wording.Quote(language), near)
		}
		return nil, fmt.Errorf("corpus: no stemmer for %s; there is one for %s", wording.Quote(language), strings.Join(known, ", "))
	}
	env := snowballstem.NewEnv("")
	return func(word string) string {
		if len(word) > longestStemmed {
			return word
		}
		env.SetCurrent(word)
		stem(env)
		if env.Current() == "" {
			return word
		}
		return strings.Clone(env.Current())
	}, nil
}
