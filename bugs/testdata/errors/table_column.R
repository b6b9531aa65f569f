z[,2] z[,1]
1 2
END
