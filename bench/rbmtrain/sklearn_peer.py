"""Times the training of scikit-learn's BernoulliRBM: persistent contrastive divergence with one sweep an update.

Arguments: a file of units, one byte each; cases; visible units; hidden units; batch; epochs; learning rate; float32 or
float64. Prints one JSON object: seconds of the processor, updates, and the mean weight, to show that it learned.
"""
import json
import sys
import time

import numpy as np
import sklearn
from sklearn.neural_network import BernoulliRBM

file, cases, visible, hidden, batch, epochs, rate, dtype = sys.argv[1:]
X = np.fromfile(file, dtype=np.uint8).reshape(int(cases), int(visible)).astype(dtype)
machine = BernoulliRBM(n_components=int(hidden), learning_rate=float(rate), batch_size=int(batch), n_iter=int(epochs), random_state=1)
began = time.process_time()
machine.fit(X)
spent = time.process_time() - began
updates = int(epochs) * -(-int(cases) // int(batch))
print(json.dumps({"seconds": spent, "updates": updates, "weight": float(np.abs(machine.components_).mean()), "version": sklearn.__version__}))
