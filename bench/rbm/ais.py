"""Annealed importance sampling of restricted Boltzmann machines in numpy, as fast as numpy seems to go.

All runs advance together: two products of matrices a temperature, every other operation in place on buffers made
once. Uniforms are 24 bits of PCG64's raw output, in [1, 2), which is twice as fast as Generator.random. The
increments are log1p(σ(β₀x)·expm1(δx)) in float32, summed in float64. The path is that of ergodic: a shared hidden
layer, base all zero or base rates.

    ais.py FILE HIDDEN RUNS TEMPERATURES SEED rates|zero

FILE holds little-endian float32: W (784×HIDDEN, row-major), hidden biases, visible biases, base biases. The output
is one line of JSON: seconds of the processor, log Z and the standard deviation of the log weights.
"""

import json
import sys
import time

import numpy as np

VISIBLE = 784
F = np.float32


class Uniforms:
    """Uniform numbers in [1, 2), as many as an array holds."""

    def __init__(self, seed):
        self.raw = np.random.PCG64(seed).random_raw

    def fill(self, out):
        r = self.raw((out.size + 1) // 2).view(np.uint32)[: out.size].reshape(out.shape)
        bits = out.view(np.uint32)
        np.right_shift(r, np.uint32(9), out=bits)
        np.bitwise_or(bits, np.uint32(0x3F800000), out=bits)


def draw(logits_negated, u, ones, out):
    """Bernoulli draws: (u−1)·(1+exp(−logit)) < 1; overwrites the logits and u."""
    e = logits_negated
    np.minimum(e, F(87), out=e)
    np.exp(e, out=e)
    np.add(e, F(1), out=e)
    np.subtract(u, F(1), out=u)
    np.multiply(u, e, out=u)
    np.less(u, F(1), out=ones)
    np.copyto(out, ones)


def ais(w, a, b, base, runs, temperatures, seed):
    hidden = w.shape[1]
    uniforms = Uniforms(seed)
    # The negated activations: −x = v·(−W) − a, and the negated logits are β times them.
    neg = np.ascontiguousarray(-w)
    neg_t = np.ascontiguousarray(-w.T)
    x = np.empty((runs, hidden), F)
    t = np.empty((runs, hidden), F)
    s = np.empty((runs, hidden), F)
    uh = np.empty((runs, hidden), F)
    h = np.empty((runs, hidden), F)
    hb = np.empty((runs, hidden), bool)
    y = np.empty((runs, VISIBLE), F)
    uv = np.empty((runs, VISIBLE), F)
    v = np.empty((runs, VISIBLE), F)
    vb = np.empty((runs, VISIBLE), bool)
    neg_a, neg_b, neg_base = -a, -b, -base
    change = (b.astype(float) - base).astype(F)

    np.copyto(y, neg_base)
    uniforms.fill(uv)
    draw(y, uv, vb, v)
    log_w = np.zeros(runs)
    bias = np.zeros(runs)
    beta = 0.0
    for k in range(1, temperatures + 1):
        to = k / temperatures
        step = to - beta
        np.dot(v, neg, out=x)
        np.add(x, neg_a, out=x)
        np.multiply(x, F(beta), out=t)
        np.minimum(t, F(87), out=t)
        np.exp(t, out=t)
        np.add(t, F(1), out=t)
        np.multiply(x, F(-step), out=s)
        np.expm1(s, out=s)
        np.divide(s, t, out=s)
        np.log1p(s, out=s)
        log_w += s.sum(axis=1, dtype=float)
        bias += step * np.dot(v, change)
        beta = to
        if k == temperatures:
            break
        np.multiply(x, F(beta), out=x)
        uniforms.fill(uh)
        draw(x, uh, hb, h)
        np.dot(h, neg_t, out=y)
        np.add(y, neg_b, out=y)
        np.multiply(y, F(beta), out=y)
        if base.any():
            np.add(y, F(1 - beta) * neg_base, out=y)
        uniforms.fill(uv)
        draw(y, uv, vb, v)
    log_w += bias
    log_base = np.logaddexp(0, base.astype(float)).sum() + hidden * np.log(2)
    top = log_w.max()
    return log_base + top + np.log(np.mean(np.exp(log_w - top))), log_w.std(ddof=1)


def main():
    path, hidden, runs, temperatures, seed, base = sys.argv[1:]
    hidden = int(hidden)
    data = np.fromfile(path, "<f4")
    w, a, b, rates = np.split(data, np.cumsum([VISIBLE * hidden, hidden, VISIBLE]))
    if base == "zero":
        rates = np.zeros_like(rates)
    start = time.process_time()
    log_z, sd = ais(w.reshape(VISIBLE, hidden), a, b, rates, int(runs), int(temperatures), int(seed))
    print(json.dumps({"seconds": time.process_time() - start, "log_z": log_z, "sd": sd}))


if __name__ == "__main__":
    main()
