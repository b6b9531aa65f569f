x <- 12abc
