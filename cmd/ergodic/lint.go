package main

import (
	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/model/lint"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// finding is a warning of check --strict.
type finding struct {
	Code    string `json:"code"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Node    string `json:"node"`
	Message string `json:"message"`
	Advice  string `json:"advice"`
	text    string // for people
}

// lint looks for what models suffer from.
func (l *loaded) lint(name string, seed uint64) (all []finding, err error) {
	s, err := l.plan.Start(nil, rng.New(seed, "lint").Rand)
	if err != nil {
		return nil, l.compiled.Explain(err)
	}
	for _, f := range lint.Check(s) {
		place := bugs.Pos{Line: f.Place.Line, Col: f.Place.Col}
		all = append(all, finding{f.Code, f.Place.Line, f.Place.Col, f.Node, f.Message, f.Advice,
			l.compiled.Program.ErrorAt(place, f.Advice, "warning: %s", f.Message).Error()})
	}
	return all, nil
}
