package run

import "os"

// Python is the interpreter of peers from PyPI: the one that ERGODIC_PYTHON names, or the python3 on the PATH.
func Python() string {
	if p := os.Getenv("ERGODIC_PYTHON"); p != "" {
		return p
	}
	return "python3"
}
