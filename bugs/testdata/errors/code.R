x <- rep(0, 10)
