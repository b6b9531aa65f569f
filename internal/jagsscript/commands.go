package jagsscript

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// command is a command of JAGS: its words, then one argument or none, and its options.
type command struct {
	words    string
	argument string // what it is; "": none
	options  []string
	do       func(s *Session, argument string, options map[string]string) error
}

// anyWords is an argument of any number of words.
const anyWords = "command of the shell"

// commands are those of the JAGS 4.3 manual, §3.2, and of its grammar; of two that fit the first is meant.
func commands() []command {
	return []command{
		{"model in", "file", nil, (*Session).modelIn},
		{"model clear", "", nil, (*Session).modelClear},
		{"data in", "file", nil, (*Session).dataIn},
		{"data to", "file", nil, (*Session).dataTo},
		{"data clear", "", nil, (*Session).dataClear},
		{"compile", "", []string{"nchains", "gendata"}, (*Session).compile},
		{"parameters in", "file", []string{"chain"}, (*Session).parametersIn},
		{"parameters to", "file", []string{"chain"}, (*Session).parametersTo},
		{"inits in", "file", []string{"chain"}, (*Session).parametersIn},
		{"inits to", "file", []string{"chain"}, (*Session).parametersTo},
		{"initialize", "", nil, (*Session).initialize},
		{"adapt", "iterations", []string{"by"}, (*Session).adapt},
		{"update", "iterations", []string{"by"}, (*Session).update},
		{"monitor set", "variable", []string{"thin", "type"}, (*Session).monitorSet},
		{"monitor clear", "variable", []string{"type"}, (*Session).monitorClear},
		{"monitor to", "file", []string{"type"}, (*Session).monitorsTo},
		{"monitors to", "file", []string{"type"}, (*Session).monitorsTo},
		{"monitor", "variable", []string{"thin", "type"}, (*Session).monitorSet},
		{"coda", "variable", []string{"stem"}, (*Session).coda},
		{"samplers to", "file", nil, (*Session).samplersTo},
		{"load", "module", nil, (*Session).load},
		{"unload", "module", nil, (*Session).unload},
		{"list modules", "", nil, (*Session).listModules},
		{"list factories", "", []string{"type"}, (*Session).listFactories},
		{"list monitors", "", nil, (*Session).listMonitors},
		{"list samplers", "", nil, (*Session).listSamplers},
		{"forceadapt", "iterations", []string{"by"}, (*Session).adapt},
		{"autoadapt", "iterations", []string{"by"}, (*Session).adapt},
		{"set seed", "seed", nil, (*Session).setSeed},
		{"system", anyWords, nil, (*Session).system},
		{"set factory", "factory, on or off", []string{"type"}, (*Session).setFactory},
		{"exit", "", nil, func(*Session, string, map[string]string) error { return ErrExit }},
		{"pwd", "", nil, (*Session).pwd},
		{"cd", "folder", nil, (*Session).cd},
		{"dir", "", nil, (*Session).list},
		{"run", "file", nil, (*Session).run},
	}
}

// Do carries out a command.
func (s *Session) Do(c Command) error {
	var known []string
	for _, one := range commands() {
		known = append(known, one.words)
		words := strings.Fields(one.words)
		if len(c.Words) < len(words) || !slices.Equal(words, c.Words[:len(words)]) {
			continue
		}
		rest := c.Words[len(words):]
		switch {
		case one.argument == "" && len(rest) > 0:
			return &SyntaxError{c.Line, fmt.Sprintf("%s after %s: a command ends there", wording.Quote(rest[0]), one.words)}
		case one.argument != "" && len(rest) == 0:
			return &SyntaxError{c.Line, fmt.Sprintf("%s is followed by its %s", one.words, one.argument)}
		case one.argument != "" && one.argument != anyWords && len(rest) != 1+strings.Count(one.argument, ","):
			return &SyntaxError{c.Line, fmt.Sprintf("%s after %s: what has blanks stands in quotes", wording.Quote(rest[1]), wording.Quote(rest[0]))}
		}
		options, err := one.read(c)
		if err != nil {
			return err
		}
		return one.do(s, strings.Join(rest, " "), options)
	}
	if len(c.Words) > 1 {
		if near := wording.Nearest(strings.Join(c.Words[:2], " "), known); near != "" {
			return &SyntaxError{c.Line, fmt.Sprintf("%s is no command; did you mean %s?", wording.Quote(strings.Join(c.Words[:2], " ")), near)}
		}
	}
	return &SyntaxError{c.Line, fmt.Sprintf("%s is no command; %s", wording.Quote(c.Words[0]), listed(c.Words[0], known))}
}

// read checks the options.
func (one command) read(c Command) (map[string]string, error) {
	options := map[string]string{}
	for _, o := range c.Options {
		name := strings.ToLower(o.Name)
		switch _, twice := options[name]; {
		case len(one.options) == 0:
			return nil, &SyntaxError{c.Line, fmt.Sprintf("%s has no options", one.words)}
		case !slices.Contains(one.options, name):
			return nil, &SyntaxError{c.Line, fmt.Sprintf("%s has no option %s; %s", one.words, wording.Quote(o.Name), listed(name, one.options))}
		case twice:
			return nil, &SyntaxError{c.Line, name + " is given twice"}
		case o.Value == "" && name != "gendata":
			return nil, &SyntaxError{c.Line, name + "() is empty"}
		}
		options[name] = o.Value
	}
	return options, nil
}
