package main

import (
	"encoding/json"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/rundir"
)

// untilGood is a run of the lamps that goes on until its summary is good: 300 draws are not enough.
func untilGood(dir string, more ...string) []string {
	return append(lamps("--draws", "300", "--out", dir, "--until", "ess=1500,rhat=1.02"), more...)
}

func summaryOf(t *testing.T, dir string) *rundir.Summary {
	t.Helper()
	s, err := rundir.ReadSummary(dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A run that ends when it is good has the draws of one that was asked for so many, on any number of threads, killed or not, and a goal that is
// raised is gone on to as if it had been the first.
func TestUntil(t *testing.T) {
	tmp := t.TempDir()
	dir, began := filepath.Join(tmp, "run"), time.Now()
	r := must(t, untilGood(dir, "--threads", "1")...)
	took := time.Since(began)
	s := summaryOf(t, dir)
	if !strings.Contains(r.stderr, "reached ess=1500,rhat=1.02 after ") || s.Until == nil || s.Until.Ended != endedByGoal {
		t.Fatalf("%+v\n%s", s.Until, r.stderr)
	}
	last := s.Until.Judged[len(s.Until.Judged)-1]
	if len(s.Until.Judged) < 3 || !last.Met || last.ESS < 1500 || last.Rhat > 1.02 || last.Draws != s.Run.Draws {
		t.Errorf("%+v of %d draws", s.Until.Judged, s.Run.Draws)
	}
	for k, at := range s.Until.Judged[:len(s.Until.Judged)-1] {
		if at.Met || k > 0 && 4*at.Draws < 5*s.Until.Judged[k-1].Draws {
			t.Errorf("judged %+v", s.Until.Judged)
		}
	}
	for _, p := range s.Parameters {
		if p.ESSBulk < last.ESS || p.ESSTail < last.ESS || p.Rhat > last.Rhat {
			t.Errorf("%+v, and the worst are said to be %+v", p, last)
		}
	}
	asked := filepath.Join(tmp, "asked")
	must(t, lamps("--draws", jsonText(s.Run.Draws), "--out", asked)...)
	sameDraws(t, "until", dir, asked)

	t.Run("raised", func(t *testing.T) {
		low := filepath.Join(tmp, "low")
		must(t, lamps("--draws", "300", "--out", low, "--until", "ess=20", "--threads", "2")...)
		if s := summaryOf(t, low); s.Run.Draws != 300 {
			t.Fatalf("%d draws for an ESS of 20", s.Run.Draws)
		}
		must(t, "sample", "--resume", low, "--until", "ess=1500,rhat=1.02", "--progress", "none")
		sameDraws(t, "raised", low, dir)
		if got := summaryOf(t, low).Until; len(got.Judged) != len(s.Until.Judged) {
			t.Errorf("%+v", got)
		}
		before := filesBelow(t, low)["/log.jsonl"]
		must(t, "sample", "--resume", low, "--progress", "none") // nothing is left to do
		sameDraws(t, "resumed again", low, dir)
		if now := filesBelow(t, low)["/log.jsonl"]; !strings.HasPrefix(now, before) {
			t.Error("the log was changed")
		}
	})
	if runtime.GOOS == "windows" {
		return
	}
	t.Run("killed", func(t *testing.T) {
		cut := filepath.Join(tmp, "cut")
		killed := resumedAfterKills(t, cut, 4, took/4, untilGood(cut, "--checkpoint", "5ms"), []string{"sample", "--resume", cut, "--progress", "none", "--checkpoint", "5ms"})
		t.Logf("killed %d times", killed)
		sameDraws(t, "killed", cut, dir)
		if got := summaryOf(t, cut); jsonText(got.Until) != jsonText(s.Until) {
			t.Errorf("%v, not %v", jsonText(got.Until), jsonText(s.Until))
		}
	})
}

func TestUntilALimit(t *testing.T) {
	tmp := t.TempDir()
	dir := filepath.Join(tmp, "draws")
	r := execute(t, program(t, untilGood(dir, "--max-draws", "350", "--strict")...))
	s := summaryOf(t, dir)
	if r.status != 3 || !strings.Contains(r.stderr, "when --max-draws was reached (go on with ergodic sample --resume "+dir+" --max-draws 700)") {
		t.Errorf("status %d, %s", r.status, r.stderr)
	}
	if s.Until.Ended != endedByDraws || s.Run.Draws != 350 || len(s.Until.Judged) != 2 || s.Warnings[len(s.Warnings)-1].Code != "until" {
		t.Errorf("%+v %+v", s.Until, s.Warnings)
	}
	if again := execute(t, program(t, "summary", dir)); !strings.Contains(again.stderr, "was not reached") {
		t.Errorf("summary forgets the warning: %s", again.stderr)
	}
	must(t, "sample", "--resume", dir, "--max-draws", "400", "--progress", "none")
	if s := summaryOf(t, dir); s.Run.Draws != 400 {
		t.Errorf("%d draws of at most 400", s.Run.Draws)
	}

	// The clock ends it with as many draws of every chain.
	dir = filepath.Join(tmp, "time")
	r = must(t, lamps("--draws", "2000000", "--checkpoint", "1h", "--out", dir, "--time", "1s")...)
	s = summaryOf(t, dir)
	if n := s.Run.Draws; s.Until.Ended != endedByTime || n == 0 || n >= 2_000_000 || !strings.Contains(r.stderr, "--time was up after "+jsonText(n)+" of 2000000 draws a chain") {
		t.Errorf("%+v, %d draws: %s", s.Until, n, r.stderr)
	}
	var spec struct {
		Draws    int
		MaxDraws int `json:"max_draws"`
	}
	if err := rundir.ReadSpec(dir, &spec); err != nil || spec.Draws != s.Run.Draws || spec.MaxDraws != 2_000_000 {
		t.Errorf("%+v, %v", spec, err)
	}
	must(t, "sample", "--resume", dir, "--progress", "none")
	if again := summaryOf(t, dir); again.Run.Draws != s.Run.Draws {
		t.Errorf("%d draws became %d without more time", s.Run.Draws, again.Run.Draws)
	}
	whole := filepath.Join(tmp, "whole")
	must(t, "sample", "--resume", dir, "--draws", jsonText(s.Run.Draws+50), "--progress", "none")
	must(t, lamps("--draws", jsonText(s.Run.Draws+50), "--out", whole)...)
	sameDraws(t, "ended by the clock, and extended", dir, whole)
}

func TestUntilSaysWhatIsWrong(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	for said, flags := range map[string][]string{
		`--until: "ess=4o", at character 1: "4o" is not a number; write it as in ess=400,rhat=1.01`: {"--until", "ess=4o"},
		`at character 9: there is no goal "rhut"`:                                                   {"--until", "ess=400,rhut=1.01"},
		"--max-draws is for --until":                                                                {"--max-draws", "2000"},
		"--max-draws 200: it must be from the 300 of --draws":                                       {"--until", "ess=9", "--draws", "300", "--max-draws", "200"},
		"--time -1s: it must be more than 0":                                                        {"--time=-1s"},
		"--time":                                                                                    {"--time", "10"},
	} {
		if r := execute(t, program(t, lamps(append(flags, "--out", dir)...)...)); r.status != 2 || !strings.Contains(r.stderr, said) {
			t.Errorf("%q: status %d, %s", flags, r.status, r.stderr)
		}
	}
	if exists(dir) {
		t.Error("wrong flags leave a folder")
	}
	r := execute(t, program(t, lamps("--out", dir, "--warmup", "3000000", "--time", "300ms")...))
	if r.status != 130 || !strings.Contains(r.stderr, "--time 300ms was up before the first draw") || !strings.Contains(r.stderr, "--resume "+dir+" --time 600ms") {
		t.Errorf("status %d, %s", r.status, r.stderr)
	}
}

// Programs that watch are told the goal and how far it is.
func TestUntilInProgress(t *testing.T) {
	r := must(t, append(untilGood(filepath.Join(t.TempDir(), "run")), "--progress", "json")...)
	judged, goals := 0, 0
	for line := range strings.Lines(r.stderr) {
		var o struct {
			Event, Goal string
			Standing    struct{ Draws int }
		}
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		switch {
		case o.Event == "judge" && o.Standing.Draws > 0:
			judged++
		case o.Event == "progress" && strings.HasPrefix(o.Goal, "ess=1500,rhat=1.02"):
			goals++
		}
	}
	if judged < 3 || goals == 0 || !strings.Contains(r.stderr, `"event":"reached"`) {
		t.Errorf("judged %d times, %d lines with the goal:\n%s", judged, goals, r.stderr)
	}
}
