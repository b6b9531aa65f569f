package model_test

import "testing"

// TestTablesAreAlikeByContent takes individuals with a table each: where the tables hold the same parameters and numbers, rows that pick from them are alike.
func TestTablesAreAlikeByContent(t *testing.T) {
	m := compileCase(t, `model { for (k in 1:2) { a[k] ~ dbeta(1, 1) } for (i in 1:4) { z[i] ~ dcat(p[]); g[i,1,1] <- a[k[i]]; g[i,1,2] <- 1 - a[k[i]]; g[i,2,1] <- c[i]; g[i,2,2] <- 1 - c[i]; y[i] ~ dcat(g[i,z[i],]) } }`,
		`p <- c(0.5,0.5); k <- c(1,1,2,1); c <- c(0.3,0.3,0.3,0.4); y <- c(1,1,1,1)`)
	z, _ := m.Array("z")
	y, _ := m.Array("y")
	l := m.NewLikeness([]int32{z.Base, z.Base + 1, z.Base + 2, z.Base + 3}, make([]uint64, 4), true)
	var keys []int32
	for i := range int32(4) {
		keys = append(keys, l.Row(m.DefRow(y.Base+i)).Key)
	}
	if keys[0] != keys[1] || keys[0] == keys[2] || keys[0] == keys[3] || keys[2] == keys[3] {
		t.Errorf("keys %v: the first two and no others are alike", keys)
	}
}
