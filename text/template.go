package text

// Template is written below.
type Template struct{}

func (t *Target) rhyming() *Template { return nil }

func (k *Walk) group(s *Sentence, r interface{ Float64() float64 }) (float64, bool) { return 0, false }
