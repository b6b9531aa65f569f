"""Runs emcee's stretch ensemble on a normal density given as JSON on stdin, and
prints the CPU seconds, moments and autocorrelation times as JSON."""

import json
import sys
import time

try:
    import emcee
    import numpy as np
except ImportError as e:
    print(f"missing: {e}", file=sys.stderr)
    sys.exit(3)

job = json.load(sys.stdin)
dim, walkers, steps = job["Dim"], job["Walkers"], job["Steps"]
mean = np.array(job["Mean"])
precision = np.array(job["Precision"]).reshape(dim, dim)


def one(x):
    d = x - mean
    return -0.5 * d.dot(precision).dot(d)


def many(x):
    d = x - mean
    return -0.5 * np.sum(d.dot(precision) * d, axis=1)


out = {"Version": emcee.__version__}
for name, log_prob, vectorize in [("Scalar", one, False), ("Vector", many, True)]:
    np.random.seed(job["Seed"])
    start = mean + np.random.randn(walkers, dim)
    sampler = emcee.EnsembleSampler(walkers, dim, log_prob, vectorize=vectorize)
    state = sampler.run_mcmc(start, job["Warmup"])
    sampler.reset()
    began = time.process_time()
    sampler.run_mcmc(state, steps)
    cpu = time.process_time() - began
    flat = sampler.get_chain(flat=True)
    out[name] = {
        "CPU": cpu,
        "Acceptance": float(np.mean(sampler.acceptance_fraction)),
        "Mean": flat.mean(axis=0).tolist(),
        "SD": flat.std(axis=0).tolist(),
        "Tau": sampler.get_autocorr_time(quiet=True).tolist(),
    }
json.dump(out, sys.stdout)
