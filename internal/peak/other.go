//go:build !unix

package peak

import "os"

func bytes(*os.ProcessState) int64 { return 0 }
