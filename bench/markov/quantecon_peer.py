"""Times QuantEcon.py on a transition matrix of n states, its compiled part warm.

Reads n*n little-endian doubles from the file named first, prints one JSON line
per repetition: seconds of gth_solve and of MarkovChain.stationary_distributions.
"""
import json
import sys
import time

import numpy as np
import quantecon
from quantecon.markov.gth_solve import gth_solve

n, repetitions = int(sys.argv[2]), int(sys.argv[3])
P = np.fromfile(sys.argv[1], dtype="<f8").reshape(n, n)
gth_solve(P)
quantecon.MarkovChain(P).stationary_distributions
for _ in range(repetitions):
    began = time.perf_counter()
    x = gth_solve(P)
    solved = time.perf_counter()
    y = quantecon.MarkovChain(P).stationary_distributions[0]
    whole = time.perf_counter()
    print(json.dumps({"gth": solved - began, "chain": whole - solved, "pi": x.tolist(), "version": quantecon.__version__}))
