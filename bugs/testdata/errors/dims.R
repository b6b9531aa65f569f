N <- 3
y <- structure(c(1, 2, 3, 4, 5), .Dim = c(2, 3))
