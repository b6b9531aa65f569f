//go:build !linux && !darwin

package memory

func physical() (float64, bool) { return 0, false }

func group() (float64, bool) { return 0, false }

func resources() []resource { return nil }
