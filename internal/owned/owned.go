// Package owned finds what two kernels have in common that each must have for itself.
package owned

import (
	"crypto/sha256"
	"encoding/hex"
	"reflect"
	"slices"
	"strings"
)

// Shared finds two of the kernels that are one value, or have a part with a state of its own in
// common: a pointer to a kernel, or to a move that learns. Pointers to types without a size have no
// state. Functions and what is behind them are not seen.
func Shared(kernels []any) (i, j int, name string, ok bool) {
	owner := map[part]int{}
	for k, kernel := range kernels {
		parts := partsOf(kernel)
		for _, p := range parts {
			if first, taken := owner[p]; taken {
				return first, k, p.kind.String(), true
			}
		}
		for _, p := range parts {
			owner[p] = k
		}
	}
	return 0, 0, "", false
}

// Anatomy is a hash of the types of a kernel and its parts.
func Anatomy(kernel any) string {
	names := []string{reflect.TypeOf(kernel).String()}
	for _, p := range partsOf(kernel) {
		names = append(names, p.kind.String())
	}
	slices.Sort(names)
	sum := sha256.Sum256([]byte(strings.Join(names, "\n")))
	return hex.EncodeToString(sum[:8])
}

// part is a pointer to something with a state of its own.
type part struct {
	at   uintptr
	kind reflect.Type
}

func partsOf(kernel any) []part {
	w := walk{seen: map[part]bool{}, leads: map[reflect.Type]bool{}}
	w.value(reflect.ValueOf(kernel))
	return w.parts
}

type walk struct {
	parts []part
	seen  map[part]bool
	leads map[reflect.Type]bool // whether a value of the type may lead to a part
}

func (w *walk) value(v reflect.Value) {
	if !v.IsValid() || !w.may(v.Type()) {
		return
	}
	switch v.Kind() {
	case reflect.Interface:
		w.value(v.Elem())
	case reflect.Pointer:
		p := part{v.Pointer(), v.Type()}
		if v.IsNil() || w.seen[p] {
			return
		}
		w.seen[p] = true
		w.parts = append(w.parts, p)
		w.value(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			w.value(v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			w.value(v.Index(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			w.value(v.MapIndex(key))
		}
	}
}

func (w *walk) may(t reflect.Type) bool {
	leads, known := w.leads[t]
	if known {
		return leads
	}
	w.leads[t] = false // of a type that holds itself, the rest decides
	switch t.Kind() {
	case reflect.Interface:
		leads = true
	case reflect.Pointer:
		leads = hasState(t)
	case reflect.Struct:
		for i := range t.NumField() {
			leads = leads || w.may(t.Field(i).Type)
		}
	case reflect.Slice, reflect.Array, reflect.Map:
		leads = w.may(t.Elem())
	}
	w.leads[t] = leads
	return leads
}

// hasState tells pointers to kernels and to what learns from what chains may share: targets, models,
// tables.
func hasState(t reflect.Type) bool {
	if t.Elem().Size() == 0 {
		return false
	}
	_, step := t.MethodByName("Step")
	_, step1 := t.MethodByName("Step1")
	_, learn := t.MethodByName("Learn")
	return step || step1 || learn
}
