"""Trains tomotopy's or gensim's model and writes it as Heldout.java does.

    peers.py tomotopy|gensim TRAINING WORDS TOPICS ALPHA_SUM BETA INTERVAL SWEEPS SEED MODEL

TRAINING has a document a line, of word numbers. An INTERVAL above 0 is tomotopy's between two optimisations of alpha, and has
gensim learn both priors; gensim makes a tenth of the sweeps as passes. gensim's topics are not counts: a thousandth of a token is one here.
"""

import sys

import numpy

name, training, words, topics, alpha_sum, beta, interval, sweeps, seed, out = sys.argv[1:]
words, topics, interval, sweeps, seed = int(words), int(topics), int(interval), int(sweeps), int(seed)
alpha_sum, beta, unit = float(alpha_sum), float(beta), 1
documents = [line.split() for line in open(training)]
if name == "tomotopy":
    import tomotopy

    model = tomotopy.LDAModel(k=topics, alpha=alpha_sum / topics, eta=beta, seed=seed)
    model.optim_interval = interval
    model.burn_in = 200
    for d in documents:
        if d:
            model.add_doc(d)
    model.train(sweeps, workers=1, parallel=tomotopy.ParallelScheme.NONE)
    alpha = numpy.broadcast_to(model.alpha, topics)
    counts = numpy.zeros((words, topics), dtype=numpy.int64)
    number = numpy.array([int(w) for w in model.vocabs])
    for d in model.docs:
        numpy.add.at(counts, (number[numpy.asarray(d.words)], numpy.asarray(d.topics)), 1)
else:
    import gensim

    bags = [[(int(w), int(n)) for w, n in zip(*numpy.unique(numpy.array(d, dtype=int), return_counts=True))] for d in documents]
    fixed = interval == 0
    model = gensim.models.LdaModel(
        bags, num_topics=topics, id2word={w: str(w) for w in range(words)}, passes=sweeps // 10, iterations=200, eval_every=None, random_state=seed,
        alpha=[alpha_sum / topics] * topics if fixed else "auto", eta=beta if fixed else "auto"
    )
    weight = model.state.get_lambda().T
    alpha, beta, unit = model.alpha, float(weight.min()), 1000
    counts = numpy.rint(unit * (weight - beta)).astype(numpy.int64)
with open(out, "w") as f:
    print(topics, words, unit, beta, file=f)
    print(*alpha, sep="\n", file=f)
    for w, k in zip(*numpy.nonzero(counts)):
        print(w, k, counts[w, k], file=f)
