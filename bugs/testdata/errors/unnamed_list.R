list(a = 1, 2)
