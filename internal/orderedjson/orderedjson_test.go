package orderedjson

import (
	"encoding/json"
	"slices"
	"testing"
)

func TestRoundTrip(t *testing.T) {
	names, values := []string{"b", "a[1,2]", "\"\n"}, []float64{2, -1.5, 0}
	b, err := Marshal(len(names), func(i int) (string, any) { return names[i], values[i] })
	if want := `{"b":2,"a[1,2]":-1.5,"\"\n":0}`; err != nil || string(b) != want {
		t.Fatalf("%v, %s, not %s", err, b, want)
	}
	var gotNames []string
	var got []float64
	err = Unmarshal(b, func(name string, d *json.Decoder) error {
		var x float64
		err := d.Decode(&x)
		gotNames, got = append(gotNames, name), append(got, x)
		return err
	})
	if err != nil || !slices.Equal(gotNames, names) || !slices.Equal(got, values) {
		t.Errorf("%v, %v %v", err, gotNames, got)
	}
}

func TestUnmarshalRefuses(t *testing.T) {
	for text, ok := range map[string]bool{"null": true, "{}": true, "[1]": false, "3": false, "{\"a\": 1": false, "{\"a\"}": false, "": false, "{1: 2}": false} {
		err := Unmarshal([]byte(text), func(name string, d *json.Decoder) error {
			var x float64
			return d.Decode(&x)
		})
		if (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}
