package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/report"
)

// notices are what a job says on standard error besides its progress: lines for
// people, or with --progress json one object a line.
type notices struct {
	json bool
	say  func(format string, args ...any)
}

func newNotices(progress string) *notices {
	return &notices{json: progress == "json", say: func(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }}
}

// tell says text, or the event with its fields, which may be nil.
func (v *notices) tell(event, text string, fields map[string]any) {
	text = inFlags(text)
	if !v.json {
		v.say("%s", abridged(text, os.Args[1:]))
		return
	}
	all := map[string]any{"event": event}
	if fields == nil {
		all["message"] = text
	}
	for k, f := range fields {
		all[k] = f
	}
	b, err := json.Marshal(all)
	if err != nil {
		b = fmt.Appendf(nil, `{"event":%q,"error":%q}`, event, err)
	}
	v.say("%s", b)
}

func (v *notices) note(text string) {
	if v.json {
		v.tell("note", text, nil)
		return
	}
	v.tell("note", "note: "+text, nil)
}

func (v *notices) warn(all []report.Warning) {
	if !v.json {
		_ = report.WriteWarnings(os.Stderr, all, inFlags) // nobody reads them
		return
	}
	for _, w := range all {
		v.tell("warning", "", map[string]any{"code": w.Code, "parameter": w.Parameter, "value": w.Value, "message": w.Message})
	}
}

// manyNotes is how many notes are read.
const manyNotes = 20

// fewNotes leaves out what nobody reads: a file of a thousand unknown names is
// one mistake.
func fewNotes(all []string) []string {
	if len(all) <= manyNotes {
		return all
	}
	return append(all[:manyNotes:manyNotes], fmt.Sprintf("%d more notes", len(all)-manyNotes))
}

// fail turns an error into an event where that is asked for.
func (v *notices) fail(err error) error {
	if err == nil || !v.json {
		return err
	}
	code, said := judged(err)
	if said == nil {
		return err
	}
	v.tell("error", said.Error(), nil)
	return exitError{code: code}
}

// resumeCommand is what goes on with a run.
func resumeCommand(dir string) string { return "ergodic sample --resume " + quoted(dir) }

// quoted is a path as a shell takes it.
func quoted(dir string) string {
	if strings.HasPrefix(dir, "-") {
		dir = "./" + dir // no flag
	}
	if text := strconv.QuoteToGraphic(dir); wording.Text(dir) != dir || strings.ContainsAny(dir, "\n\t") {
		return "$'" + strings.ReplaceAll(text[1:len(text)-1], "'", `\'`) + "'"
	}
	if strings.ContainsAny(dir, " \t\"'\\$&;()*?[]<>|`!#~{}") {
		dir = "'" + strings.ReplaceAll(dir, "'", `'\''`) + "'"
	}
	return dir
}
