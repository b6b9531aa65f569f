y[] x[]
1 2
3
END
