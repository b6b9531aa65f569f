"""Anneals the problem of a salesman given as JSON on stdin (coordinates, the ends of the schedule, steps) with simanneal's Annealer, and prints
the CPU seconds and the length as JSON. A move exchanges two cities, as in simanneal's own example, and returns the change of the length from a
matrix of distances, which is simanneal's fast way: its example adds the whole tour up."""

import json
import random
import sys
import time

try:
    import simanneal
except ImportError as e:
    print(f"missing: {e}", file=sys.stderr)
    sys.exit(3)

job = json.load(sys.stdin)
points = job["Points"]
n = len(points)
matrix = [[int(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5 + 0.5) for b in points] for a in points]


class Salesman(simanneal.Annealer):
    copy_strategy = "slice"
    Tmax, Tmin, steps, updates = job["Hot"], job["Cold"], job["Steps"], 0

    def move(self):
        s, d = self.state, matrix
        i, j = int(random.random() * n), int(random.random() * n)
        if i > j:
            i, j = j, i
        a, b = s[i], s[j]
        before, after, left, right = s[i - 1], s[(j + 1) % n], s[(i + 1) % n], s[j - 1]
        if j - i == 1:
            change = d[before][b] + d[a][after] - d[before][a] - d[b][after]
        elif i == j or i == 0 and j == n - 1:
            i = j
            change = 0
        else:
            da, db = d[a], d[b]
            change = db[before] + db[left] + da[right] + da[after] - da[before] - da[left] - db[right] - db[after]
        s[i], s[j] = s[j], s[i]
        return change

    def energy(self):
        s = self.state
        return sum(matrix[s[i - 1]][s[i]] for i in range(n))


random.seed(job["Seed"])
start = list(range(n))
random.shuffle(start)
salesman = Salesman(start)
began = time.process_time()
tour, _ = salesman.anneal()
cpu = time.process_time() - began
length = sum(matrix[tour[i - 1]][tour[i]] for i in range(n))
from importlib.metadata import version

json.dump({"Version": version("simanneal"), "CPU": cpu, "Length": length}, sys.stdout)
