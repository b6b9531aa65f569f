package main

import (
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// noneEmpty refuses an argument or a flag's value that is empty: it stands for a
// shell variable that is not set, and never for what was meant.
func noneEmpty(args []string) error {
	const why = "is empty; a variable of the shell that is not set gives such a value"
	for i, a := range args {
		flag, value, given := strings.Cut(a, "=")
		switch {
		case a == "" && i > 0 && strings.HasPrefix(args[i-1], "--"):
			return fmt.Errorf("what follows %s %s", wording.Brief(args[i-1]), why)
		case a == "":
			return errors.New("an argument " + why)
		case given && value == "" && strings.HasPrefix(a, "--"):
			return fmt.Errorf("the value of %s %s", wording.Brief(flag), why)
		}
	}
	return nil
}

// repeatFlags lets --data and --inits take several files: after the model, the
// words up to the next flag belong to them, --data a.R b.R being --data a.R
// --data b.R.
func repeatFlags(args []string, switches map[string]bool) []string {
	if len(args) == 0 || args[0] != "sample" && args[0] != "check" {
		return args
	}
	out := []string{args[0]}
	model := false
	flag := "" // of files, whose value or values are read
	value := false
	for i, a := range args[1:] {
		switch {
		case a == "--":
			return append(out, args[1+i:]...)
		case strings.HasPrefix(a, "-") && a != "-":
			flag, value = "", false
			if a == "--data" || a == "--inits" {
				flag = a
			}
			value = !strings.Contains(a, "=") && !switches[a]
		case value:
			value = false
		case flag != "" && model:
			out = append(out, flag)
		default:
			model = true
		}
		out = append(out, a)
	}
	return out
}

// switches are the flags of a command and those below it that take no value.
func switches(n *kong.Node) map[string]bool {
	all := map[string]bool{}
	for _, f := range n.Flags {
		if !f.IsBool() {
			continue
		}
		all["--"+f.Name] = true
		if f.Short != 0 {
			all["-"+string(f.Short)] = true
		}
		if f.Tag.Negatable != "" {
			all["--no-"+f.Name] = true
		}
	}
	for _, c := range n.Children {
		maps.Copy(all, switches(c))
	}
	return all
}

// joinNegative makes --draws -5 one word, --draws=-5: a number below zero is a value, if a wrong one, and no flag.
func joinNegative(args []string, switches map[string]bool) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			return append(out, args[i:]...)
		}
		if strings.HasPrefix(a, "--") && !strings.Contains(a, "=") && !switches[a] && i+1 < len(args) {
			if _, err := strconv.ParseFloat(args[i+1], 64); err == nil && strings.HasPrefix(args[i+1], "-") {
				a += "=" + args[i+1]
				i++
			}
		}
		out = append(out, a)
	}
	return out
}
