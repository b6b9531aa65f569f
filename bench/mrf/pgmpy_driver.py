"""Times pgmpy's Gibbs sampler on a UAI model: prints draws of a variable a second, of processor time."""
import json
import sys
import time
import warnings

warnings.filterwarnings("ignore")
import numpy as np
from pgmpy.factors.discrete import DiscreteFactor
from pgmpy.models import DiscreteMarkovNetwork
from pgmpy.sampling import GibbsSampling

words = iter(open(sys.argv[1]).read().split())
sweeps = int(sys.argv[2])
next(words)
cards = [int(next(words)) for _ in range(int(next(words)))]
scopes = [[int(next(words)) for _ in range(int(next(words)))] for _ in range(int(next(words)))]
model = DiscreteMarkovNetwork()
model.add_nodes_from([str(i) for i in range(len(cards))])
factors = []
for scope in scopes:
    values = np.array([float(next(words)) for _ in range(int(next(words)))])
    factors.append(DiscreteFactor([str(i) for i in scope], [cards[i] for i in scope], values))
    model.add_edges_from([(str(i), str(j)) for k, i in enumerate(scope) for j in scope[k + 1 :]])
model.add_factors(*factors)
sampler = GibbsSampling(model)  # makes a table of conditionals for each variable, which is not timed
sampler.sample(size=2)
start = time.process_time()
sampler.sample(size=sweeps + 1)
print(json.dumps(sweeps * len(cards) / (time.process_time() - start)))
