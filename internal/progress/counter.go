package progress

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/term"
)

// Count is how far a job without chains is: units of work done, and moves made in them.
type Count struct {
	Done, Total int
	Moves       int64

	Text   string         // shown instead of Done and Total; "": these are
	Fields map[string]any // more of an object
}

// Counter shows a job's Count: a line that is rewritten on a terminal, a line every ten seconds elsewhere, or objects.
type Counter struct {
	What  string   // is being done
	Below []string // lines under it on a terminal
	// Whole is the time left of the job, from that of the task that is counted; nil: there is no more to it.
	Whole func(task time.Duration) time.Duration

	f        *os.File
	mode     Mode
	terminal bool
	began    time.Time
	last     time.Time
	shown    bool

	phase time.Time // when the count of what is done began
	from  int       // and where: at what is resumed, or anew
	done  int
}

// NewCounter makes a counter that writes to f.
func NewCounter(mode Mode, f *os.File, what string) *Counter {
	now := time.Now()
	return &Counter{What: what, f: f, mode: mode, began: now, last: now, terminal: mode == Auto && liveTerminal(f)}
}

// Show is called by one goroutine at a time, as often as it likes.
func (c *Counter) Show(at Count) {
	if c.phase.IsZero() || at.Done < c.done {
		c.phase, c.from = time.Now(), at.Done
	}
	c.done = at.Done
	wait := 10 * time.Second
	switch {
	case c.mode == None:
		return
	case c.terminal:
		wait = 100 * time.Millisecond
	case c.mode == JSON:
		wait = time.Second
	}
	if time.Since(c.last) < wait {
		return
	}
	c.last = time.Now()
	elapsed, left := time.Since(c.began), c.left(at)
	if at.Text == "" {
		at.Text = fmt.Sprintf("%d of %d done", at.Done, at.Total)
	}
	text := fmt.Sprintf("%s: %s, %.3g moves, %.1f s, %s left", c.What, at.Text, float64(at.Moves), elapsed.Seconds(), clock(left))
	switch {
	case c.terminal:
		c.shown = true
		io.WriteString(c.f, c.live(text, TerminalWidth(c.f)-1)) // a full line would wrap
	case c.mode == JSON:
		all := map[string]any{"event": "progress", "what": c.What, "done": at.Done, "total": at.Total, "moves": at.Moves,
			"elapsed_s": round(elapsed.Seconds()), "left_s": seconds(left)}
		maps.Copy(all, at.Fields)
		b, err := json.Marshal(all)
		if err != nil {
			b = fmt.Appendf(nil, `{"event":"progress","error":%q}`, err)
		}
		fmt.Fprintf(c.f, "%s\n", b)
	default:
		fmt.Fprintln(c.f, text)
	}
}

// live is the text over what was shown before, with the lines below it; the cursor returns to the text.
func (c *Counter) live(text string, width int) string {
	var b strings.Builder
	b.WriteString("\r\x1b[J" + clip(text, width))
	for _, line := range c.Below {
		b.WriteString("\n" + clip(line, width))
	}
	if n := len(c.Below); n > 0 {
		fmt.Fprintf(&b, "\r\x1b[%dA", n)
	}
	return b.String()
}

// Live tells whether a person looks on, so that Below is worth its making.
func (c *Counter) Live() bool { return c.terminal }

// left is the time left of the job.
func (c *Counter) left(at Count) time.Duration {
	task := Left(at.Total-at.Done, float64(at.Done-c.from)/time.Since(c.phase).Seconds())
	if c.Whole == nil {
		return task
	}
	return c.Whole(task)
}

// Clear takes the lines away.
func (c *Counter) Clear() {
	if c.shown {
		fmt.Fprint(c.f, "\r\x1b[J")
	}
}

// TerminalWidth is that of the terminal, or COLUMNS; 0 where f is none.
func TerminalWidth(f *os.File) int {
	if !term.IsTerminal(int(f.Fd())) {
		return 0
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
		return n
	}
	return 80
}
