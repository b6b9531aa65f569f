package npyheader

import "testing"

// The headers are those that numpy 2.4.6's numpy.lib.format.write_array_header_1_0 writes, but for its padding, which leaves room to
// grow an axis and is in both a multiple of 64 bytes in all.
func TestHeader(t *testing.T) {
	for want, got := range map[string][]byte{
		"{'descr': '<f4', 'fortran_order': False, 'shape': (3, 70), }": Of("<f4", false, 3, 70),
		"{'descr': '<f8', 'fortran_order': True, 'shape': (5,), }":     Of("<f8", true, 5),
		"{'descr': '|u1', 'fortran_order': False, 'shape': (), }":      Of("|u1", false),
	} {
		const begin = Magic + "\x01\x00"
		if string(got[:8]) != begin || len(got)%64 != 0 || int(got[8])+256*int(got[9]) != len(got)-10 || string(got[10:10+len(want)]) != want || got[len(got)-1] != '\n' {
			t.Errorf("%q; want %s", got, want)
		}
	}
}
