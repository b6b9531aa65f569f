package mcmc

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"

	"github.com/ergodic-mcmc/ergodic/internal/owned"
)

// origin is where a chain comes from: what tells its job from another where no fingerprint does.
type origin struct {
	Kernel string // its parts, hashed; "": not known
	Known  bool   // whether the job is Weighed
	LogP   float64
}

func originOf[S any](job Job[S], kernel Kernel[S], start S) origin {
	o := origin{Kernel: owned.Anatomy(kernel)}
	if w, ok := job.(Weighed[S]); ok {
		o.Known, o.LogP = true, w.LogDensity(start)
	}
	return o
}

// sameOrigin starts the chain once more, to see whether it starts where that of the checkpoint did.
func (c *chain[S]) sameOrigin(ctx context.Context, was origin) error {
	if len(c.set.Fingerprint) > 0 || was.Kernel == "" {
		return nil
	}
	if owned.Anatomy(c.kernel) != was.Kernel {
		return fmt.Errorf("the kernel differs: this one is a %T with other parts than that of the run", c.kernel)
	}
	if !was.Known {
		return nil
	}
	state, err := c.firstState(ctx)
	if err != nil {
		return err
	}
	now := originOf(c.job, c.kernel, state)
	if math.Float64bits(now.LogP) == math.Float64bits(was.LogP) {
		return nil
	}
	return fmt.Errorf("the target or its start differs: the run began at the log density %v, and this job begins at %v", was.LogP, now.LogP)
}

// storable says why values of the type would not come back from a checkpoint as they were.
// Package encoding/gob leaves out, without a word, fields that are unexported, functions or channels.
func storable(t reflect.Type) error {
	return unstored(t, t.String(), map[reflect.Type]bool{})
}

func unstored(t reflect.Type, path string, seen map[reflect.Type]bool) error {
	if seen[t] || marshals(t) {
		return nil
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return errors.New(path + " is a " + t.Kind().String())
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return unstored(t.Elem(), path, seen)
	case reflect.Map:
		if err := unstored(t.Key(), path, seen); err != nil {
			return err
		}
		return unstored(t.Elem(), path, seen)
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if !f.IsExported() {
				return errors.New(path + "." + f.Name + " is not exported")
			}
			if err := unstored(f.Type, path+"."+f.Name, seen); err != nil {
				return err
			}
		}
	}
	return nil
}

// marshals tells types that write and read themselves.
func marshals(t reflect.Type) bool {
	for _, pair := range [...][2]string{{"GobEncode", "GobDecode"}, {"MarshalBinary", "UnmarshalBinary"}} {
		_, writes := reflect.PointerTo(t).MethodByName(pair[0])
		_, reads := reflect.PointerTo(t).MethodByName(pair[1])
		if writes && reads {
			return true
		}
	}
	return false
}
