"""tomotopy's collapsed Gibbs sampler on one thread, driven as Mallet.java is; it cannot start from given topics."""

import gzip
import sys
import time

import numpy
import tomotopy

docword, topics, alpha_sum, beta = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4])
with gzip.open(docword) as f:
    documents, words, entries = (int(f.readline()) for _ in range(3))
    rows = numpy.array(f.read().split(), dtype=numpy.int64).reshape(entries, 3)
model = tomotopy.LDAModel(k=topics, alpha=alpha_sum / topics, eta=beta, seed=1)
model.optim_interval = 0
model.burn_in = 0
ends = numpy.searchsorted(rows[:, 0], numpy.arange(1, documents + 1), side="right")
first = 0
for end in ends:
    part = rows[first:end]
    if end > first:
        model.add_doc([str(w) for w in numpy.repeat(part[:, 1], part[:, 2])])
    first = end
print(tomotopy.__version__, tomotopy.isa, flush=True)
for line in sys.stdin:
    sweeps, out = line.split()
    start = time.process_time()
    model.train(int(sweeps), workers=1, parallel=tomotopy.ParallelScheme.NONE)
    spent = time.process_time() - start
    if out != "-":
        with open(out, "wb") as f:
            for doc in model.docs:
                # Topics in the order of the words' numbers, as in the file.
                number = numpy.array([int(model.vocabs[w]) for w in doc.words])
                f.write(numpy.asarray(doc.topics)[numpy.argsort(number, kind="stable")].astype("<u2").tobytes())
    print(spent, flush=True)
