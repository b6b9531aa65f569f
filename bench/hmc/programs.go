package main

import (
	"fmt"
	"path/filepath"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
)

// program is a posterior in both languages.
type program struct {
	name    string
	bug     string // file of bench/hmc/models, or of bench/posteriordb/models where a posterior of posteriordb is named
	forced  string // the same for runs with NUTS asked for; bug when empty
	stan    string // file of bench/hmc/models; the test material's when empty
	shared  string // the posterior of posteriordb whose data they read
	data    func() map[string]any
	nodes   []string // that NUTS is asked for, those of forced
	monitor []string
	nutpie  float64 // least ESS a gradient, warm-up included: ../shared/hmc/REFERENCE.md
}

func programs() []program {
	glmm := []string{"alpha", "beta", "u", "sigma"}
	return []program{
		{name: "logistic 1000x20", bug: "logistic", stan: "logistic", data: func() map[string]any { return logistic(1000, 20) },
			nodes: []string{"beta[*]"}, monitor: []string{"beta"}, nutpie: 5988. / 54e3},
		{name: "logistic 10000x50", bug: "logistic", stan: "logistic", data: func() map[string]any { return logistic(10000, 50) },
			nodes: []string{"beta[*]"}, monitor: []string{"beta"}},
		{name: "Poisson GLMM", bug: "poisson_glmm", stan: "poisson_glmm", data: func() map[string]any { return glmmData(0) },
			nodes: []string{"alpha", "beta[*]", "u[*]", "sigma"}, monitor: glmm},
		{name: "negative binomial GLMM", bug: "negbin_glmm", stan: "negbin_glmm", data: func() map[string]any { return glmmData(3) },
			nodes: []string{"alpha", "beta[*]", "u[*]", "sigma", "r"}, monitor: append(glmm[:4:4], "r")},
		{name: "IRT 2PL", bug: "irt_2pl", shared: "irt_2pl-irt_2pl",
			nodes:   []string{"theta[*]", "a[*]", "b[*]", "mu_b", "sigma_theta", "sigma_a", "sigma_b"},
			monitor: []string{"theta", "a", "b", "mu_b", "sigma_theta", "sigma_a", "sigma_b"}},
		{name: "ordered probit", bug: "ordered_probit", stan: "ordered_probit", data: orderedData,
			nodes: []string{"beta[*]", "c[*]"}, monitor: []string{"beta", "c"}},
		{name: "radon", bug: "radon_variable_intercept", forced: "radon_variable_intercept_noncentered", shared: "radon_mn-radon_variable_intercept_noncentered",
			nodes:   []string{"z[*]", "beta", "mu_alpha", "sigma_alpha", "sigma_y"},
			monitor: []string{"alpha", "beta", "mu_alpha", "sigma_alpha", "sigma_y"}, nutpie: 934. / 72e3},
		{name: "eight schools NC", bug: "eight_schools_noncentered", shared: "eight_schools-eight_schools_noncentered",
			nodes: []string{"z[*]", "mu", "tau"}, monitor: []string{"theta", "mu", "tau"}, nutpie: 1994. / 56e3},
		{name: "AR(5)", bug: "arK", shared: "arK-arK", nodes: []string{"alpha", "beta[*]", "sigma"}, monitor: []string{"alpha", "beta", "sigma"}, nutpie: 2234. / 174e3},
		{name: "rats", bug: "rats_model", shared: "rats_data-rats_model",
			nodes:   []string{"alpha[*]", "beta[*]", "mu_alpha", "mu_beta", "sigma_y", "sigma_alpha", "sigma_beta"},
			monitor: []string{"alpha", "beta", "mu_alpha", "mu_beta", "sigma_y", "sigma_alpha", "sigma_beta", "alpha0"}, nutpie: 2157. / 80e3},
		{name: "GP regression", bug: "gp_regression", stan: "gp_regression", shared: "gp_pois_regr-gp_pois_regr",
			nodes: []string{"rho", "alpha", "sigma"}, monitor: []string{"rho", "alpha", "sigma"}},
		{name: "nonlinear hierarchy", bug: "nonlinear", stan: "nonlinear", data: nonlinearData,
			nodes:   []string{"za[*]", "zb[*]", "mu_a", "mu_b", "sigma_a", "sigma_b", "sigma"},
			monitor: []string{"a", "b", "mu_a", "mu_b", "sigma_a", "sigma_b", "sigma"}},
	}
}

// files finds or writes what the two programs read.
type files struct{ bug, forced, stan, data string }

func (b *bench) files(p program) (f files, err error) {
	models := filepath.Join(b.root, "bench", "hmc", "models")
	bugs := models
	if p.shared != "" && p.stan == "" {
		bugs = filepath.Join(b.root, "bench", "posteriordb", "models")
	}
	f.bug, f.forced = filepath.Join(bugs, p.bug+".bug"), filepath.Join(bugs, p.bug+".bug")
	if p.forced != "" {
		f.forced = filepath.Join(bugs, p.forced+".bug")
	}
	if p.shared != "" {
		dir, err := run.Shared("posteriordb", p.shared)
		if err != nil {
			return f, err
		}
		f.data, f.stan = filepath.Join(dir, "data.json"), filepath.Join(dir, "model.stan")
	} else {
		f.data = filepath.Join(b.dir, fmt.Sprintf("%s.json", p.name))
		if err := writeJSON(f.data, p.data()); err != nil {
			return f, err
		}
	}
	if p.stan != "" {
		f.stan = filepath.Join(models, p.stan+".stan")
	}
	return f, nil
}
