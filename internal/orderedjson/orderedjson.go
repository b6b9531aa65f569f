// Package orderedjson writes and reads JSON objects whose members have an order.
package orderedjson

import (
	"bytes"
	"encoding/json"
	"errors"
)

// Marshal writes an object of n members.
func Marshal(n int, member func(int) (name string, value any)) ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		name, value := member(i)
		key, err := json.Marshal(name)
		if err != nil {
			return nil, err
		}
		text, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(text)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Unmarshal reads an object: member decodes the value of each name. A null has no members.
func Unmarshal(b []byte, member func(name string, value *json.Decoder) error) error {
	d := json.NewDecoder(bytes.NewReader(b))
	t, err := d.Token()
	if err != nil || t == nil {
		return err
	}
	if t != json.Delim('{') {
		return errors.New("it is not an object")
	}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return err
		}
		name, _ := t.(string) // as every key is
		if err := member(name, d); err != nil {
			return err
		}
	}
	_, err = d.Token() // the brace
	return err
}
