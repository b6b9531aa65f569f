package ngram

import "context"

// ScoreFileBy is ScoreFile for another kind of model, which sentence asks; characters makes a word of every character.
func ScoreFileBy(ctx context.Context, path string, characters bool, sentence func(words []string) (Score, error), each func(text []byte, s Score) error) (sum Score, err error) {
	in, close, err := openLines(path)
	if err != nil {
		return sum, err
	}
	defer close()
	var words []string
	for {
		if ctx.Err() != nil {
			return sum, ctx.Err()
		}
		ok, err := in.next()
		if err != nil || !ok {
			return sum, err
		}
		words = words[:0]
		for s := (scanner{text: in.Text, characters: characters}); s.next(); {
			words = append(words, string(s.word))
		}
		one, err := sentence(words)
		if err != nil {
			return sum, in.caused("the sentence has no score", err)
		}
		sum.Add(one)
		if each == nil {
			continue
		}
		if err := each(in.Text, one); err != nil {
			return sum, err
		}
	}
}
