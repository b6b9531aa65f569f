package tsp

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Distance is that between two cities as TSPLIB defines it for the type (Reinelt, TSPLIB 95, section 2); between a city and itself it is 0.
func (p *Problem) Distance(i, j int) int64 {
	if i == j {
		return 0
	}
	if p.weights != nil {
		i, j = max(i, j), min(i, j)
		return int64(p.weights[below(i)+j])
	}
	dx, dy, dz := p.x[i]-p.x[j], p.y[i]-p.y[j], 0.0
	if p.z != nil {
		dz = p.z[i] - p.z[j]
	}
	switch p.Type {
	case "CEIL_2D":
		return int64(math.Ceil(math.Sqrt(float64(dx*dx) + float64(dy*dy))))
	case "MAN_2D", "MAN_3D":
		return nint(math.Abs(dx) + math.Abs(dy) + math.Abs(dz))
	case "MAX_2D", "MAX_3D":
		return max(nint(math.Abs(dx)), nint(math.Abs(dy)), nint(math.Abs(dz)))
	case "ATT":
		return attDistance(dx, dy)
	case "GEO":
		return geoDistance(radians(p.x[i]), radians(p.y[i]), radians(p.x[j]), radians(p.y[j]))
	case "EUC_3D":
		return nint(math.Sqrt(float64(dx*dx) + float64(dy*dy) + float64(dz*dz)))
	}
	return nint(math.Sqrt(float64(dx*dx) + float64(dy*dy)))
}

// below is where the row of a city begins among weights below the diagonal.
func below(i int) int { return i * (i - 1) / 2 }

// nint rounds as TSPLIB does.
func nint(x float64) int64 { return int64(x + 0.5) }

type point struct{ x, y float64 }

// euclid is the distance of type EUC_2D.
func euclid(a, b point) int64 {
	dx, dy := a.x-b.x, a.y-b.y
	return int64(math.Sqrt(float64(dx*dx)+float64(dy*dy)) + 0.5)
}

// attDistance is a tenth of the squared distance under a root that is rounded up.
func attDistance(dx, dy float64) int64 {
	r := math.Sqrt((float64(dx*dx) + float64(dy*dy)) / 10)
	t := nint(r)
	if float64(t) < r {
		t++
	}
	return t
}

// Of TSPLIB's definition of GEO: the radius of the earth in kilometres and π.
const (
	earth = 6378.388
	pi    = 3.141592
)

// degrees of a coordinate DDD.MM, whose decimals are minutes. TSPLIB's text rounds the degrees, and its lengths are of degrees cut off.
func degrees(x float64) float64 {
	whole := math.Trunc(x)
	return whole + 5*(x-whole)/3
}

func radians(x float64) float64 {
	whole := math.Trunc(x)
	return pi * (whole + 5*(x-whole)/3) / 180
}

// geoDistance is between places on a sphere, in kilometres, always rounded up.
func geoDistance(lat1, lon1, lat2, lon2 float64) int64 {
	q1, q2, q3 := vec.Cos(lon1-lon2), vec.Cos(lat1-lat2), vec.Cos(lat1+lat2)
	arc := 0.5 * (float64((1+q1)*q2) - float64((1-q1)*q3))
	return int64(float64(earth*vec.Acos(max(-1, min(1, arc)))) + 1)
}
