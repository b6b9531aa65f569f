package bugs

import (
	"fmt"
	"slices"
	"strings"
)

// Dialect is whose BUGS a program is. The dialects differ in how 1:n-1 is read: as (1:n) - 1 by JAGS and NIMBLE, whose
// operators bind as those of R, and as 1:(n-1) by OpenBUGS and WinBUGS. There what <- makes from data alone, such as a total, may
// also be a parameter of the data that it is made from.
type Dialect string

// The dialects. The empty one is that of JAGS, unless the text leaves no doubt that it is OpenBUGS'.
const (
	JAGS     Dialect = "jags"
	OpenBUGS Dialect = "openbugs"
	WinBUGS  Dialect = "winbugs"
	NIMBLE   Dialect = "nimble"
)

// ParseDialect is [Parse] of a program whose dialect is known.
func ParseDialect(file, src string, d Dialect) (*Program, error) {
	if d != "" && !slices.Contains([]Dialect{JAGS, OpenBUGS, WinBUGS, NIMBLE}, d) {
		return nil, fmt.Errorf("there is no dialect %q: it is jags, openbugs, winbugs or nimble", string(d))
	}
	if format := binaryFormat([]byte(src)); format != "" {
		return nil, &Error{File: file, Msg: "this is " + format + ", not text", Hint: "A program is text in UTF-8; the editor that wrote it can save it so."}
	}
	loose := d == OpenBUGS || d == WinBUGS
	p := newParser(file, src, loose)
	if err := p.program(); err != nil {
		return nil, err
	}
	p.prog.openBUGS = loose || d == "" && p.theirs != "" && !p.ours
	if !loose {
		p.prog.doubtful = p.doubtful
	}
	if len(p.doubtful) > 0 && d == "" {
		at := p.doubtful[0].Line
		if p.theirs == "" || p.ours {
			p.prog.Notes = append(p.prog.Notes, fmt.Sprintf("the range in line %d is read as JAGS does, (a:b) - c; OpenBUGS reads a:(b - c): parentheses make it plain", at))
			return p.prog, nil
		}
		theirs := p.theirs
		p = newParser(file, src, true)
		if err := p.program(); err != nil {
			return nil, err
		}
		p.prog.openBUGS = true
		p.prog.Notes = append(p.prog.Notes, fmt.Sprintf("the range in line %d is read as OpenBUGS does, a:(b - c), for the program has %s; JAGS reads (a:b) - c: parentheses make it plain", at, theirs))
	}
	return p.prog, nil
}

func newParser(file, src string, loose bool) *parser {
	body := strings.TrimPrefix(src, "\ufeff")
	title := titled(body)
	p := &parser{prog: &Program{File: file, Source: src, title: title}, lex: newLexer(file, blanked(body[:title])+body[title:]), loose: loose, bracketed: map[Expr]bool{}}
	p.tok, p.ahead = p.lex.next(), p.lex.next()
	return p
}

// openBUGSOnly are names that no other dialect has.
var openBUGSOnly = []string{"car.normal", "car.proper", "car.l1", "mv.car", "spatial.exp", "spatial.pred", "spatial.unipred", "cut", "ranked", "inprod2", "cumulative", "post.p.value", "replicate.post", "min.bound", "max.bound"}

// meets notes what tells the dialects apart.
func (p *parser) meets(name string) {
	if p.theirs == "" && slices.Contains(openBUGSOnly, name) {
		p.theirs = name
	}
}

// doubt notes an operator beside a range without parentheses.
func (p *parser) doubt(op string, l, r Expr, pos Pos) {
	if op != "+" && op != "-" && op != "*" && op != "/" {
		return
	}
	for _, e := range []Expr{l, r} {
		if b, ok := e.(*Binary); ok && b.Op == ":" && !p.bracketed[e] {
			p.doubtful = append(p.doubtful, pos)
		}
	}
}
