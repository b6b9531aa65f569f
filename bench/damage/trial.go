package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
)

// Verdicts on an answer.
const (
	right    = "right"   // the numbers of the whole run
	refused  = "refused" // an error that names a file
	silent   = "SILENT: other numbers"
	nameless = "NAMELESS: an error without a file"
	panicked = "PANIC"
	late     = "LATE"
	large    = "LARGE: more than 1 GB"
)

// result is how a command took a damaged folder.
type result struct {
	folder, damage, command, verdict, said string
}

func (r result) bad() bool { return r.verdict != right && r.verdict != refused }

// trial damages a folder and runs two of the commands that read it.
func (b *bench) trial(seed uint64, number int) (all []result, err error) {
	r := rand.New(rand.NewPCG(seed, uint64(number)))
	k := &b.kinds[[]int{0, 0, 0, 0, 1, 1, 1, 2, 2, 3}[r.IntN(10)]]
	first, second := r.IntN(len(k.commands)), r.IntN(len(k.commands))
	damageSeed := [2]uint64{r.Uint64(), r.Uint64()}
	for _, c := range []int{first, second} {
		what, err := b.damaged(k, rand.New(rand.NewPCG(damageSeed[0], damageSeed[1])))
		if err != nil {
			return nil, fmt.Errorf("%d: %s: %w", number, what, err)
		}
		done := k.commands[c].run(b)
		all = append(all, result{k.name, what, k.commands[c].name, judge(done, k.wanted[c]), tail(done.Stderr)})
		if first == second {
			break
		}
	}
	return all, nil
}

// damaged puts a damaged folder in its place and says what was done to it.
func (b *bench) damaged(k *kind, r *rand.Rand) (what string, err error) {
	if err := b.fresh(k); err != nil {
		return "", err
	}
	for what == "" {
		files := b.files()
		file := files[r.IntN(len(files))]
		if r.IntN(2) == 0 { // few files hold most of what matters
			important := slices.DeleteFunc(files, func(f string) bool {
				return strings.HasPrefix(filepath.Base(f), ".z") && filepath.Base(f) != ".zmetadata" || strings.Contains(f, "_dim_")
			})
			file = important[r.IntN(len(important))]
		}
		all := damages()
		if what, err = all[r.IntN(len(all))](b, k, r, file); err != nil {
			return file + ": " + what, err
		}
		if what != "" {
			what = file + ": " + what
		}
	}
	return what, nil
}

func judge(r ran, wanted string) string {
	switch {
	case r.Late:
		return late
	case strings.Contains(r.Stderr, "goroutine ") || strings.Contains(r.Stderr, "bug in Ergodic"):
		return panicked
	case r.PeakMB > 1000:
		return large
	case r.Status == 0 && r.answer == wanted:
		return right
	case r.Status == 0:
		return silent
	case !strings.Contains(r.Stderr, trialFolder+string(filepath.Separator)) && !strings.Contains(r.Stderr, "summary.json"):
		return nameless
	}
	return refused
}

func tail(s string) string {
	if len(s) > 600 {
		s = s[:600] + "…\n"
	}
	return s
}

// tally counts verdicts by command.
type tally struct {
	names  []string
	counts map[string]map[string]int
}

func (t *tally) add(r result) {
	if t.counts == nil {
		t.counts = map[string]map[string]int{}
	}
	if t.counts[r.command] == nil {
		t.names = append(t.names, r.command)
		t.counts[r.command] = map[string]int{}
	}
	t.counts[r.command][r.verdict]++
}

func (t *tally) bad() (n int) {
	for _, c := range t.counts {
		for verdict, k := range c {
			if (result{verdict: verdict}).bad() {
				n += k
			}
		}
	}
	return n
}

func (t *tally) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%-12s %7s %8s %7s %9s %6s %5s %6s\n", "command", "right", "refused", "silent", "nameless", "panic", "late", "large")
	slices.Sort(t.names)
	for _, name := range t.names {
		fmt.Fprintf(&s, "%-12s", name)
		for i, v := range []string{right, refused, silent, nameless, panicked, late, large} {
			fmt.Fprintf(&s, " %*d", []int{7, 8, 7, 9, 6, 5, 6}[i], t.counts[name][v])
		}
		s.WriteByte('\n')
	}
	return s.String()
}
