package rbm

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/path"
)

// ScheduleFunc lays so many steps between base and machine.
type ScheduleFunc = func(ctx context.Context, f *Family, steps int) (path.Schedule, error)

// ParseSchedule reads how temperatures lie: uniform, geometric, sigmoid, length or friction (as a pilot with these settings measures
// it), or pieces STEPS:TO with numbers of their own, such as 500:0.5,4000:0.9,10000:1.
func ParseSchedule(text string, pilot path.Settings) (ScheduleFunc, error) {
	shape := func(lay func(n int) (path.Schedule, error)) (ScheduleFunc, error) {
		return func(_ context.Context, _ *Family, n int) (path.Schedule, error) { return lay(n) }, nil
	}
	switch text {
	case "uniform":
		return shape(path.Uniform)
	case "geometric":
		return shape(func(n int) (path.Schedule, error) { return path.Geometric(n, 1e-3) })
	case "sigmoid":
		return shape(func(n int) (path.Schedule, error) { return path.Sigmoid(n, 4) })
	case "length", "friction":
		return func(ctx context.Context, f *Family, n int) (path.Schedule, error) {
			return path.EqualLength(ctx, f, n, path.Pilot{Settings: pilot, Friction: text == "friction"})
		}, nil
	}
	var pieces []path.Piece
	for p := range strings.SplitSeq(text, ",") {
		steps, to, ok := strings.Cut(p, ":")
		n, err := strconv.Atoi(steps)
		beta, err2 := strconv.ParseFloat(to, 64)
		if !ok || err != nil || err2 != nil {
			return nil, errors.New("it is uniform, geometric, sigmoid, length, friction, or pieces such as 500:0.5,4000:0.9,10000:1")
		}
		pieces = append(pieces, path.Piece{To: beta, Steps: n})
	}
	s, err := path.Pieces(pieces...)
	if err != nil {
		return nil, err
	}
	return shape(func(int) (path.Schedule, error) { return s, nil })
}
