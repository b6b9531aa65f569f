package modeltest

import "testing"

func TestPrograms(t *testing.T) {
	for seed := range uint64(200) {
		res := Check(seed, Short())
		if res.Verdict != Silent {
			t.Logf("%d %s: %v", seed, res.Verdict, res.Err)
		}
		if res.Verdict == Failed {
			t.Log(res.Case.String())
		}
	}
}
