package mcmc_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/mh"
	"github.com/ergodic-mcmc/ergodic/slice"
)

// banana is a curved target in three dimensions, on which a composed kernel with tuning
// of every kind runs.
type banana struct{}

func (banana) LogDensity(x []float64) float64 {
	b := x[1] - float64(0.3*x[0]*x[0])
	return -float64(0.5*x[0]*x[0]) - float64(2*b*b) - float64(0.5*x[2]*x[2]/9)
}

// bananaJob samples banana and records its coordinates and a forward sample.
type bananaJob struct {
	extras int // forward samples a draw
}

func (bananaJob) Start(_ context.Context, _ int, r *rand.Rand) (*mcmc.Point, error) {
	x := []float64{dist.StdNormal(r), dist.StdNormal(r), dist.StdNormal(r)}
	return mcmc.NewPoint(banana{}, x), nil
}

func (bananaJob) Kernel(int) mcmc.Kernel[*mcmc.Point] {
	walk, err := mh.NewRandomWalk(banana{}, []float64{1, 1, 1})
	if err != nil {
		panic(err)
	}
	coords, err := slice.NewCoordinates(banana{}, 3, slice.Univariate{})
	if err != nil {
		panic(err)
	}
	mixed, err := mcmc.Mixture([]float64{1, 2}, mcmc.Kernel[*mcmc.Point](coords), walk)
	if err != nil {
		panic(err)
	}
	return mcmc.Cycle(mcmc.Repeat[*mcmc.Point](2, walk), mixed)
}

func (j bananaJob) Variables() []draws.Variable {
	return []draws.Variable{{Name: "x", Dims: []int{3}}, {Name: "y", Dims: []int{j.extras}}}
}

func (bananaJob) Record(s *mcmc.Point, r *rand.Rand, dst []float64) {
	copy(dst, s.X)
	for i := 3; i < len(dst); i++ {
		dst[i] = s.X[0] + dist.StdNormal(r)
	}
}

func (bananaJob) LogDensity(s *mcmc.Point) float64 { return s.LogP }

func (bananaJob) MarshalState(s *mcmc.Point) ([]byte, error) {
	return mcmc.PointCodec(3).MarshalState(s)
}

func (bananaJob) UnmarshalState(_ int, b []byte) (*mcmc.Point, error) {
	return mcmc.PointCodec(3).UnmarshalState(b)
}

// hooked is a bananaJob with its parts replaceable.
type hooked struct {
	bananaJob
	start  func(ctx context.Context, chain int) error
	kernel func(chain int, k mcmc.Kernel[*mcmc.Point]) mcmc.Kernel[*mcmc.Point]
}

func (h hooked) Start(ctx context.Context, chain int, r *rand.Rand) (*mcmc.Point, error) {
	if h.start != nil {
		if err := h.start(ctx, chain); err != nil {
			return nil, err
		}
	}
	return h.bananaJob.Start(ctx, chain, r)
}

func (h hooked) Kernel(chain int) mcmc.Kernel[*mcmc.Point] {
	k := h.bananaJob.Kernel(chain)
	if h.kernel != nil {
		return h.kernel(chain, k)
	}
	return k
}

// onStep does something after each step of an adapting kernel.
type onStep struct {
	mcmc.Adapter[*mcmc.Point]
	n  int
	do func(n int)
}

func hookSteps(k mcmc.Kernel[*mcmc.Point], do func(n int)) mcmc.Kernel[*mcmc.Point] {
	return &onStep{Adapter: k.(mcmc.Adapter[*mcmc.Point]), do: do}
}

func (k *onStep) Step(s *mcmc.Point, r *rand.Rand) mcmc.Info {
	k.n++
	k.do(k.n)
	return k.Adapter.Step(s, r)
}

func (k *onStep) MarshalBinary() ([]byte, error) {
	return k.Adapter.(interface{ MarshalBinary() ([]byte, error) }).MarshalBinary()
}

func (k *onStep) UnmarshalBinary(b []byte) error {
	return k.Adapter.(interface{ UnmarshalBinary([]byte) error }).UnmarshalBinary(b)
}

// fileRecorder writes draws as little-endian floats, one file a chain and phase.
type fileRecorder struct {
	dir   string
	width int
	files map[string]*recordFile // made before the run, only read during it
}

type recordFile struct {
	f *os.File
	w *bufio.Writer
}

func newFileRecorder(tb testing.TB, dir string, chains, width int) *fileRecorder {
	r, err := openFileRecorder(dir, chains, width)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { r.Close() })
	return r
}

func openFileRecorder(dir string, chains, width int) (*fileRecorder, error) {
	r := &fileRecorder{dir: dir, width: width, files: map[string]*recordFile{}}
	for c := range chains {
		for _, warmup := range []bool{true, false} {
			name := recordName(c, warmup)
			f, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_RDWR, 0o666)
			if err != nil {
				return nil, err
			}
			if _, err := f.Seek(0, io.SeekEnd); err != nil {
				return nil, err
			}
			r.files[name] = &recordFile{f, bufio.NewWriter(f)}
		}
	}
	return r, nil
}

func recordName(chain int, warmup bool) string { return fmt.Sprintf("draws-%d-%t", chain, warmup) }

func (r *fileRecorder) Append(chain int, warmup bool, draw []float64, stat mcmc.Stat) error {
	w := r.files[recordName(chain, warmup)].w
	var b [8]byte
	for _, v := range append(draw[:len(draw):len(draw)], stat.AcceptProb, float64(stat.Evals)) {
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(v))
		if _, err := w.Write(b[:]); err != nil {
			return err
		}
	}
	return nil
}

func (r *fileRecorder) Sync(chain int) ([]byte, error) {
	for _, warmup := range []bool{true, false} {
		f := r.files[recordName(chain, warmup)]
		if err := errors.Join(f.w.Flush(), f.f.Sync()); err != nil {
			return nil, err
		}
	}
	return r.digest(chain)
}

// digest is a hash of the chain's files.
func (r *fileRecorder) digest(chain int) ([]byte, error) {
	h := sha256.New()
	for _, warmup := range []bool{true, false} {
		b, err := os.ReadFile(r.files[recordName(chain, warmup)].f.Name())
		if err != nil {
			return nil, err
		}
		h.Write(b)
	}
	return h.Sum(nil), nil
}

func (r *fileRecorder) Truncate(chain int, warmup, kept int, digest []byte) error {
	if err := errors.Join(r.cut(recordName(chain, true), warmup), r.cut(recordName(chain, false), kept)); err != nil {
		return err
	}
	if is, err := r.digest(chain); err != nil || digest != nil && !bytes.Equal(is, digest) {
		return fmt.Errorf("not the draws of the checkpoint: %v", err)
	}
	return nil
}

func (r *fileRecorder) cut(name string, n int) error {
	f, size := r.files[name], int64(8*(r.width+2)*n)
	have, err := f.f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if have < size {
		return fmt.Errorf("%s has %d bytes, fewer than %d", name, have, size)
	}
	if err := f.f.Truncate(size); err != nil {
		return err
	}
	_, err = f.f.Seek(size, io.SeekStart)
	return err
}

func (r *fileRecorder) Close() error {
	var err error
	for _, f := range r.files {
		err = errors.Join(err, f.w.Flush(), f.f.Close())
	}
	return err
}

// recorded are the bytes of all draws in a folder.
func recorded(tb testing.TB, dir string, chains int) map[string]string {
	tb.Helper()
	all := map[string]string{}
	for c := range chains {
		for _, warmup := range []bool{true, false} {
			name := recordName(c, warmup)
			b, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				tb.Fatal(err)
			}
			all[name] = string(b)
		}
	}
	return all
}

func sameRecords(tb testing.TB, got, want map[string]string) {
	tb.Helper()
	for name, w := range want {
		if got[name] != w {
			tb.Errorf("%s differs: %d bytes, want %d", name, len(got[name]), len(w))
		}
	}
}
