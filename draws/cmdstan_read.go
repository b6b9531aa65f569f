package draws

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/regular"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// ReadCmdStan reads the CSV file of one chain as CmdStan writes it. Columns
// that end in __ become sample statistics by ArviZ's names; rows before the
// adaptation block are the warm-up, nil where there are none. A file that
// breaks off is an error.
func ReadCmdStan(r io.Reader) (Groups, error) {
	p := cmdStanReader{in: bufio.NewReaderSize(r, 1<<16)}
	g, err := p.read()
	if err != nil {
		return Groups{}, fmt.Errorf("reading CmdStan CSV: line %d: %w", p.line, err)
	}
	return g, nil
}

// ReadCmdStanFiles reads one file per chain.
func ReadCmdStanFiles(paths ...string) (Groups, error) {
	var chains []Groups
	for _, path := range paths {
		f, err := regular.Open(path)
		if err != nil {
			return Groups{}, err
		}
		g, err := ReadCmdStan(f)
		f.Close()
		if err != nil {
			return Groups{}, fmt.Errorf("%s: %w", path, err)
		}
		chains = append(chains, g)
	}
	g, err := joinChains(chains)
	if err != nil {
		return Groups{}, fmt.Errorf("%s: %w", strings.Join(paths, ", "), err)
	}
	return g, nil
}

type cmdStanReader struct {
	in      *bufio.Reader
	line    int
	columns []string
	isStat  []bool
	saved   bool // save_warmup
}

// read reads the file, whose rows before the adaptation block are warm-up.
func (p *cmdStanReader) read() (Groups, error) {
	var now, warm *Groups
	var row []float64
	for {
		text, err := p.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return Groups{}, err
		}
		switch {
		case len(text) == 0:
		case text[0] == '#':
			p.comment(string(text))
			if bytes.HasPrefix(text, []byte("# Adaptation terminated")) && now != nil && warm == nil {
				warm = now
				if now, err = p.empty(); err != nil {
					return Groups{}, err
				}
			}
		case p.columns == nil:
			p.header(string(text))
			if now, err = p.empty(); err != nil {
				return Groups{}, err
			}
		default:
			if row, err = p.row(row[:0], text); err != nil {
				return Groups{}, err
			}
			p.add(now, row)
		}
	}
	if now == nil {
		return Groups{}, errors.New("there is no line of column names")
	}
	if warm != nil && (p.saved || warm.Posterior.Draws() > 0) {
		now.Warmup, now.WarmupStats = warm.Posterior, warm.SampleStats
	}
	return *now, nil
}

// next returns a line without its end.
func (p *cmdStanReader) next() ([]byte, error) {
	text, err := p.in.ReadBytes('\n')
	if len(text) == 0 {
		return nil, err
	}
	p.line++
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return bytes.TrimSpace(text), nil
}

func (p *cmdStanReader) comment(text string) {
	key, value, ok := strings.Cut(strings.TrimLeft(text, "# "), " = ")
	if ok && key == "save_warmup" {
		value, _, _ = strings.Cut(value, " ")
		p.saved = value == "1" || value == "true"
	}
}

func (p *cmdStanReader) header(text string) {
	p.columns = strings.Split(text, ",")
	p.isStat = make([]bool, len(p.columns))
	for i, c := range p.columns {
		p.columns[i] = strings.TrimSpace(c)
		p.isStat[i] = strings.HasSuffix(p.columns[i], "__")
	}
}

// empty makes sets for the columns of the header.
func (p *cmdStanReader) empty() (*Groups, error) {
	var stats []Variable
	var names []string
	for i, c := range p.columns {
		if !p.isStat[i] {
			names = append(names, c)
			continue
		}
		for _, s := range stanStats {
			if s.stan == c {
				c = s.arviz
			}
		}
		stats = append(stats, Variable{Name: strings.TrimSuffix(c, "__")})
	}
	vars, err := arrange(names, parseStan)
	if err != nil {
		return nil, err
	}
	g := &Groups{}
	if g.Posterior, err = NewSet(vars, 1); err != nil {
		return nil, err
	}
	g.SampleStats, err = NewSet(stats, 1)
	return g, err
}

func (p *cmdStanReader) row(row []float64, text []byte) ([]float64, error) {
	for rest, more := string(text), true; more; {
		var field string
		field, rest, more = strings.Cut(rest, ",")
		x, err := strconv.ParseFloat(strings.TrimSpace(field), 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			return nil, fmt.Errorf("column %d: %s is not a number", len(row)+1, wording.Quote(field))
		}
		row = append(row, x)
	}
	if len(row) != len(p.columns) {
		return nil, fmt.Errorf("%d values for %d columns", len(row), len(p.columns))
	}
	return row, nil
}

func (p *cmdStanReader) add(g *Groups, row []float64) {
	e, s := 0, 0
	for i, x := range row {
		set, at := g.Posterior, &e
		if p.isStat[i] {
			set, at = g.SampleStats, &s
		}
		set.cols[*at][0] = append(set.cols[*at][0], x)
		*at++
	}
}

// joinChains makes one of the groups of single chains.
func joinChains(chains []Groups) (Groups, error) {
	if len(chains) == 0 {
		return Groups{}, errors.New("there are no chains")
	}
	var out Groups
	for _, pick := range []func(*Groups) **Set{
		func(g *Groups) **Set { return &g.Posterior }, func(g *Groups) **Set { return &g.SampleStats },
		func(g *Groups) **Set { return &g.Warmup }, func(g *Groups) **Set { return &g.WarmupStats },
	} {
		var sets []*Set
		for i := range chains {
			sets = append(sets, *pick(&chains[i]))
		}
		joined, err := joinSets(sets)
		if err != nil {
			return Groups{}, err
		}
		*pick(&out) = joined
	}
	return out, nil
}

func joinSets(sets []*Set) (*Set, error) {
	for i, s := range sets {
		if (s == nil) != (sets[0] == nil) {
			return nil, fmt.Errorf("chain %d and chain 1 differ in whether warm-up was saved", i+1)
		}
	}
	if sets[0] == nil {
		return nil, nil
	}
	out, err := NewSet(sets[0].vars, len(sets))
	if err != nil {
		return nil, err
	}
	for c, s := range sets {
		if len(s.vars) != len(out.vars) || s.Draws() != sets[0].Draws() {
			return nil, fmt.Errorf("chain %d has %d variables and %d draws, chain 1 %d and %d",
				c+1, len(s.vars), s.Draws(), len(out.vars), sets[0].Draws())
		}
		for i, v := range s.vars {
			if !v.Equal(out.vars[i]) {
				return nil, fmt.Errorf("chain %d has %s where chain 1 has %s", c+1, v, out.vars[i])
			}
		}
		for e := range s.cols {
			out.cols[e][c] = s.cols[e][0]
		}
	}
	return out, nil
}
