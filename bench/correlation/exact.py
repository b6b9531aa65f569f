"""The standard deviation of the correlation of 10^5 draws, without random numbers.

The sample correlation is, to first order, the mean of h = zx zy - (rho/2)(zx^2 + zy^2), z the
coordinates less their means over their sds. Its variance is that of a mean of a Markov
chain, (var h + 2 sum_k cov(h, P^k h)) / n. Here P is the chain of the same proposals on a fine
grid, and P^k h is computed by applying it. Gibbs needs no grid: h is quadratic, and the sum is
geometric, (1 - rho^2)^2 / (1 - rho^4).

    python3 exact.py        # needs numpy; about three minutes
"""
import numpy as np


def sd(off, q, nx, ny, d, logp, zx, zy, terms):
    X, Y = np.meshgrid(np.arange(-nx, nx + 1) * d, np.arange(-ny, ny + 1) * d, indexing="ij")
    lp = logp(X, Y)
    pi = np.exp(lp)
    pi /= pi.sum()
    zx, zy = zx(X, Y), zy(X, Y)
    h = zx * zy - 0.25 * (zx**2 + zy**2)
    h -= (pi * h).sum()
    K = off[-1]
    a, b = pi.shape
    far = np.pad(lp, K, constant_values=-1e9)

    def apply(f):
        wide, out, stay = np.pad(f, K), np.zeros_like(f), np.ones_like(f)
        for i, u in zip(off, q):
            for j, v in zip(off, q):
                to = far[K + i : K + i + a, K + j : K + j + b]
                p = u * v * np.exp(np.minimum(0, to - lp))
                out += p * wide[K + i : K + i + a, K + j : K + j + b]
                stay -= p
        return out + stay * f

    f, total, last = h, (pi * h * h).sum(), None
    for _ in range(terms):
        f = apply(f)
        cov = (pi * h * f).sum()
        total += 2 * cov
        ratio, last = (cov / last if last else 0), cov
    return np.sqrt((total + 2 * last * ratio / (1 - ratio)) / 1e5)  # the rest is geometric


def uniform(w, m, terms):
    d, off = 2 * w / (2 * m + 1), np.arange(-m, m + 1)
    return plain(off, np.full(len(off), 1 / len(off)), d, terms)


def normal_steps(w, m):
    off = np.arange(-int(4.5 * m), int(4.5 * m) + 1)
    q = np.exp(-0.5 * (off / m) ** 2)
    return off, q / q.sum(), w / m


def plain(off, q, d, terms):
    logp = lambda x, y: -(4 * x * x - 2 * x * y + y * y) / 6
    return sd(off, q, int(5 / d), int(10 / d), d, logp, lambda x, y: x, lambda x, y: y / 2, terms)


def scaled(w, m, terms):
    off, q, d = normal_steps(w, m)  # in coordinates in which the target is standard normal
    logp = lambda x, y: -(x * x + y * y) / 2
    return sd(off, q, int(5 / d), int(5 / d), d, logp, lambda x, y: x, lambda x, y: x / 2 + np.sqrt(0.75) * y, terms)


print("uniform, 1        %.5f" % uniform(1, 5, 150))
print("uniform, 3        %.5f" % uniform(3, 15, 40))
off, q, d = normal_steps(1, 4)
print("normal, I         %.5f" % plain(off, q, d, 60))
print("normal, 2.38/√2 Σ^½ %.5f" % scaled(2.38 / np.sqrt(2), 7, 40))
print("independent draws %.5f" % (0.75 / np.sqrt(1e5)))
print("Gibbs             %.5f" % (0.75 / np.sqrt(1 - 1 / 16) / np.sqrt(1e5)))
