package markov

import "math"

// nextUneven reads the lines that hold two state numbers and a decimal number, nearly all of a long list, and stops at
// the first of another form.
func (e *edgeReader) nextUneven() (bool, error) {
	if e.names != nil || e.columns != inOrder || e.sep == 0 || len(e.ahead) > 0 {
		return e.next()
	}
	most := 1 + Tolerance
	if e.normalise {
		most = math.MaxFloat64
	}
	for {
		text, ok, err := e.raw()
		if err != nil || !ok {
			return false, err
		}
		if t, ok := plainEdge(text, e.sep); ok && t.P <= most {
			e.keep(t)
			continue
		}
		if ok, err = e.prepare(text); ok || err != nil {
			return ok, err
		}
	}
}

// plainEdge parses a line without quotes, comments, names or signs.
func plainEdge(text []byte, sep byte) (t Transition, ok bool) {
	at := 0
	if t.From, at = plainState(text, 0, sep); at == 0 {
		return t, false
	}
	if t.To, at = plainState(text, at, sep); at == 0 {
		return t, false
	}
	end := at
	for end < len(text) && text[end] != sep && !blank(text[end]) {
		end++
	}
	for _, c := range text[end:] {
		if !blank(c) || c == sep && sep != ' ' {
			return t, false
		}
	}
	if end == at || text[at] != '.' && text[at]-'0' > 9 {
		return t, false
	}
	p, err := parseFloat(text[at:end])
	t.P = p
	return t, err == nil
}

// plainState parses the number of a state and the separator after it, and returns where the next field begins; 0 if the
// line has another form.
func plainState(text []byte, at int, sep byte) (int32, int) {
	first, v := at, 0
	for at < len(text) && text[at]-'0' <= 9 && at < first+10 {
		v = 10*v + int(text[at]-'0')
		at++
	}
	if at == first || text[first] == '0' && at > first+1 || v > math.MaxInt32 || at == len(text) {
		return 0, 0
	}
	if text[at] != sep && (sep != ' ' || !blank(text[at])) {
		return 0, 0
	}
	for at++; at < len(text) && text[at] == ' '; at++ {
	}
	return int32(v), at
}

// number parses digits without leading zeros.
func number(b []byte) (int32, bool) {
	if len(b) == 0 || len(b) > 10 || b[0] == '0' && len(b) > 1 {
		return 0, false
	}
	v := 0
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		v = 10*v + int(c-'0')
	}
	return int32(v), v <= math.MaxInt32
}
