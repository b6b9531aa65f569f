package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// command is something that reads a run's folder.
type command struct {
	name string
	run  func(b *bench) ran
}

// summary is the numbers of summary: what its JSON says of parameters and
// results.
func summary() command {
	return command{"summary", func(b *bench) ran {
		r := b.ergodic("summary", trialFolder, "--json")
		r.answer = numbers(r.Stdout)
		return r
	}}
}

func csv() command {
	return command{"export csv", func(b *bench) ran {
		r := b.ergodic("export", trialFolder, "--format", "csv")
		r.answer = r.Stdout
		return r
	}}
}

func asJSON() command {
	return command{"export json", func(b *bench) ran {
		r := b.ergodic("export", trialFolder, "--format", "json")
		r.answer = r.Stdout
		return r
	}}
}

func coda() command {
	return command{"export coda", func(b *bench) ran {
		r := b.ergodic("export", trialFolder, "--format", "coda", "--out", "written")
		r.answer = b.written()
		return r
	}}
}

func plot() command {
	return command{"plot", func(b *bench) ran {
		r := b.ergodic("plot", trialFolder, "--kind", "trace,forest", "--format", "svg", "--out", "written")
		r.answer = b.written()
		return r
	}}
}

func compare() command {
	return command{"compare", func(b *bench) ran {
		r := b.ergodic("compare", "other", trialFolder, "--json")
		r.answer = r.Stdout
		return r
	}}
}

// machine is log Z of the machine that was trained.
func machine() command {
	return command{"rbm logz", func(b *bench) ran {
		r := b.ergodic("rbm", "logz", filepath.Join(trialFolder, "model.npz"), "--method", "exact", "--json", "--progress", "none")
		r.answer = numbers(r.Stdout)
		return r
	}}
}

// resume goes on with a run and judges what it then is.
func resume(args ...string) command {
	return command{"resume", func(b *bench) ran {
		words := []string{args[0]}
		if args[0] == "rbm" {
			words = append(words, args[1])
		}
		words = append(words, "--resume", trialFolder, "--progress", "none", "--json")
		if args[0] == "sample" {
			words = append(words, args[1:]...)
		}
		r := b.ergodic(words...)
		r.answer = numbers(r.Stdout)
		if r.Status != 0 || args[0] == "rbm" {
			return r
		}
		after := b.ergodic("export", trialFolder, "--format", "json")
		after.answer = r.answer + after.Stdout
		return after
	}}
}

// numbers is what a summary says of parameters and results, without the time
// they took and where they lie.
func numbers(text string) string {
	var all any
	if json.Unmarshal([]byte(text), &all) != nil {
		return text
	}
	b, err := json.Marshal(strip(all))
	if err != nil {
		return err.Error()
	}
	return string(b)
}

func strip(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range []string{"wall_s", "cpu_s", "updates_per_cpu_s", "run", "input", "samplers", "ergodic", "origin", "seals"} {
			delete(v, key)
		}
		for k := range v {
			v[k] = strip(v[k])
		}
	case []any:
		for i := range v {
			v[i] = strip(v[i])
		}
	}
	return v
}

// written is the content of the files that a command wrote.
func (b *bench) written() string {
	text := ""
	filepath.WalkDir(b.path("written"), func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			content, _ := os.ReadFile(path)
			text += fmt.Sprintf("%s %d\n%s", e.Name(), len(content), content)
		}
		return nil
	})
	return text
}

// patience is how long a command may take.
const patience = 2 * time.Minute
