package plan

import "github.com/ergodic-mcmc/ergodic/internal/vec"

// logProduct is the logarithm of a product of positive numbers, with few logarithms taken. A number that is very small or large, as the precision of an effect whose standard deviation is 10⁹⁰, has one of its own:
// with it the product could leave the range of numbers.
type logProduct struct{ sum, prod float64 }

func newLogProduct() logProduct { return logProduct{0, 1} }

func (l *logProduct) times(f float64) {
	if !(f > 1e-100 && f < 1e100) {
		l.sum += vec.Log(f)
		return
	}
	l.prod *= f
	if l.prod > 1e200 || l.prod < 1e-200 {
		l.sum += vec.Log(l.prod)
		l.prod = 1
	}
}

func (l *logProduct) log() float64 { return l.sum + vec.Log(l.prod) }
