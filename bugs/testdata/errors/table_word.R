y[] x[]
1 2
3 four
END
