//go:build !amd64 || noasm

package multispin

func best() set { return plainGo }

func (set) update(r *Row, rule *Rule, l *Lanes) { updateGo(r, rule, l) }

func (set) unequal(r *Row, neighbours int) int { return unequalGo(r, neighbours) }
