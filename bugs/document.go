package bugs

import (
	"errors"
	"regexp"
	"strings"
)

// A compound document of OpenBUGS has the lists and tables of data and initial values behind the model, with headings in
// plain words between them.

// maxItems bounds the lists and tables of a document, each of which is read in its place in the text.
const maxItems = 1000

var (
	documentList  = regexp.MustCompile(`(?m)\blist\s*\(`)
	documentTable = regexp.MustCompile(`(?m)^[ \t]*(?:[A-Za-z][A-Za-z0-9._]*\[[ \t]*(?:,[ \t]*[0-9]+[ \t]*)?\][ \t]*)+\r?$`)
	documentEnd   = regexp.MustCompile(`(?m)^[ \t]*END\b`)
	documentModel = regexp.MustCompile(`(?m)^[ \t]*model\b[ \t]*[A-Za-z0-9._]*\s*\{`)
	documentNote  = regexp.MustCompile(`#[^\n]*`)
)

// titled is where the model of a compound document begins, with words of no program in front: 0 where there are none.
func titled(src string) int {
	at := documentModel.FindStringIndex(src)
	if at == nil || !documentList.MatchString(src[at[1]:]) {
		return 0
	}
	title := src[:at[0]]
	first, _, _ := strings.Cut(strings.TrimSpace(documentNote.ReplaceAllString(title, "")), " ")
	if first == "" || first == "var" || first == "function" || strings.HasPrefix(first, "/*") || strings.ContainsAny(title, "{}~<") || documentList.MatchString(title) {
		return 0
	}
	return at[0]
}

// document takes what stands behind the model as the rest of a compound document; false where it holds no list and
// no table.
func (p *parser) document(from Pos) (bool, error) {
	src := strings.TrimPrefix(p.prog.Source, "\ufeff")
	at := offsetOf(src, from)
	begin := at
	// Comments are blanks of the same length.
	plain := src[:at] + documentNote.ReplaceAllStringFunc(src[at:], func(s string) string { return strings.Repeat(" ", len(s)) })
	kind, items := "", 0
	for {
		start, end, ok := nextItem(plain, at)
		if !ok {
			break
		}
		if items++; items > maxItems {
			return true, p.failAt(from, "Put the data in a file of their own.", "more than %d lists and tables stand behind the model", maxItems)
		}
		heading := strings.ToLower(plain[at:start])
		d, err := ReadData(p.prog.File, []byte(blanked(src[:start])+plain[start:end]))
		if e := (*Error)(nil); errors.As(err, &e) && e.Pos.Line == 0 { // a binary format, which has no lines of its own
			return true, p.failAt(from, e.Hint, "%s", e.Msg)
		}
		if err != nil {
			return true, err
		}
		isData, isInits := strings.LastIndex(heading, "data"), strings.LastIndex(heading, "init")
		switch {
		case isInits > isData:
			kind = "inits"
		case isData >= 0:
			kind = "data"
		case kind == "" && p.prog.Given != nil && p.starts(d):
			kind = "inits"
		}
		if kind == "inits" {
			p.prog.Starts = append(p.prog.Starts, d)
		} else if err := p.giveData(d); err != nil {
			return true, err
		}
		at = end
	}
	if items > 0 {
		p.prog.document = begin
	}
	return items > 0, nil
}

func (p *parser) giveData(d *Data) error {
	if p.prog.Given == nil {
		p.prog.Given = &Data{Values: map[string]*Value{}}
	}
	return p.prog.Given.Merge(d)
}

// starts tells whether all names of a list are of nodes that ~ defines and that have no data.
func (p *parser) starts(d *Data) bool {
	drawn := map[string]bool{}
	eachRelation(p.prog.Model.Stmts, func(r *Relation) { drawn[r.LHS.Name] = drawn[r.LHS.Name] || r.Stochastic })
	for _, name := range d.Names {
		if !drawn[name] || p.prog.Given.Values[name] != nil {
			return false
		}
	}
	return true
}

// nextItem is the next list or table from a place on.
func nextItem(src string, from int) (start, end int, ok bool) {
	list, table := documentList.FindStringIndex(src[from:]), documentTable.FindStringIndex(src[from:])
	switch {
	case list != nil && (table == nil || list[0] < table[0]):
		start = from + list[0]
		depth := 0
		for i := from + list[1] - 1; i < len(src); i++ {
			switch src[i] {
			case '(':
				depth++
			case ')':
				if depth--; depth == 0 {
					return start, i + 1, true
				}
			}
		}
		return start, len(src), true // its reader says that it does not end
	case table != nil:
		start = from + table[0]
		if stop := documentEnd.FindStringIndex(src[start:]); stop != nil {
			return start, start + stop[1], true
		}
		return start, len(src), true
	}
	return 0, 0, false
}

// blanked keeps the lines and columns of a text and nothing else.
func blanked(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		return ' '
	}, s)
}

// offsetOf is where a place is in a text.
func offsetOf(src string, pos Pos) int {
	at := 0
	for range pos.Line - 1 {
		next := strings.IndexByte(src[at:], '\n')
		if next < 0 {
			return len(src)
		}
		at += next + 1
	}
	return min(at+pos.Col-1, len(src))
}

// withGiven adds the data of a compound document to those of files, which go before.
func (p *Program) withGiven(data *Data) *Data {
	if p.Given == nil {
		return data
	}
	out := &Data{Values: map[string]*Value{}, Notes: data.Notes, text: data.text, bytes: data.bytes}
	for _, name := range data.Names {
		out.Names, out.Values[name] = append(out.Names, name), data.Values[name]
	}
	for _, name := range p.Given.Names {
		if out.Values[name] == nil {
			out.Names, out.Values[name] = append(out.Names, name), p.Given.Values[name]
		}
	}
	if out.bytes > 0 {
		out.bytes += len(p.Source)
	}
	return out
}
