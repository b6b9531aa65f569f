//go:build !windows

package progress

import "os"

// enableEscapes reports whether the terminal understands escape sequences.
func enableEscapes(*os.File) bool { return true }
