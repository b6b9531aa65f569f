"""Anneals the Max-Cut instance given as JSON on stdin with D-Wave's SimulatedAnnealingSampler, its defaults but for reads, sweeps and
the seed, and prints the CPU seconds and the cuts as JSON. CPU is that of the call, less the share of its time that the sampler says it
spent before and after sampling."""

import json
import sys
import time

try:
    import dimod
    import dwave.samplers
except ImportError as e:
    print(f"missing: {e}", file=sys.stderr)
    sys.exit(3)

job = json.load(sys.stdin)
# A cut of weight w_ij is (w_ij - w_ij s_i s_j)/2: the energy of couplings w_ij is the sum of weights less twice the cut.
bqm = dimod.BinaryQuadraticModel.empty("SPIN")
bqm.add_variables_from({i: 0.0 for i in range(job["Variables"])})
bqm.add_quadratic_from((i, j, w) for i, j, w in zip(job["I"], job["J"], job["W"]))
total = sum(job["W"])
sampler = dwave.samplers.SimulatedAnnealingSampler()
began = time.process_time()
found = sampler.sample(bqm, num_reads=job["Reads"], num_sweeps=job["Sweeps"], seed=job["Seed"])
cpu = time.process_time() - began
timing = found.info["timing"]
share = timing["sampling_ns"] / (timing["preprocessing_ns"] + timing["sampling_ns"] + timing["postprocessing_ns"])
cuts = [(total - e) / 2 for e in found.record.energy]
from importlib.metadata import version

json.dump({"Version": version("dwave-samplers"), "CPU": cpu * share, "Cuts": cuts}, sys.stdout)
