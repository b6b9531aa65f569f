y <- structure(c(1, 2), .Dim = c(2, 0.5))
