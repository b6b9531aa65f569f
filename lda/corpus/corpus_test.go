package corpus

import "testing"

func TestCheck(t *testing.T) {
	good := Corpus{Vocabulary: []string{"a", "b"}, Documents: []string{"x", "y"}, Words: 2, Starts: []int64{0, 2, 3}, Tokens: []int32{0, 1, 1}}
	if err := good.Check(); err != nil || good.Len() != 2 || len(good.Document(1)) != 1 {
		t.Fatalf("%v", err)
	}
	for name, bad := range map[string]func(c *Corpus){
		"no documents":        func(c *Corpus) { c.Starts = nil },
		"another end":         func(c *Corpus) { c.Starts = []int64{0, 2, 4} },
		"an end before":       func(c *Corpus) { c.Starts = []int64{0, 4, 3} },
		"a word too many":     func(c *Corpus) { c.Tokens = []int32{0, 1, 2} },
		"a word below":        func(c *Corpus) { c.Tokens = []int32{0, -1, 1} },
		"words without names": func(c *Corpus) { c.Vocabulary = []string{"a"} },
		"a name too many":     func(c *Corpus) { c.Documents = []string{"x", "y", "z"} },
	} {
		c := good
		if bad(&c); c.Check() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
