package lcg

import (
	"math/big"
	"math/bits"
)

// Period is the exact shape of the sequence of states that begins with seed: after tail states it repeats with the
// given period. For each prime power of the modulus the recurrence either forgets its start (the prime divides the
// multiplier) or permutes the residues; the period then divides a known number and is found by taking out its primes
// (Knuth 1997, The Art of Computer Programming 2, section 3.2.1). It is the modulus, for every seed, where
// the three conditions of Hull and Dobell (1962), "Random number generators", SIAM Review 4, hold: the increment is
// prime to the modulus, and the multiplier is 1 modulo its primes and modulo 4 if that divides it. Numbers of 64 bits
// are factored on the way, which takes milliseconds.
func (g Generator) Period(seed uint64) (tail, period uint64, err error) {
	if err := g.checkSeed(seed); err != nil {
		return 0, 0, err
	}
	period = 1
	for _, f := range factor(g.Modulus) {
		t, n := g.periodModulo(seed, f)
		tail = max(tail, t)
		period *= n / gcd(period, n) // divides the modulus or a number below it
	}
	return tail, period, nil
}

// periodModulo is Period of the sequence modulo a prime power.
func (g Generator) periodModulo(seed uint64, f primePower) (tail, period uint64) {
	q := f.value()
	h := Generator{Modulus: q, Multiplier: g.Multiplier % q, Increment: g.Increment % q}
	x := seed % q
	if g.Multiplier%f.prime == 0 {
		// Differences of successive states gain a factor of the prime at each step.
		for next := h.step(x); next != x; next = h.step(x) {
			x = next
			tail++
		}
		return tail, 1
	}
	// Some power of the recurrence is the identity: its linear part a^n is 1 and its sum 1 + a + … + a^(n-1) is 0.
	period = q
	if g.Multiplier%f.prime != 1 {
		period = q / f.prime * (f.prime - 1)
	}
	for _, p := range factor(period) {
		for period%p.prime == 0 && h.jump(x, period/p.prime) == x {
			period /= p.prime
		}
	}
	return 0, period
}

// jump is the state n steps after x.
func (g Generator) jump(x, n uint64) uint64 {
	m := g.Modulus
	a, c := g.Multiplier, g.Increment // the map of 1, 2, 4, … steps
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			x = addMod(mulMod(a, x, m), c, m)
		}
		c = addMod(mulMod(a, c, m), c, m)
		a = mulMod(a, a, m)
	}
	return x
}

// primePower is a factor prime^power.
type primePower struct {
	prime uint64
	power int
}

func (f primePower) value() uint64 {
	v := uint64(1)
	for range f.power {
		v *= f.prime
	}
	return v
}

// factor lists the prime powers of n ≥ 1.
func factor(n uint64) []primePower {
	var list []primePower
	for p := uint64(2); p < 1<<10; p++ {
		for ; n%p == 0; n /= p {
			list = appendPrime(list, p)
		}
	}
	for rest := []uint64{n}; len(rest) > 0; {
		n, rest = rest[len(rest)-1], rest[:len(rest)-1]
		switch {
		case n == 1:
		case new(big.Int).SetUint64(n).ProbablyPrime(0): // certain below 2⁶⁴
			list = appendPrime(list, n)
		default:
			d := divisor(n)
			rest = append(rest, d, n/d)
		}
	}
	return list
}

func appendPrime(list []primePower, p uint64) []primePower {
	for i := range list {
		if list[i].prime == p {
			list[i].power++
			return list
		}
	}
	return append(list, primePower{p, 1})
}

// divisor finds a proper divisor of a composite n without small ones by Pollard's (1975) rho method, on x² + c for
// c = 1, 2, …
func divisor(n uint64) uint64 {
	for c := uint64(1); ; c++ {
		next := func(x uint64) uint64 { return addMod(mulMod(x, x, n), c, n) }
		slow, fast, d := uint64(2), uint64(2), uint64(1)
		for d == 1 {
			slow, fast = next(slow), next(next(fast))
			d = gcd(max(slow, fast)-min(slow, fast), n)
		}
		if d != n {
			return d
		}
	}
}

// gcd is Stein's (1967); gcd(0, b) is b.
func gcd(a, b uint64) uint64 {
	if a == 0 || b == 0 {
		return a | b
	}
	twos := bits.TrailingZeros64(a | b)
	a >>= bits.TrailingZeros64(a)
	for b != 0 {
		b >>= bits.TrailingZeros64(b)
		if a > b {
			a, b = b, a
		}
		b -= a
	}
	return a << twos
}
