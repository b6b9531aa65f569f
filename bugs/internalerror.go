package bugs

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// internalError reports a panic of the compiler, which is a bug, as an error
// at the relation that was being compiled.
func (c *compiler) internalError(p any) *Error {
	pos := Pos{1, 1}
	if c.at != nil {
		pos = c.at.ast.Pos
	}
	return c.prog.ErrorAt(pos, "Please report it with the model and its data.", "this is a bug in Ergodic: %v%s", p, panicPlace())
}

// panicPlace is the line of this module that panicked.
func panicPlace() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	after := false
	for {
		f, more := frames.Next()
		if after && !strings.HasPrefix(f.Function, "runtime.") {
			return fmt.Sprintf(" (in %s, %s:%d)", f.Function[strings.LastIndexByte(f.Function, '/')+1:], filepath.Base(f.File), f.Line)
		}
		after = after || f.Function == "runtime.gopanic"
		if !more {
			return ""
		}
	}
}
