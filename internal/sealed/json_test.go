package sealed_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/sealed"
)

// A sealed object is JSON like any other; a changed one is an error or says
// the same.
func TestSealJSON(t *testing.T) {
	type load struct {
		Draws int
		Name  string
	}
	want := load{1000, "x"}
	plain, err := json.MarshalIndent(want, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	whole := sealed.SealJSON(plain)
	for _, b := range [][]byte{plain, whole} { // files of earlier versions have no seal
		var got load
		if err := sealed.OpenJSON(b, &got); err != nil || got != want {
			t.Errorf("%+v, %v", got, err)
		}
	}
	refused := 0
	for at := range whole {
		for bit := range 8 {
			bad := append([]byte{}, whole...)
			bad[at] ^= 1 << bit
			var got load
			if err := sealed.OpenJSON(bad, &got); err != nil {
				refused++
			} else if got != want {
				t.Errorf("%q is read as %+v", bad, got)
			}
		}
		var got load
		if err := sealed.OpenJSON(whole[:at], &got); err == nil && got != want {
			t.Errorf("%q is read as %+v", whole[:at], got)
		}
	}
	if refused == 0 {
		t.Error("nothing is refused")
	}
}

// Finding the seal of a long list takes little beside reading past the list.
func TestSealIsFoundFast(t *testing.T) {
	whole := sealed.SealJSON([]byte(`{"List": [1` + string(bytes.Repeat([]byte(",\n 1"), 300_000)) + `]}`))
	fastest := func(read func([]byte, any) error) time.Duration {
		least := time.Hour
		for range 5 {
			var v struct{}
			start := time.Now()
			if err := read(whole, &v); err != nil {
				t.Fatal(err)
			}
			least = min(least, time.Since(start))
		}
		return least
	}
	plain, seal := fastest(json.Unmarshal), fastest(sealed.OpenJSON)
	t.Logf("%v %v", plain, seal)
	if seal > 3*plain {
		t.Errorf("%v with a seal, %v without looking at it", seal, plain)
	}
}
