y <- c(2, 5, 1)
exposure <- c(1, 3, 2)
