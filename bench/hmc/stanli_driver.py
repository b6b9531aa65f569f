"""Samples a Stan program by stanli (PyPI), or times its log density and gradient.

sample PROGRAM DATA SEED OUT    writes OUT (doubles: chain, draw, column) and prints names, gradients, divergences, and
                                the CPU seconds in which they were sampled
gradient PROGRAM DATA           prints microseconds per value and gradient, for each line on standard input with a number
                                of repetitions, less what a call of an empty C function takes
"""
import ctypes
import json
import sys
import time

import numpy as np
import stanli


def sample(program, data, seed, out):
    model = stanli.Model(stan_file=program, data=data)
    start = time.process_time()
    fit = model.sample(chains=4, seed=int(seed), warmup=1000, samples=1000, save_warmup=True, refresh=0)
    cpu = time.process_time() - start
    gradients = sum(fit["n_leapfrog__"])
    fit.draws()[:, 1000:, :].tofile(out)
    print(json.dumps({"names": fit.names, "cpu": cpu, "gradients": int(gradients), "divergent": int(sum(fit.divergences))}))


def gradient(program, data):
    model = stanli.Model(stan_file=program, data=data)
    q = np.random.default_rng(1).normal(0, 0.1, model.n_unconstrained)
    grad, lp = np.empty_like(q), ctypes.c_double()
    double = ctypes.POINTER(ctypes.c_double)
    args = (q.ctypes.data_as(double), ctypes.byref(lp), grad.ctypes.data_as(double))
    call, handle = stanli._lib.stanli_grad, model._m
    if call(handle, *args) != 0:
        raise RuntimeError("no gradient")
    empty = ctypes.CDLL(None).abs
    empty.argtypes, empty.restype = call.argtypes, call.restype
    for line in sys.stdin:
        n = range(int(line))
        start = time.process_time()
        for _ in n:
            call(handle, *args)
        middle = time.process_time()
        for _ in n:
            empty(handle, *args)
        end = time.process_time()
        print(json.dumps(((middle - start) - (end - middle)) / len(n) * 1e6), flush=True)


{"sample": sample, "gradient": gradient}[sys.argv[1]](*sys.argv[2:])
