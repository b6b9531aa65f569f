package tunings

import (
	"errors"
	"strings"
	"testing"
)

// tuned has a byte of tuning.
type tuned struct{ b byte }

func (k *tuned) Freeze()                        {}
func (k *tuned) MarshalBinary() ([]byte, error) { return []byte{k.b}, nil }
func (k *tuned) UnmarshalBinary(b []byte) error {
	if len(b) != 1 {
		return ErrOther
	}
	k.b = b[0]
	return nil
}

type forgetful struct{}

func (forgetful) Freeze() {}

func TestAll(t *testing.T) {
	b, err := MarshalAll([]any{&tuned{3}, 7, &tuned{5}})
	if err != nil {
		t.Fatal(err)
	}
	one, other := new(tuned), new(tuned)
	if err := UnmarshalAll(b, []any{one, 7, other}); err != nil || one.b != 3 || other.b != 5 {
		t.Errorf("%v and %v, %v", one, other, err)
	}
	for n := range b {
		if UnmarshalAll(b[:n], []any{one, 7, other}) == nil {
			t.Errorf("the first %d bytes were taken", n)
		}
	}
	for _, parts := range [][]any{{one, 7}, {one, other, 7}, {one, 7, other, 7}} {
		if UnmarshalAll(b, parts) == nil {
			t.Errorf("taken by %v", parts)
		}
	}
	if err := UnmarshalAll(append(b, 0), []any{one, 7, other}); !errors.Is(err, ErrOther) {
		t.Error(err)
	}
	if _, err := MarshalAll([]any{forgetful{}}); err == nil || !strings.Contains(err.Error(), "lacks MarshalBinary") {
		t.Error(err)
	}
}
