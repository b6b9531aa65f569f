package bugs

import (
	"errors"

	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// Explain shows the line of the program behind an error of the plan or of a
// chain's start; other errors stay as they are.
func (c *Compiled) Explain(err error) error {
	var n *plan.NodeError
	if !errors.As(err, &n) {
		return err
	}
	hint := n.Hint
	if n.Parents != "" {
		hint = n.Parents + "\n  " + hint
	}
	return c.Program.ErrorAt(Pos{n.Place.Line, n.Place.Col}, hint, "%s", n.Fault())
}
