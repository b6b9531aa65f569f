package vec

type (
	expRow struct {
		tail float64
		bits uint64
	}
	logRow struct{ inv, hi, lo, _ float64 }
)

// ExpTable is the table of Exp, for loops in assembly with its bits: 128 rows of 16 bytes.
func ExpTable() *[128]expRow { return &expTable }

// LogTable is the table of Log: 128 rows of 32 bytes.
func LogTable() *[128]logRow { return &logTable }
