package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
)

// Parameter is a row of the table: one element of a variable.
type Parameter struct {
	Name     string `json:"-"`
	Mean     Number `json:"mean"`
	SD       Number `json:"sd"`
	MCSEMean Number `json:"mcse_mean"`
	MCSESD   Number `json:"mcse_sd"`
	Q5       Number `json:"q5"`
	Median   Number `json:"median"`
	Q95      Number `json:"q95"`
	ESSBulk  Number `json:"ess_bulk"`
	ESSTail  Number `json:"ess_tail"`
	Rhat     Number `json:"rhat"`
	Khat     Number `json:"khat"`
}

// Number is a float64 that JSON writes as null where it is NaN or infinite.
type Number float64

// MarshalJSON writes the number or null.
func (x Number) MarshalJSON() ([]byte, error) {
	if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(x))
}

// UnmarshalJSON reads null as NaN.
func (x *Number) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*x = Number(math.NaN())
		return nil
	}
	return json.Unmarshal(b, (*float64)(x))
}

// Parameters is the table. In JSON it is an object from names to rows that
// keeps the order.
type Parameters []Parameter

// MarshalJSON writes an object.
func (p Parameters) MarshalJSON() ([]byte, error) {
	return marshalOrdered(len(p), func(i int) (string, any) { return p[i].Name, p[i] })
}

// ComparedParameters is in JSON an object too.
type ComparedParameters []ComparedParameter

// MarshalJSON writes an object.
func (p ComparedParameters) MarshalJSON() ([]byte, error) {
	return marshalOrdered(len(p), func(i int) (string, any) { return p[i].Name, p[i] })
}

// marshalOrdered writes an object whose members keep their order.
func marshalOrdered(n int, member func(int) (name string, value any)) ([]byte, error) {
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

// UnmarshalJSON reads an object.
func (p *Parameters) UnmarshalJSON(b []byte) error {
	d := json.NewDecoder(bytes.NewReader(b))
	t, err := d.Token()
	if err != nil {
		return err
	}
	if t == nil {
		return nil
	}
	if t != json.Delim('{') {
		return errors.New("parameters are not an object")
	}
	*p = nil
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return err
		}
		row := Parameter{Khat: Number(math.NaN())} // earlier files have none
		if err := d.Decode(&row); err != nil {
			return err
		}
		row.Name, _ = t.(string)
		*p = append(*p, row)
	}
	return nil
}
