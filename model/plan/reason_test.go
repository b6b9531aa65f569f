package plan

import "testing"

// Each kernel that may be asked for has a reason of its own.
func TestReason(t *testing.T) {
	none := Reason("")
	for _, k := range append(Kernels(), "joint-with-block", "joint-with-normals", "all-with-block", withFieldName, jointAdaptiveName, pseudoPriorName, afterNUTSName, "shift", indicatorName, withPoolsName) {
		if Reason(k) == none {
			t.Errorf("%s has no reason", k)
		}
	}
}
