package job

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/report"
)

// Notices are what a job says on standard error besides its progress: lines for
// people, or with --progress json one object a line.
type Notices struct {
	JSON  bool
	Print func(format string, args ...any)

	Flags    func(text string) string // names the command's flags for the settings of packages
	Abridged func(text string) string // cuts what is too long for a line that people read
}

func (v *Notices) flags(text string) string {
	if v.Flags == nil {
		return text
	}
	return v.Flags(text)
}

// Tell says text, or the event with its fields, which may be nil.
func (v *Notices) Tell(event, text string, fields map[string]any) {
	text = v.flags(text)
	if !v.JSON {
		if v.Abridged != nil {
			text = v.Abridged(text)
		}
		v.Print("%s", text)
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
	v.Print("%s", b)
}

// Note says something that is good to know.
func (v *Notices) Note(text string) {
	if v.JSON {
		v.Tell("note", text, nil)
		return
	}
	v.Tell("note", "note: "+text, nil)
}

// Warn says the warnings of diagnostics.
func (v *Notices) Warn(all []report.Warning) {
	if !v.JSON {
		_ = report.WriteWarnings(os.Stderr, all, v.flags) // nobody reads them
		return
	}
	for _, w := range all {
		v.Tell("warning", "", map[string]any{"code": w.Code, "parameter": w.Parameter, "value": w.Value, "message": w.Message})
	}
}

// ManyNotes is how many notes are read.
const ManyNotes = 20

// FewNotes leaves out what nobody reads: a file of a thousand unknown names is
// one mistake.
func FewNotes(all []string) []string {
	if len(all) <= ManyNotes {
		return all
	}
	return append(all[:ManyNotes:ManyNotes], fmt.Sprintf("%d more notes", len(all)-ManyNotes))
}

// Quoted is a path as a shell takes it.
func Quoted(dir string) string {
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
