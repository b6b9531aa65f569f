x <- list(a = list(b = 1))
