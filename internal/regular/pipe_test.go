//go:build linux

package regular

import (
	"fmt"
	"os"
	"testing"
)

// A pipe that a shell hands over is read to its end; a named one is refused (it may wait for
// ever).
func TestReadInheritedPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	go func() {
		fmt.Fprint(w, "y <- 1")
		w.Close()
	}()
	got, err := ReadFile(fmt.Sprintf("/dev/fd/%d", r.Fd()))
	if err != nil || string(got) != "y <- 1" {
		t.Errorf("%q, %v", got, err)
	}
}
