package job

import "testing"

type settings struct {
	Rate     *float64
	Ladder   []float64
	FastRate float64 `name:"quick-rate"`
	Plain    bool
}

type spec struct {
	Head
	Data    Input   `what:"data file/data files"`
	More    []Input `what:"data file/data files"`
	LogLik  bool
	Draws   int `resume:"grow"`
	Spent   int `resume:"any"`
	Sampler map[string]string
	Flags   settings
}

func TestDiffers(t *testing.T) {
	rate, other := 0.5, 0.1
	was := spec{Head: Head{Seed: 3, Ergodic: "1"}, Data: Input{SHA256: "a", Name: "x"}, More: []Input{{SHA256: "b", Name: "y"}}, Draws: 10,
		Sampler: map[string]string{"b": "2", "a": "1"}, Flags: settings{Rate: &rate, FastRate: 2}}
	for want, change := range map[string]func(now, usual *spec){
		"": func(now, usual *spec) {
			now.Ergodic, now.Spent, now.Draws, now.Flags.Rate = "2", 7, 11, nil
			now.Data.Name = "elsewhere"
			now.Flags.FastRate, usual.Flags.FastRate = 1, 1 // not asked for
		},
		"--seed is 4, and the run was started with 3":                               func(now, _ *spec) { now.Seed = 4 },
		"--log-lik is true, and the run was started with false":                     func(now, _ *spec) { now.LogLik = true },
		"--draws is 9, and the run was started with 10, which may only grow":        func(now, _ *spec) { now.Draws = 9 },
		"--rate is 0.1, and the run was started with 0.5":                           func(now, _ *spec) { now.Flags.Rate = &other },
		"--ladder is 0.1,1, and the run was started with none":                      func(now, _ *spec) { now.Flags.Ladder = []float64{0.1, 1} },
		"--quick-rate is 3, and the run was started with 2":                         func(now, _ *spec) { now.Flags.FastRate = 3 },
		"--sampler is none, and the run was started with a=1;b=2":                   func(now, _ *spec) { now.Sampler = map[string]string{} },
		"the run was started with 1 data file, not 2":                               func(now, _ *spec) { now.More = make([]Input, 2) },
		"the data file x is not what the run was started with (sha256 c…, then a…)": func(now, _ *spec) { now.Data.SHA256 = "c" },
	} {
		now, usual := was, spec{}
		change(&now, &usual)
		if got := Differs(&was, &now, &usual); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := Differs(&was, &was, nil); got != "" {
		t.Error(got)
	}
}
