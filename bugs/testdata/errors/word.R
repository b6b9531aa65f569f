x <- yes
