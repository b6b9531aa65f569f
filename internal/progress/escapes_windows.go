package progress

import (
	"os"

	"golang.org/x/sys/windows"
)

// enableEscapes asks the console to understand escape sequences, which it does
// since Windows 10.
func enableEscapes(f *os.File) bool {
	h := windows.Handle(f.Fd())
	var mode uint32
	if windows.GetConsoleMode(h, &mode) != nil {
		return false
	}
	return windows.SetConsoleMode(h, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
