package progress

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// table is the live table of a terminal, drawn over itself.
type table struct {
	w      io.Writer
	size   func() (width, height int)
	colour bool
	full   string // a cell of a bar that is done
	empty  string
	below  func(width, height int) []string // Run.Below
	drawn  int                              // lines on the screen
}

func newTable(w io.Writer, env func(string) string, size func() (int, int), below func(width, height int) []string) *table {
	t := &table{w: w, size: size, below: below, colour: env("NO_COLOR") == "", full: "#", empty: "."}
	if UTF8(env) {
		t.full, t.empty = "━", "╌"
	}
	return t
}

// UTF8 reads the locale as POSIX has it: the first of the three that is set
// decides.
func UTF8(env func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(env(name)); v != "" {
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return false
}

func (t *table) wait() time.Duration  { return 500 * time.Millisecond }
func (t *table) every() time.Duration { return 200 * time.Millisecond }

func (t *table) final(shown bool) bool { return shown }

func (t *table) show(p picture) {
	width, height := t.size()
	var b strings.Builder
	if t.drawn > 0 {
		fmt.Fprintf(&b, "\x1b[%dA", t.drawn)
	}
	text := t.lines(p, width, height)
	if room := height - 1 - len(text); t.below != nil && room > 0 {
		more := t.below(width, room)
		text = append(text, more[:min(len(more), room)]...)
	}
	for _, l := range text {
		b.WriteString("\x1b[2K" + l + "\n")
	}
	b.WriteString("\x1b[J")
	t.drawn = len(text)
	io.WriteString(t.w, b.String())
}

func (t *table) say(text string) {
	if t.drawn > 0 {
		fmt.Fprintf(t.w, "\r\x1b[%dA\x1b[J", t.drawn)
		t.drawn = 0
	}
	fmt.Fprintln(t.w, text)
}

// lines are the table: a head, a line for each chain that fits, and the foot.
func (t *table) lines(p picture, width, height int) []string {
	const fixed = len("chain  sampling   100 %  12345678/12345678  123456789   1:23:45")
	bar := min(max(width-fixed-3, 0), 40)
	out := []string{t.dim(clip(fmt.Sprintf("%5s  %-8s  %*s  %17s  %9s  %8s", "chain", "phase", bar+7, "", "iterations", "draws/s", "left"), width))}
	show := len(p.chains)
	if room := height - 4; show > room {
		show = max(room-1, 0)
	}
	for i, c := range p.chains[:show] {
		head := fmt.Sprintf("%5d  %-8s  ", i+1, c.Phase)
		tail := fmt.Sprintf("  %3d %%  %17s  %9s  %8s", percent(c.Iterations, c.Total), fmt.Sprintf("%d/%d", c.Iterations, c.Total), count(c.rate), clock(c.left))
		if bar == 0 {
			out = append(out, clip(head+tail, width))
			continue
		}
		out = append(out, head+t.bar(c.ChainProgress, bar)+tail)
	}
	if n := len(p.chains) - show; n > 0 {
		out = append(out, clip(fmt.Sprintf("and %s more", wording.Count(n, "chain", "chains")), width))
	}
	foot := fmt.Sprintf("%s elapsed, %s left", clock(p.elapsed.Truncate(time.Second)), clock(p.left))
	if w := p.worst(); w != "" {
		foot += "; " + w
	}
	return append(out, t.alert(clip(foot, width), p))
}

// bar fills cells in proportion; warm-up and sampling have different colours.
func (t *table) bar(c mcmc.ChainProgress, cells int) string {
	n := cells * percent(c.Iterations, c.Total) / 100
	full, rest := strings.Repeat(t.full, n), strings.Repeat(t.empty, cells-n)
	if !t.colour {
		return full + rest
	}
	colour := "32" // green
	if c.Phase == mcmc.Warming {
		colour = "33" // yellow
	}
	return "\x1b[" + colour + "m" + full + "\x1b[0m\x1b[2m" + rest + "\x1b[0m"
}

func (t *table) dim(s string) string {
	if !t.colour {
		return s
	}
	return "\x1b[2m" + s + "\x1b[0m"
}

// rhatAlert is where an R-hat of few draws is shown in red: far above what a
// finished run may have, since early values are noisy.
const rhatAlert = 1.1

func (t *table) alert(s string, p picture) string {
	if !t.colour || !(p.rhat.value > rhatAlert || p.divergences > 0) {
		return s
	}
	return "\x1b[31m" + s + "\x1b[0m"
}

// clip cuts a line that the terminal would wrap, which would put the next
// picture in the wrong place.
func clip(s string, width int) string {
	if width < 1 || utf8.RuneCountInString(s) <= width {
		return s
	}
	return string([]rune(s)[:width])
}
