package plan

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// studentFit is a multivariate Student t with proposalDF degrees of freedom at the mean of points, with their covariance as its scale matrix, a little wider.
type studentFit struct {
	count float64
	mean  []float64
	m2    []float64 // Σ (u − mean)(u − mean)ᵀ, by rows
	loc   []float64
	chol  []float64 // lower factor of the scale matrix; its first element is 0 before one is known
	z     []float64
}

const (
	widerFit   = 1.1 // standard deviations of the scale matrix in those of the points
	leastFit   = 50  // points that are needed
	shrinkFit  = 20  // points, a dimension, of no correlation that those counted are mixed with
	leastPivot = 1e-6
)

func newStudentFit(d int) studentFit {
	f := func(n int) []float64 { return make([]float64, n) }
	return studentFit{mean: f(d), m2: f(d * d), loc: f(d), chol: f(d * d), z: f(d)}
}

// learn counts a point, unless it is not finite.
func (f *studentFit) learn(u []float64) {
	for _, x := range u {
		if !vec.Finite(x) {
			return
		}
	}
	f.count++
	d := len(u)
	for j, x := range u {
		f.z[j] = x - f.mean[j]
		f.mean[j] += f.z[j] / f.count
	}
	for j, x := range u {
		for i := range j + 1 {
			f.m2[j*d+i] += float64((x - f.mean[j]) * f.z[i])
		}
	}
}

// settle takes the fit to the points so far, unless they are few or do not vary.
func (f *studentFit) settle() {
	d := len(f.mean)
	if f.count < leastFit {
		return
	}
	chol := make([]float64, d*d)
	keep := f.count / (f.count + float64(shrinkFit*d))
	for j := range d {
		for i := range j + 1 {
			v := f.m2[j*d+i] / f.count * widerFit * widerFit
			if i == j {
				for _, l := range chol[j*d : j*d+j] {
					v -= float64(l * l)
				}
				if !(v > leastPivot*f.m2[j*d+j]/f.count) {
					return
				}
				chol[j*d+j] = math.Sqrt(v)
				continue
			}
			v *= keep
			for h := range i {
				v -= float64(chol[j*d+h] * chol[i*d+h])
			}
			chol[j*d+i] = v / chol[i*d+i]
		}
	}
	copy(f.loc, f.mean)
	f.chol = chol
}

func (f *studentFit) settled() bool { return f.chol[0] > 0 }

// draw gives a point of the t.
func (f *studentFit) draw(r *rand.Rand, u []float64) {
	d := len(u)
	scale := 1 / math.Sqrt(dist.Gamma(r, 0.5*proposalDF, 0.5*proposalDF))
	for j := range u {
		f.z[j] = dist.StdNormal(r)
		sum := 0.0
		for i, l := range f.chol[j*d : j*d+j+1] {
			sum += float64(l * f.z[i])
		}
		u[j] = f.loc[j] + float64(scale*sum)
	}
}

// logQ is the log density at a point up to a constant.
func (f *studentFit) logQ(u []float64) float64 {
	d, q := len(u), 0.0
	for j, x := range u {
		v := x - f.loc[j]
		for i, l := range f.chol[j*d : j*d+j] {
			v -= float64(l * f.z[i])
		}
		f.z[j] = v / f.chol[j*d+j]
		q += float64(f.z[j] * f.z[j])
	}
	return -0.5 * (proposalDF + float64(d)) * vec.Log1p(q/proposalDF)
}

func (f *studentFit) fields() (all []*float64) {
	all = append(all, &f.count)
	for _, x := range [][]float64{f.mean, f.m2, f.loc, f.chol} {
		for j := range x {
			all = append(all, &x[j])
		}
	}
	return all
}
