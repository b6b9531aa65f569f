package corpus

import (
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// lineTexts reads one document a line.
func lineTexts(from *input) func(t *texts) error {
	return eachLine(from, func(in *lines, t *texts) error {
		if err := t.add(in, in.Text, 0); err != nil {
			return err
		}
		return t.end(in, "")
	})
}

// malletTexts reads a document a line: its name, a label and the text, with blanks between. Empty lines are none.
func malletTexts(from *input) func(t *texts) error {
	return eachLine(from, func(in *lines, t *texts) error {
		if skip(in.Text, 0) == len(in.Text) {
			return nil
		}
		return malletText(in, t)
	})
}

// eachLine gives take every line of the input.
func eachLine(from *input, take func(in *lines, t *texts) error) func(t *texts) error {
	return func(t *texts) error {
		in, err := from.lines()
		if err != nil {
			return err
		}
		defer in.close()
		for {
			ok, err := in.next()
			if err != nil || !ok {
				return err
			}
			if err := take(in, t); err != nil {
				return err
			}
		}
	}
}

func malletText(in *lines, t *texts) error {
	at := skip(in.Text, 0)
	name := field(in.Text, at)
	if k := invalid(name); k >= 0 {
		return in.utf8()
	}
	at = skip(in.Text, at+len(name))
	label := field(in.Text, at)
	if len(label) == 0 {
		return in.fault(len(in.Text), "the line ends after %s; it should have the name of a document, a label and the text. For documents without these, the format is lines", wording.Quote(name))
	}
	at += len(label)
	text := string(name)
	if err := t.add(in, in.Text[at:], at); err != nil {
		return err
	}
	return t.end(in, text)
}
