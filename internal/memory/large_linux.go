package memory

import "golang.org/x/sys/unix"

// onLargePages is advice: that it is refused changes nothing but the time.
func onLargePages(b []byte) { _ = unix.Madvise(b, unix.MADV_HUGEPAGE) }
