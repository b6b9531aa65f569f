list(a = 1, b = list(1, 2))
