package mrf

import (
	"bytes"
	"reflect"
	"runtime/debug"
	"testing"
)

// short holds the message of a fault to a length, and the reader to little memory.
func short(t *testing.T, err error) bool {
	t.Helper()
	if err != nil && len(err.Error()) > 1000 {
		t.Fatalf("a message of %d bytes", len(err.Error()))
	}
	return err == nil
}

func littleMemory() (restore func()) {
	old := debug.SetMemoryLimit(1 << 28)
	return func() { debug.SetMemoryLimit(old) }
}

func FuzzUAI(f *testing.F) {
	for _, s := range []string{pair, "BAYES 1 2 1 1 0 2 0 1", "MARKOV 2 60000 60000 1 2 0 1 9", "MARKOV 1 1 1 0 1 3", "MARKOV 2147483647 1"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		defer littleMemory()()
		m, err := ReadUAI("f", text)
		if !short(t, err) {
			return
		}
		if err := m.Check(); err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := m.WriteUAI(&b); err != nil {
			t.Fatal(err)
		}
		if again, err := ReadUAI("again", b.Bytes()); err != nil || !reflect.DeepEqual(again, m) {
			t.Fatalf("%+v is written as %q and read as %+v: %v", m, b.String(), again, err)
		}
	})
}

func FuzzEvidence(f *testing.F) {
	for _, s := range []string{"0", "1 0", "2 1 2 0 1", "2\n0\n1 1 2\n", "1\n1 1 2", "2 0 1 1 2", "3 0 0 0"} {
		f.Add([]byte(s))
	}
	m := &Model{Cards: []int{2, 3, 1, 7}}
	f.Fuzz(func(t *testing.T, text []byte) {
		defer littleMemory()()
		all, err := ReadEvidence("f", text, m)
		if !short(t, err) {
			return
		}
		for _, e := range all {
			if err := e.Check(m); err != nil {
				t.Fatal(err)
			}
		}
		var b bytes.Buffer
		if err := WriteEvidence(&b, all); err != nil {
			t.Fatal(err)
		}
		if again, err := ReadEvidence("again", b.Bytes(), m); err != nil || !reflect.DeepEqual(again, all) {
			t.Fatalf("%v is written as %q and read as %v: %v", all, b.String(), again, err)
		}
	})
}

func FuzzSolution(f *testing.F) {
	for _, s := range []string{"MAR 2 2 .25 .75 3 0 1 0", "MAR 1 2 2 .25 .75 3 0 1 0", "MAP 2 1 2", "MAP 2 2 1 2 2 0 0", "PR -31", "PR 2 1 -inf", "MAP -BEGIN- 2 1 2 -BEGIN- 2 0 0"} {
		f.Add([]byte(s))
	}
	m := &Model{Cards: []int{2, 3}}
	f.Fuzz(func(t *testing.T, text []byte) {
		defer littleMemory()()
		var b bytes.Buffer
		if all, err := ReadMAR("f", text, m); short(t, err) {
			if err := WriteMAR(&b, all); err != nil {
				t.Fatal(err)
			}
			if again, err := ReadMAR("again", b.Bytes(), m); err != nil || !reflect.DeepEqual(again, all) {
				t.Fatalf("%v is written as %q and read as %v: %v", all, b.String(), again, err)
			}
		}
		if all, err := ReadMAP("f", text, m); short(t, err) {
			if err := WriteMAP(&b, all); err != nil {
				t.Fatal(err)
			}
			if again, err := ReadMAP("again", b.Bytes(), m); err != nil || !reflect.DeepEqual(again, all) {
				t.Fatalf("%v is written as %q and read as %v: %v", all, b.String(), again, err)
			}
		}
		if all, err := ReadPR("f", text); short(t, err) {
			if err := WritePR(&b, all); err != nil {
				t.Fatal(err)
			}
			if again, err := ReadPR("again", b.Bytes()); err != nil || !reflect.DeepEqual(again, all) {
				t.Fatalf("%v is written as %q and read as %v: %v", all, b.String(), again, err)
			}
		}
	})
}

func FuzzBIF(f *testing.F) {
	for _, s := range []string{alarm, "variable a { type discrete [1] {x}; } probability (a) { default 1; }", `variable "" { type discrete [2] {"{" "}"}; } probability ("") { table .3333 .6666; }`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		defer littleMemory()()
		m, err := ReadBIF("f", text)
		if !short(t, err) {
			return
		}
		if err := m.Check(); err != nil {
			t.Fatal(err)
		}
		if len(m.Names) != len(m.Cards) || len(m.Values) != len(m.Cards) {
			t.Fatalf("%+v", m)
		}
	})
}
