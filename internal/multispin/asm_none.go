//go:build !amd64 || noasm

package multispin

func best() set { return plainGo }

func (set) update(r *Row, rule *Rule, l *Lanes) { updateGo(r, rule, l) }

func (set) unequal(r *Row, neighbours int) int { return unequalGo(r, neighbours) }

func (set) turn(dst, src []uint64, left, right int, mask uint64) { turnGo(dst, src, left, right, mask) }
