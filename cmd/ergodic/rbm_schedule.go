package main

import (
	"context"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/path"
	"github.com/ergodic-mcmc/ergodic/rbm"
)

// rbmSchedule turns the flag --schedule into temperatures: a shape, to which
// --temperatures gives the number, or pieces STEPS:TO with their own.
func rbmSchedule(job, flag string, pilot path.Settings) (func(context.Context, *rbm.Family, int) (path.Schedule, error), error) {
	switch flag {
	case "":
		return nil, nil
	case "uniform":
		return func(_ context.Context, _ *rbm.Family, n int) (path.Schedule, error) { return path.Uniform(n) }, nil
	case "geometric":
		return func(_ context.Context, _ *rbm.Family, n int) (path.Schedule, error) { return path.Geometric(n, 1e-3) }, nil
	case "sigmoid":
		return func(_ context.Context, _ *rbm.Family, n int) (path.Schedule, error) { return path.Sigmoid(n, 4) }, nil
	case "length", "friction":
		return func(ctx context.Context, f *rbm.Family, n int) (path.Schedule, error) {
			return path.EqualLength(ctx, f, n, path.Pilot{Settings: pilot, Friction: flag == "friction"})
		}, nil
	}
	var pieces []path.Piece
	for _, p := range strings.Split(flag, ",") {
		steps, to, ok := strings.Cut(p, ":")
		n, err := strconv.Atoi(steps)
		beta, err2 := strconv.ParseFloat(to, 64)
		if !ok || err != nil || err2 != nil {
			return nil, usage("%s: --schedule %s: it is uniform, geometric, sigmoid, length, friction, or pieces such as 500:0.5,4000:0.9,10000:1", job, wording.Brief(flag))
		}
		pieces = append(pieces, path.Piece{To: beta, Steps: n})
	}
	s, err := path.Pieces(pieces...)
	if err != nil {
		return nil, usage("%s: --schedule %s: %w", job, wording.Brief(flag), err)
	}
	return func(context.Context, *rbm.Family, int) (path.Schedule, error) { return s, nil }, nil
}
