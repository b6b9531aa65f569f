package dist

import (
	"os"
	"regexp"
	"testing"
)

// The table of the package comment says of every distribution how it is drawn, and names no other.
func TestMethodsOfAll(t *testing.T) {
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]int{}
	for _, line := range regexp.MustCompile(`(?m)^//\t((?:d[a-z.]+ )+) `).FindAllSubmatch(text, -1) {
		for _, name := range regexp.MustCompile(`\S+`).FindAllString(string(line[1]), -1) {
			told[name]++
		}
	}
	var names []string
	for _, d := range Scalars() {
		names = append(names, d.Name)
	}
	for _, d := range Multis() {
		names = append(names, d.Name)
	}
	for _, name := range names {
		if told[name] != 1 {
			t.Errorf("doc.go tells %d times how %s is drawn", told[name], name)
		}
		delete(told, name)
	}
	for name := range told {
		t.Errorf("doc.go tells how %s is drawn, which is not in the tables", name)
	}
}
