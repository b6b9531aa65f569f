"""What pyLDAvis's prepare makes of {"phi", "theta", "lengths", "vocabulary"} on standard input, as the JSON that it draws."""
import json, sys
import numpy as np
import pyLDAvis

m = json.load(sys.stdin)
p = pyLDAvis.prepare(np.array(m["phi"]), np.array(m["theta"]), m["lengths"], m["vocabulary"], [1] * len(m["vocabulary"]), n_jobs=1)
print(p.to_json())
