package checksummed_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/checksummed"
)

// An object with a checksum is JSON like any other; a changed one is an error or says
// the same.
func TestEncodeJSON(t *testing.T) {
	type load struct {
		Draws int
		Name  string
	}
	want := load{1000, "x"}
	plain, err := json.MarshalIndent(want, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	whole := checksummed.EncodeJSON(plain)
	for _, b := range [][]byte{plain, whole} { // files of earlier versions have no checksum
		var got load
		if err := checksummed.DecodeJSON(b, &got); err != nil || got != want {
			t.Errorf("%+v, %v", got, err)
		}
	}
	refused := 0
	for at := range whole {
		for bit := range 8 {
			bad := append([]byte{}, whole...)
			bad[at] ^= 1 << bit
			var got load
			if err := checksummed.DecodeJSON(bad, &got); err != nil {
				refused++
			} else if got != want {
				t.Errorf("%q is read as %+v", bad, got)
			}
		}
		var got load
		if err := checksummed.DecodeJSON(whole[:at], &got); err == nil && got != want {
			t.Errorf("%q is read as %+v", whole[:at], got)
		}
	}
	if refused == 0 {
		t.Error("nothing is refused")
	}
}

// Finding the checksum of a long list takes little time beside parsing the list.
func TestChecksumIsFoundFast(t *testing.T) {
	whole := checksummed.EncodeJSON([]byte(`{"List": [1` + string(bytes.Repeat([]byte(",\n 1"), 300_000)) + `]}`))
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
	plain, verified := fastest(json.Unmarshal), fastest(checksummed.DecodeJSON)
	t.Logf("%v %v", plain, verified)
	if verified > 3*plain {
		t.Errorf("%v with the checksum, %v without", verified, plain)
	}
}
