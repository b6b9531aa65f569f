package columns

// set is a way to run the loops.
type set int

const (
	plainGo set = iota
	avx2
	avx512
)

func (s set) String() string { return [...]string{"Go", "AVX2", "AVX-512"}[s] }
