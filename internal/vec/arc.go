package vec

import "math"

// atanTable[i] is atan(i/16) as a sum of two.
var atanTable = [17][2]float64{
	{0.0, 0.0},
	{0.06241880999595735, -1.5490756308295046e-18},
	{0.12435499454676144, -3.1253241424539383e-18},
	{0.18534794999569476, 4.180692268843079e-18},
	{0.24497866312686414, 1.0698755618734451e-17},
	{0.3028848683749714, -1.1010827903001369e-17},
	{0.35877067027057225, -2.4623815582638635e-17},
	{0.4124104415973873, -1.587652227770689e-17},
	{0.4636476090008061, 2.2698777452961687e-17},
	{0.5123894603107377, -2.5462781472855804e-17},
	{0.5585993153435624, -5.4556305485916264e-18},
	{0.6022873461349642, 2.950430737228402e-17},
	{0.6435011087932844, 1.5834785051444286e-17},
	{0.6823165548747481, 6.943223671560008e-18},
	{0.7188299996216245, -2.1478388444456983e-17},
	{0.7531512809621944, -2.4256934659182068e-17},
	{0.7853981633974483, 3.061616997868383e-17},
}

// Atan is the arc tangent; its error is below 1 ulp.
func Atan(x float64) float64 {
	ax := math.Abs(x)
	var y float64
	switch {
	case ax != ax:
		return x
	case ax <= 1:
		i := int(float64(ax*16) + 0.5)
		c := float64(float64(i) / 16)
		t := (ax - c) / (1 + float64(ax*c))
		if i == 0 {
			t = ax
		}
		y = atanTable[i][0] + (atanTable[i][1] + atanSmall(t))
	case ax < 0x1p60:
		i := int(16/ax + 0.5)
		c := float64(float64(i) / 16)
		t := (float64(ax*c) - 1) / (ax + c)
		a := halfPiHi - atanTable[i][0]
		b := (halfPiHi - a) - atanTable[i][0] + (halfPiLo - atanTable[i][1])
		y = a + (b + atanSmall(t))
	default:
		y = halfPiHi
	}
	return math.Copysign(y, x)
}

// atanSmall is atan(t) for |t| ≤ 1/32 by its Taylor series.
func atanSmall(t float64) float64 {
	z := float64(t * t)
	p := 1.0/9 + float64(z*(-1.0/11+float64(z*(1.0/13))))
	p = -1.0/3 + float64(z*(1.0/5+float64(z*(-1.0/7+float64(z*p)))))
	return t + float64(float64(t*z)*p)
}

// Asin is the arc sine, NaN outside [-1, 1]; its error is below 3 ulp.
func Asin(x float64) float64 {
	if math.Abs(x) < 0x1p-27 {
		return x
	}
	return Atan(x / math.Sqrt(float64((1-x)*(1+x))))
}

// Acos is the arc cosine, NaN outside [-1, 1]; its error is below 3 ulp.
func Acos(x float64) float64 {
	return float64(2 * Atan(math.Sqrt((1-x)/(1+x))))
}
