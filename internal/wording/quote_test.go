package wording

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestQuote(t *testing.T) {
	for s, want := range map[string]string{
		"":                             `""`,
		"slice":                        `"slice"`,
		`a "b" \`:                      `"a \"b\" \\"`,
		"\x1b[31m\x00\n\u202e":         `"\x1b[31m\x00\n\u202e"`,
		"\xff":                         `"\xff"`,
		"λ":                            `"λ"`,
		strings.Repeat("a", 80):        `"` + strings.Repeat("a", 80) + `"`,
		strings.Repeat("a", 81):        `"` + strings.Repeat("a", 40) + "…" + strings.Repeat("a", 39) + `"`,
		strings.Repeat("é", 1e6):       `"` + strings.Repeat("é", 40) + "…" + strings.Repeat("é", 39) + `"`,
		"a" + strings.Repeat("𝛼", 1e5): `"a` + strings.Repeat("𝛼", 39) + "…" + strings.Repeat("𝛼", 39) + `"`,
	} {
		if got := Quote(s); got != want {
			t.Errorf("%.100q: %s, not %s", s, got, want)
		}
	}
}

func TestBrief(t *testing.T) {
	for s, want := range map[string]string{
		`C:\my "data".R`: `C:\my "data".R`,
		"a\x1b]0;b\a\r":  `a\x1b]0;b\a\r`,
		"\xe2\x82":       `\xe2\x82`,
		"�":              "�",
		strings.Repeat("/folder", 20) + "/draws.csv": strings.Repeat("/folder", 6)[:40] + "…" + strings.Repeat("/folder", 5)[6:] + "/draws.csv",
	} {
		if got := Brief(s); got != want {
			t.Errorf("%q: %s, not %s", s, got, want)
		}
	}
	if got := Brief([]byte("a\tb")); got != `a\tb` {
		t.Error(got)
	}
}

func TestText(t *testing.T) {
	if got := Text("a.R:1:2: \x1b[2J\r\n\t^\u200b…"); got != `a.R:1:2: \x1b[2J\r`+"\n\t^"+`\u200b…` {
		t.Errorf("%q", got)
	}
}

func FuzzBrief(f *testing.F) {
	f.Add("a\x00" + strings.Repeat("\xf0", 500))
	f.Fuzz(func(t *testing.T, s string) {
		for _, got := range []string{Brief(s), Quote(s)} {
			if utf8.RuneCountInString(got) > most+2 || !utf8.ValidString(got) || strings.ContainsFunc(got, func(r rune) bool { return r < ' ' || r == 0x7f }) {
				t.Errorf("%q: %q", s, got)
			}
		}
	})
}
