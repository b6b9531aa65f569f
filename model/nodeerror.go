package model

import (
	"fmt"
	"strings"
)

// NodeError is a node at fault: one that no kernel can move, whose parameters
// are outside their domain, or that has no finite density.
type NodeError struct {
	Place  Place
	Msg    string  // names the node
	Left   string  // the node's name
	Dist   string  // its distribution; "" where the relation is not worth showing
	Params []Param // of the distribution, then the bounds of T(,)
	Lo, Hi bool    // which bounds there are
	Hint   string
}

// Param is a parameter with its value: "mu[3] = 1.5"; Name is "" for a number
// alone and for a vector, whose elements are all in Value, and Value is "" while
// it is not known.
type Param struct {
	Name, Value string
	Vector      bool
}

func (p Param) String() string {
	switch {
	case p.Name == "":
		return p.Value
	case p.Value == "":
		return p.Name
	}
	return p.Name + " = " + p.Value
}

func (e *NodeError) Error() string {
	s := fmt.Sprintf("%d:%d: %s", e.Place.Line, e.Place.Col, e.Msg)
	if e.Dist != "" {
		s += "\n  " + e.Relation(nil)
	}
	return s + "\n  " + e.Hint
}

// Relation is the node's relation with values: "y ~ dnorm(mu = 1.5, 4) T(0,)".
// name, where not nil, gives the k-th parameter a better name than its own.
func (e *NodeError) Relation(name func(k int, own string) string) string {
	texts := make([]string, len(e.Params))
	for k, p := range e.Params {
		if name != nil && !p.Vector {
			p.Name = name(k, p.Name)
		}
		texts[k] = p.String()
	}
	n := len(texts)
	if e.Hi {
		n--
	}
	if e.Lo {
		n--
	}
	s := e.Left + " ~ " + e.Dist + "(" + strings.Join(texts[:n], ", ") + ")"
	if !e.Lo && !e.Hi {
		return s
	}
	bounds := texts[n:]
	lo, hi := "", ""
	if e.Lo {
		lo, bounds = bounds[0], bounds[1:]
	}
	if e.Hi {
		hi = " " + bounds[0]
	}
	return s + " T(" + lo + "," + hi + ")"
}
