package bugs

// items is an empty list with room for n. Lists are laid out one behind the other, and whoever calls [compiler.giveBack] ends those begun since: a predictor of
// 50 terms in 10 000 rows would leave 80 MB behind otherwise.
func (c *compiler) items(n int) []item {
	at := len(c.stack)
	if c.stack == nil || at+n > cap(c.stack) { // lists there are stay where they are
		c.stack = make([]item, at, max(leastStack, at+at/2+n))
	}
	c.stack = c.stack[:at+n]
	return c.stack[at : at : at+n]
}

// leastStack is a few predictors of common length.
const leastStack = 1024

// giveBack ends the lists begun when the stack was so long.
func (c *compiler) giveBack(length int) { c.stack = c.stack[:length] }
