package vec

// LogProduct is the logarithm of a product of numbers of at least 0, with few logarithms taken. A number that is very small or large, as the precision of an effect whose standard deviation is 10⁹⁰, has one of its own:
// with it the product could leave the range of numbers.
type LogProduct struct{ sum, prod float64 }

// NewLogProduct is that of no numbers.
func NewLogProduct() LogProduct { return LogProduct{0, 1} }

// Times multiplies by f.
func (l *LogProduct) Times(f float64) {
	if !(f > 1e-100 && f < 1e100) {
		l.sum += Log(f)
		return
	}
	l.prod *= f
	if l.prod > 1e200 || l.prod < 1e-200 {
		l.sum += Log(l.prod)
		l.prod = 1
	}
}

// Log is the logarithm.
func (l *LogProduct) Log() float64 { return l.sum + Log(l.prod) }
