package report

import (
	"math"
	"strings"
	"testing"
)

func TestParseGoal(t *testing.T) {
	for text, want := range map[string]Goal{
		"ess=400,rhat=1.01":    {400, 1.01},
		" rhat = 1.05 ":        {0, 1.05},
		"ess=1e3":              {1000, 0},
		"rhat=1.1, ess = 50.5": {50.5, 1.1},
	} {
		g, err := ParseGoal(text)
		if err != nil || g != want {
			t.Errorf("%q is %v, %v", text, g, err)
		}
		if again, err := ParseGoal(g.String()); err != nil || again != g {
			t.Errorf("%v written as %q is %v, %v", g, g.String(), again, err)
		}
	}
	for text, want := range map[string]string{
		"":                   `at character 1: there is no goal ""`,
		"ess":                "at character 1: ess has no number",
		"ess=400,rat=1.01":   `at character 9: there is no goal "rat"`,
		"ess=400, rhat=1.o1": `at character 10: "1.o1" is not a number`,
		"ess=0":              "an effective sample size of 0; it must be from 1",
		"ess=Inf":            "an effective sample size of +Inf",
		"rhat=1":             "an R-hat of 1; it must be above 1",
		"rhat=NaN":           "an R-hat of NaN",
		"ess=4,ess=5":        "at character 7: ess comes twice",
		"ess=400,":           `at character 9: there is no goal ""`,
	} {
		if _, err := ParseGoal(text); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), goalForm) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func FuzzParseGoal(f *testing.F) {
	for _, text := range []string{goalForm, "ess=,", "rhat=1e-400", "\xff=\n", strings.Repeat("ess=1,", 99)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, err := ParseGoal(text)
		if err != nil {
			return
		}
		if again, err := ParseGoal(g.String()); err != nil || again != g {
			t.Errorf("%q is %v, which is written %q and read %v, %v", text, g, g.String(), again, err)
		}
	})
}

func TestGoal(t *testing.T) {
	nan := Number(math.NaN())
	rows := Parameters{
		{Name: "fixed", ESSBulk: nan, ESSTail: nan, Rhat: nan},
		{Name: "a", ESSBulk: 500, ESSTail: 390, Rhat: 1.002},
		{Name: "b", ESSBulk: 450, ESSTail: 800, Rhat: 1.02},
	}
	for _, c := range []struct {
		goal Goal
		met  bool
		next int
	}{
		{Goal{400, 1.01}, false, 1000 + 250}, // 1.1·400/390 − 1 is an eighth
		{Goal{390, 1.02}, true, 0},
		{Goal{600, 1.5}, false, 1000 + 3*250},
		{Goal{5000, 0}, false, 1000 + 4*250},
		{Goal{0, 1.01}, false, 1000 + 2*250},
	} {
		s := c.goal.Judge(rows, 1000)
		if s.Met != c.met || s.ESS != 390 || s.ESSParameter != "a" || s.Rhat != 1.02 || s.RhatParameter != "b" {
			t.Errorf("%v: %+v", c.goal, s)
		}
		if n := c.goal.Next(s, 1<<40); !c.met && n != c.next {
			t.Errorf("%v: %d draws next", c.goal, n)
		}
		if n := c.goal.Next(s, 1100); n != 1100 {
			t.Errorf("%v: %d draws next of 1100 at most", c.goal, n)
		}
	}
	if s := (Goal{ESS: 10}).Judge(rows[:1], 3); s.Met || s.String() != "no parameter has an R-hat or an ESS yet" {
		t.Errorf("3 draws of a constant: %v", s)
	}
	if s := (Goal{ESS: 10}).Judge(rows[:1], 4); !s.Met {
		t.Error("constants alone never meet a goal")
	}
	if n := (Goal{ESS: 10}).Next(Standing{Draws: math.MaxInt - 5, ESS: nan}, math.MaxInt); n != math.MaxInt {
		t.Errorf("%d draws next", n)
	}
}
