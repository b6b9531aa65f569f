package rundir

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/regular"
)

// Log adds a line to log.jsonl: {"time": …, "event": …} and the fields.
// Numbers that do not exist must be given as a report.Number.
func (d *Dir) Log(event string, fields map[string]any) error {
	if d.log == nil {
		info, err := os.Stat(d.File(LogFile))
		if err == nil {
			err = regular.Check(d.File(LogFile), info) // a pipe would wait for a reader
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("the log cannot be written: %w", err)
		}
		f, err := os.OpenFile(d.File(LogFile), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
		if err != nil {
			return fmt.Errorf("the log cannot be written: %w", err)
		}
		d.log = f
	}
	line := map[string]any{"time": time.Now().UTC().Format(time.RFC3339Nano), "event": event}
	for k, v := range fields {
		line[k] = v
	}
	b, err := json.Marshal(line)
	if err != nil {
		return fmt.Errorf("the log cannot be written: %w", err)
	}
	if _, err := d.log.Write(append(b, '\n')); err != nil {
		return fmt.Errorf("the log cannot be written: %w", err)
	}
	return nil
}
