package ldareport

import (
	"bytes"
	"encoding/json"
	"html"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ergodic-mcmc/ergodic/lda"
	"github.com/ergodic-mcmc/ergodic/lda/corpus"
)

// hostile are words that would end a script, begin a comment or a tag where they are not escaped.
var hostile = []string{"</script><b id=broken>", "<!--<script>", "\"'`${x}", "&lt;", "naïve\u2028line", "<img src=x onerror=console.error(1)>"}

// found is a model of 4 topics with 60 words, and what a training of it says.
func found(t *testing.T) (*Training, *lda.Fitted) {
	t.Helper()
	c := &corpus.Corpus{Words: 60, Starts: []int64{0}, Vocabulary: slices.Clone(hostile)}
	for w := len(hostile); w < c.Words; w++ {
		c.Vocabulary = append(c.Vocabulary, "word"+string(rune('0'+w/10))+string(rune('0'+w%10)))
	}
	var z []uint16
	for d := range 40 {
		for i := range 50 {
			k := (d + i/40) % 4
			c.Tokens = append(c.Tokens, int32((i*i*(1+k)/7+d%5*k+3*k*i)%60))
			z = append(z, uint16(k))
		}
		c.Starts = append(c.Starts, int64(len(c.Tokens)))
	}
	m, err := lda.New(c, lda.Settings{Alpha: lda.Symmetric(1, 4), Beta: 0.1, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.SetTopics(z); err != nil {
		t.Fatal(err)
	}
	f := m.Fitted()
	r := NewTraining([]*lda.Training{{Model: m}}, 0)
	r.Trace = []Score{{10, 1, -8}, {20, 2, -7.5}, {30, 3, -7.25}}
	r.AddTopics(f.Rankings(), f.Rankings().Diagnose(m, 10), c.Bag)
	return r, f
}

func pageOf(t *testing.T, r *Training, f *lda.Fitted) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.WritePage(&b, "a <b> & c", f.Rankings(), 2); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The page refers to nothing outside, and no word gets out of its data.
func TestPageIsSelfContained(t *testing.T) {
	training, f := found(t)
	page := pageOf(t, training, f)
	_, around, _ := strings.Cut(page, `<script>`) // what is not data
	for _, name := range []string{"http:", "https:", "src=", "@import", "url("} {
		if head, _, _ := strings.Cut(page, `<script`); strings.Contains(strings.ReplaceAll(head+around, "http://www.w3.org/2000/svg", ""), name) {
			t.Errorf("the page has %s", name)
		}
	}
	if strings.Count(page, "</script>") != 2 || strings.Contains(page, "<b id=broken>") || strings.Contains(page, "<!--<") {
		t.Error("a word is not escaped")
	}
	if !strings.Contains(page, "<title>a &lt;b&gt; &amp; c · topics</title>") {
		t.Error("the title is not escaped")
	}
}

// driver chooses a topic, moves the slider and notes what the page shows, and whatever goes wrong.
const driver = `
const seen = {errors, steps: []};
const words = () => [...document.querySelectorAll("#bars .word")].map(e => e.textContent);
const note = name => seen.steps.push({name, title: document.getElementById("chosen").textContent, lambda: document.getElementById("lambdanow").textContent, words: words()});
const wait = ms => new Promise(done => setTimeout(done, ms));
(async () => {
  note("all");
  const circles = document.querySelectorAll("#map a").length, rows = document.querySelectorAll("tbody tr").length;
  location.hash = "#topic=3"; await wait(50);
  note("topic");
  const slider = document.getElementById("lambda");
  for (const x of ["0", "1"]) { slider.value = x; slider.dispatchEvent(new Event("input", {bubbles: true})); await wait(50); note("slider " + x); }
  document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true})); await wait(50);
  note("right");
  document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape", bubbles: true})); await wait(50);
  note("escape");
  const find = document.getElementById("find");
  find.value = "onerror"; find.dispatchEvent(new Event("input", {bubbles: true}));
  seen.found = document.querySelectorAll("tbody tr").length; seen.circles = circles; seen.rows = rows;
  seen.broken = document.querySelectorAll("#broken, body img").length;
  document.documentElement.replaceChildren();
  document.documentElement.append(document.createElement("body"));
  document.body.textContent = "SEEN" + JSON.stringify(seen) + "NEES";
})();
`

// In a browser: the slider ranks the words as Relevant does, keys and links choose topics, and nothing is reported to the console.
func TestPageInBrowser(t *testing.T) {
	browser := browser(t)
	training, f := found(t)
	page := pageOf(t, training, f)
	const catch = `<script>const errors = []; addEventListener("error", e => errors.push(String(e.message))); console.error = (...x) => errors.push(x.join(" "));
addEventListener("securitypolicyviolation", e => errors.push("blocked " + e.blockedURI));</script>`
	page = strings.Replace(page, "<head>", "<head>"+catch, 1)
	page = strings.Replace(page, "</body>", "<script>"+driver+"</script></body>", 1)
	file := filepath.Join(t.TempDir(), "topics.html")
	if err := os.WriteFile(file, []byte(page), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--user-data-dir="+t.TempDir(), "--virtual-time-budget=10000", "--timeout=60000", "--dump-dom", "file://"+file)
	cmd.WaitDelay = time.Minute
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	_, text, ok := strings.Cut(string(out), "SEEN")
	text, _, end := strings.Cut(text, "NEES")
	var seen struct {
		Errors []string
		Steps  []struct {
			Name, Title, Lambda string
			Words               []string
		}
		Found, Circles, Rows, Broken int
	}
	if err := json.Unmarshal([]byte(html.UnescapeString(text)), &seen); err != nil || !ok || !end {
		t.Fatalf("%v: %.2000s", err, out)
	}
	ranks := f.Rankings()
	for i, want := range []struct {
		title, lambda string
		topic         int // −1: all
		at            float64
	}{{"All topics", "0.60", -1, 0}, {"Topic 3", "0.60", 2, 0.6}, {"Topic 3", "0.00", 2, 0}, {"Topic 3", "1.00", 2, 1}, {"Topic 4", "1.00", 3, 1}, {"All topics", "1.00", -1, 0}} {
		got, list := seen.Steps[i], ranks.Salient(shownWords)
		if want.topic >= 0 {
			list = ranks.Relevant(want.topic, shownWords, want.at)
		}
		if got.Title != want.title || got.Lambda != want.lambda || len(got.Words) != len(list) {
			t.Fatalf("%s: %+v; want %+v", got.Name, got, want)
		}
		for i, x := range list {
			if want.topic < 0 && got.Words[i] != f.Word(x.Word) {
				t.Errorf("%s: word %d is %q, not %q", got.Name, i+1, got.Words[i], f.Word(x.Word))
			}
			// Words of one relevance may stand in any order.
			if want.topic >= 0 && math.Abs(relevance(f, want.topic, got.Words[i], want.at)-relevance(f, want.topic, f.Word(x.Word), want.at)) > 1e-9 {
				t.Errorf("%s: word %d is %q, and Relevant has %q", got.Name, i+1, got.Words[i], f.Word(x.Word))
			}
		}
	}
	if slices.Equal(seen.Steps[2].Words, seen.Steps[3].Words) {
		t.Error("the slider moves no word")
	}
	if len(seen.Errors) > 0 || seen.Broken > 0 || seen.Circles != 4 || seen.Rows != 4 || seen.Found == 0 {
		t.Errorf("errors %q, %d foreign elements, %d circles, %d rows, %d found", seen.Errors, seen.Broken, seen.Circles, seen.Rows, seen.Found)
	}
}

// relevance is the definition.
func relevance(f *lda.Fitted, k int, word string, lambda float64) float64 {
	w := slices.Index(f.Vocabulary, word)
	phi, factor := f.Shares(k)
	total, all := 0.0, 0.0
	for _, e := range f.Counts.Word(w) {
		total += float64(e.N)
		if int(e.Topic) == k {
			phi += factor * float64(e.N)
		}
	}
	for _, n := range f.Counts.Totals {
		all += float64(n)
	}
	return lambda*math.Log(phi) + (1-lambda)*math.Log(phi/(total/all))
}

func browser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("needs Chromium")
	return ""
}
