package draws

// Stat is what a kernel said of one draw.
type Stat struct {
	AcceptanceRate float64
	Diverging      bool
	TreeDepth      int
	NSteps         int     // evaluations of the density or its gradient
	LP             float64 // log density of the draw; NaN where not known

	// Others are the values of [Layout.OtherStats].
	Others []float64
}

// Recorder is where a run sends its draws. Calls for one chain come from one
// goroutine at a time; different chains call at the same time.
type Recorder interface {
	// Append adds a draw, which the recorder copies. A draw that is not
	// kept because of an error may be appended again.
	Append(chain int, warmup bool, draw []float64, stat Stat) error
	// Sync returns when every draw of the chain so far would survive the
	// death of the process. A checkpoint is written after it, never before. The
	// digest stands for all of these draws: other draws have another. It is nil
	// where the recorder makes none.
	Sync(chain int) (digest []byte, err error)
	// Truncate forgets all draws of a chain but the first warmup of warm-up
	// (where those are kept at all) and the first kept after it, as a run that
	// resumes from a checkpoint asks for. It fails unless their digest is the one
	// that is given; nil stands for any.
	Truncate(chain int, warmup, kept int, digest []byte) error
	// Close makes all draws durable and ends the recording.
	Close() error
}
