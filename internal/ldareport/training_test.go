package ldareport

import (
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/report"
)

// As many words of a topic are shown as fit, and of many topics the first.
func TestTrainingFits(t *testing.T) {
	r := &Training{Tokens: 200, Topics: 60}
	for range 60 {
		r.Top = append(r.Top, Topic{Tokens: 50, Words: []string{"lighthouse", "harbour", "anchor", "trawler"}})
	}
	var b strings.Builder
	if err := r.Write(&b, report.Screen{Width: 48}); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if !strings.Contains(text, "25.0 %    0.00  lighthouse harbour\n") || !strings.Contains(text, "and 10 more topics") || strings.Count(text, "harbour") != 50 {
		t.Errorf("%s", text)
	}
	b.Reset()
	if err := r.Write(&b, report.Screen{}); err != nil || !strings.Contains(b.String(), "lighthouse harbour anchor trawler\n") {
		t.Errorf("%v %s", err, b.String())
	}
}
