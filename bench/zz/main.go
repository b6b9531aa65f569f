package main

import (
	"fmt"
	"os"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/rng"
)

func main() {
	dir := "/work/shared/bugs/users/" + os.Args[1]
	text, _ := os.ReadFile(dir + "/model.bug")
	p, err := bugs.Parse("m", string(text))
	if err != nil {
		panic(err)
	}
	d, err := bugs.ReadDataFiles([]string{dir + "/data.R"})
	if err != nil {
		panic(err)
	}
	c, err := bugs.Compile(p, d, rng.New(1, "data").Rand)
	if err != nil {
		panic(err)
	}
	m := c.Model
	for ti, t := range m.Templates {
		live, inf := 0, 0
		for i := range t.Rows {
			r := t.First + int32(i)
			if t.Stoch == nil && m.Live(r) {
				live++
			}
			if t.Stoch != nil && m.Informed(r) {
				inf++
			}
		}
		n := ""
		if t.Stoch != nil {
			n = t.Stoch.Name
		}
		fmt.Printf("%3d rows %6d live %6d informed %6d in %3d out %3d %s %.60q line %d\n", ti, t.Rows, live, inf, t.NIn, t.NOut, n, t.Place.Text, t.Place.Line)
	}
}
