package report

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/orderedjson"
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
	return orderedjson.Marshal(len(p), func(i int) (string, any) { return p[i].Name, p[i] })
}

// ComparedParameters is in JSON an object too.
type ComparedParameters []ComparedParameter

// MarshalJSON writes an object.
func (p ComparedParameters) MarshalJSON() ([]byte, error) {
	return orderedjson.Marshal(len(p), func(i int) (string, any) { return p[i].Name, p[i] })
}

// UnmarshalJSON reads an object.
func (p *Parameters) UnmarshalJSON(b []byte) error {
	var all Parameters
	err := orderedjson.Unmarshal(b, func(name string, value *json.Decoder) error {
		row := Parameter{Khat: Number(math.NaN())} // earlier files have none
		err := value.Decode(&row)
		row.Name = name
		all = append(all, row)
		return err
	})
	if err != nil {
		return fmt.Errorf("parameters: %w", err)
	}
	*p = all
	return nil
}
