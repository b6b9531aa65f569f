package bugs

import "strings"

// foreign are functions of R, of Stan and of OpenBUGS that the language lacks, in lower case and without dots and
// underscores, and what to write instead.
var foreign = map[string]string{
	"matrix": "Give the matrix in the data, or define its elements: S[1,1] <- 1.", "diag": "Define the elements in loops: S[i,j] <- equals(i, j).",
	"array": "Give the array in the data, or define its elements in loops.", "vector": "Shapes come from subscripts: x[1:3].",
	"nrow": "Write D <- dim(y) in a data block, and D[1]; or give the number in the data.", "ncol": "Write D <- dim(y) in a data block, and D[2]; or give the number in the data.",
	"rows": "Write D <- dim(y) in a data block, and D[1]; or give the number in the data.", "cols": "Write D <- dim(y) in a data block, and D[2]; or give the number in the data.",
	"seqalong": "Write 1:length(y).", "seqlen": "Write 1:n.", "seq": "Write a:b, or give the numbers in the data.", "numelements": "Write length(y).", "size": "Write length(y).", "nelem": "Write length(y).",
	"log10": "Write log(x) / log(10).", "log2": "Write log(x) / log(2).", "log1p": "Write log(1 + x).", "expm1": "Write exp(x) - 1.", "log1m": "Write log(1 - x).", "log1pexp": "Write log(1 + exp(x)).",
	"invlogit": "Write ilogit(x).", "sigmoid": "Write ilogit(x).", "logistic": "Write ilogit(x).", "invcloglog": "Write icloglog(x).", "invphi": "Write probit(p).",
	"var": "Write pow(sd(x[]), 2).", "variance": "Write pow(sd(x[]), 2).", "median": "Write s <- sort(x[]), and s[k] for the middle k.", "cumsum": "Write sum(x[1:i]) in a loop.",
	"cumprod": "Write prod(x[1:i]) in a loop.", "range": "Write min(x[]) and max(x[]).", "colmeans": "Write mean(x[,j]) in a loop.", "rowmeans": "Write mean(x[i,]) in a loop.",
	"colsums": "Write sum(x[,j]) in a loop.", "rowsums": "Write sum(x[i,]) in a loop.", "apply": "Write a loop over the rows or columns.", "sapply": "Write a loop.", "lapply": "Write a loop.",
	"solve": "Write inverse(A) %*% b.", "det": "Write exp(logdet(A)), of a positive definite A.", "logdeterminant": "Write logdet(A).", "crossprod": "Write t(x) %*% y.", "outer": "Write two loops: z[i,j] <- x[i] * y[j].",
	"chol": "No distribution needs a root of a matrix: dmnorm takes the precisions, dmnorm.vcov the covariances.", "eigen": "Give the numbers in the data, where they are fixed.", "svd": "Give the numbers in the data, where they are fixed.",
	"gamma": "Write exp(loggam(x)).", "tgamma": "Write exp(loggam(x)).", "gammaln": "Write loggam(x).", "factorial": "Write exp(logfact(n)).", "lchoose": "Write logfact(n) - logfact(k) - logfact(n - k).",
	"choose": "Write exp(logfact(n) - logfact(k) - logfact(n - k)).", "lbeta": "Write loggam(a) + loggam(b) - loggam(a + b).", "beta": "Write exp(loggam(a) + loggam(b) - loggam(a + b)).",
	"digamma": "There are no derivatives of loggam: give the number in the data, where it is fixed.", "trigamma": "There are no derivatives of loggam: give the number in the data, where it is fixed.", "besseli": "Give the value in the data, where it is fixed.", "besselj": "Give the value in the data, where it is fixed.",
	"besselk": "Give the value in the data, where it is fixed.", "bessely": "Give the value in the data, where it is fixed.",
	"sign": "Write 2 * step(x) - 1.", "floor": "Write trunc(x) where x >= 0, or trunc(x) - (x < trunc(x)).", "ceiling": "Write trunc(x) + (x > trunc(x)).", "ceil": "Write trunc(x) + (x > trunc(x)).",
	"mod": "Write a - b * trunc(a / b).", "fabs": "Write abs(x).", "fmax": "Write max(a, b).", "fmin": "Write min(a, b).", "square": "Write x^2.", "cube": "Write x^3.", "inv": "Write 1 / x.", "pmin": "Write ifelse(a < b, a, b).",
	"pmax": "Write ifelse(a > b, a, b).", "isna": "Give the answer in the data: what is missing is known before sampling.", "which": "Give the indices in the data.", "any": "Write sum(x[] > 0) > 0.", "all": "Write prod(x[] > 0).",
	"dotproduct": "Write inprod(a[], b[]).", "dot": "Write inprod(a[], b[]).", "dotself": "Write inprod(a[], a[]).", "columnsdotproduct": "Write inprod(a[,j], b[,j]) in a loop.",
	"logsumexp": "Write log(sum(exp(x[]))).", "softmax": "Write exp(x[k]) / sum(exp(x[])) in a loop.", "logmix": "Write a latent class, a node with dcat.", "normalize": "Write x[k] / sum(x[]) in a loop.",
	"tovector": "Shapes come from subscripts: x[1:3].", "tomatrix": "Shapes come from subscripts: x[1:3,1:2].", "atan2": "Write atan(y / x) where x > 0.", "hypot": "Write sqrt(x^2 + y^2).", "erf": "Write 2 * phi(x * sqrt(2)) - 1.",
	"nchar": "Give the number in the data.", "paste": "A model has no text: write numbers.", "print": "Values are recorded by Job.Monitors.", "return": "Write name <- expression.", "stop": "Leave it out: data and bounds say what is impossible.", "library": "Leave it out: there are no packages.",
	"cat": "Values are recorded by Job.Monitors.", "offset": "It is a term like others: … + log(exposure[i]).", "factor": "Give the levels in the data as 1, 2, …, and index by them: b[g[i]].", "inverselogit": "Write ilogit(x).", "antilogit": "Write ilogit(x).",
	"lm": "Write dnorm with a linear mean, in a loop.", "glm": "Write a distribution and a link, such as logit(p[i]) <- …, in a loop.",
}

// foreignHint is what to write instead of a function of another language, or "".
func foreignHint(name string) string {
	plain := strings.NewReplacer(".", "", "_", "").Replace(strings.ToLower(name))
	if text := foreign[plain]; text != "" {
		return text
	}
	for _, ending := range []string{"lpdf", "lpmf", "lupdf", "lupmf"} {
		if of, ok := strings.CutSuffix(plain, ending); ok && of != "" {
			return "The log density of a distribution dname is logdensity.name(x, …), such as logdensity.norm(x, mu, tau)."
		}
	}
	return ""
}
