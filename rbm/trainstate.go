package rbm

import (
	"encoding"
	"errors"
	"fmt"

	"github.com/ergodic-mcmc/ergodic/internal/gobs"
)

// trainerState is all that further updates depend on. Names of fields are those
// of the file.
type trainerState struct {
	Visible, Hidden int
	Done            int
	Parameters      [][]float32
	Hiddens         []float32
	Chains          [][]int32 // hidden layers
	Streams         [][]byte
}

// MarshalBinary returns the state. A trainer of the same cases and settings that
// is given it by UnmarshalBinary makes the same updates as this one.
func (t *Trainer) MarshalBinary() ([]byte, error) {
	s := trainerState{Visible: t.data.Visible, Hidden: t.hidden, Done: t.done, Hiddens: t.hiddens}
	for _, p := range t.kept() {
		all := p.all()
		s.Parameters = append(s.Parameters, all[:]...)
	}
	for _, stream := range t.streams() {
		b, err := stream.MarshalBinary()
		if err != nil {
			return nil, err
		}
		s.Streams = append(s.Streams, b)
	}
	for _, c := range t.chains {
		for _, r := range c.replicas {
			s.Chains = append(s.Chains, r.hidden)
		}
	}
	return gobs.Marshal(&s)
}

// kept are the parameters, fast weights, change and average, where there are any.
func (t *Trainer) kept() []*parameters {
	all := []*parameters{&t.now}
	for _, p := range []*parameters{t.fast, t.change, t.average} {
		if p != nil {
			all = append(all, p)
		}
	}
	return all
}

type stream interface {
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

func (t *Trainer) streams() []stream {
	var all []stream
	for _, c := range t.cases {
		all = append(all, &c.lanes)
	}
	for _, c := range t.chains {
		all = append(all, &c.lanes, c.swaps)
	}
	return all
}

var errTrainerState = errors.New("these bytes are not the state of a trainer with these settings")

// UnmarshalBinary restores a state from MarshalBinary. After an error the
// trainer must not be used.
func (t *Trainer) UnmarshalBinary(state []byte) error {
	var s trainerState
	if err := gobs.Unmarshal(state, &s); err != nil {
		return fmt.Errorf("%w: %w", errTrainerState, err)
	}
	kept, streams := t.kept(), t.streams()
	_, all := t.Updates()
	if s.Visible != t.data.Visible || s.Hidden != t.hidden || s.Done < 0 || s.Done > all ||
		len(s.Parameters) != 3*len(kept) || len(s.Streams) != len(streams) || len(s.Hiddens) != len(t.hiddens) {
		return errTrainerState
	}
	for k, p := range kept {
		for i, x := range p.all() {
			if copy(x, s.Parameters[3*k+i]) != len(x) || len(x) != len(s.Parameters[3*k+i]) {
				return errTrainerState
			}
		}
	}
	for k, stream := range streams {
		if err := stream.UnmarshalBinary(s.Streams[k]); err != nil {
			return err
		}
	}
	copy(t.hiddens, s.Hiddens)
	if err := t.setChains(s.Chains); err != nil {
		return err
	}
	t.done = s.Done
	if t.done%t.Epoch() != 0 {
		t.shuffleCases()
	}
	t.updateDerived()
	return nil
}

func (t *Trainer) setChains(hidden [][]int32) error {
	for _, c := range t.chains {
		for _, r := range c.replicas {
			if len(hidden) == 0 {
				return errTrainerState
			}
			last := int32(-1)
			for _, j := range hidden[0] {
				if j <= last || j >= int32(t.hidden) {
					return errTrainerState
				}
				last = j
			}
			r.hidden = append(r.hidden[:0], hidden[0]...)
			hidden = hidden[1:]
		}
	}
	if len(hidden) > 0 {
		return errTrainerState
	}
	return nil
}
