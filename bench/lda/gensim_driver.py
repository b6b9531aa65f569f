"""gensim's variational LDA on one core, driven as Mallet.java is: a sweep is a pass. It has no topics of tokens."""

import gzip
import sys
import time

import gensim
import numpy

docword, topics, alpha_sum, beta = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4])
with gzip.open(docword) as f:
    documents, words, entries = (int(f.readline()) for _ in range(3))
    rows = numpy.array(f.read().split(), dtype=numpy.int64).reshape(entries, 3)
ends = numpy.searchsorted(rows[:, 0], numpy.arange(1, documents + 1), side="right")
bags, first = [], 0
for end in ends:
    bags.append([(int(w) - 1, int(n)) for _, w, n in rows[first:end]])
    first = end
print(gensim.__version__, flush=True)
names = {w: str(w) for w in range(words)}
for line in sys.stdin:
    sweeps, out = line.split()
    start = time.process_time()
    gensim.models.LdaModel(
        bags, num_topics=topics, id2word=names, passes=int(sweeps), alpha=[alpha_sum / topics] * topics, eta=beta, eval_every=None, random_state=1
    )
    print(time.process_time() - start, flush=True)
