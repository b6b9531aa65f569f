package vec

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// RegIncBeta is I_x(a, b).
func RegIncBeta(a, b, x float64) float64    { return mathext.RegIncBeta(a, b, x) }
func InvRegIncBeta(a, b, q float64) float64 { return mathext.InvRegIncBeta(a, b, q) }

// GammaP is the regularised lower incomplete gamma function P(a, x), GammaQ the upper one.
func GammaP(a, x float64) float64    { return mathext.GammaIncReg(a, x) }
func GammaQ(a, x float64) float64    { return mathext.GammaIncRegComp(a, x) }
func InvGammaP(a, q float64) float64 { return mathext.GammaIncRegInv(a, q) }
func InvGammaQ(a, q float64) float64 { return mathext.GammaIncRegCompInv(a, q) }

// LogGammaP, LogGammaQ: logs, accurate in far tails. LogRegIncBeta is log I_x(a,b).
func LogGammaP(a, x float64) float64        { return math.Log(GammaP(a, x)) }
func LogGammaQ(a, x float64) float64        { return math.Log(GammaQ(a, x)) }
func LogRegIncBeta(a, b, x float64) float64 { return math.Log(RegIncBeta(a, b, x)) }
