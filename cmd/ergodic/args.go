package main

import "strings"

// spread lets --data and --inits take several files: after the model, the
// words up to the next flag belong to them, --data a.R b.R being --data a.R
// --data b.R.
func spread(args []string) []string {
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
			value = !strings.Contains(a, "=") && !isSwitch(a)
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

// isSwitch tells the flags that take no value.
func isSwitch(flag string) bool {
	switch strings.TrimPrefix(flag, "--no-") {
	case "--save-warmup", "save-warmup", "--force", "--strict", "--json", "--log-lik", "log-lik", "--help", "-h", "--version":
		return true
	}
	return false
}
