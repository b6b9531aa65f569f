//go:build !linux

package memory

func onLargePages([]byte) {}
