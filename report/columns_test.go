package report

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTableFitsTheTerminal(t *testing.T) {
	rows := []Parameter{
		{"apiary.effect[10]", -1.1448, 0.2827, 0.0058, 0.0040, -1.617, -1.1385, -0.6919, 2367, 2262, 1, 0},
		{"a.name.that.is.much.longer.than.a.third.of.any.terminal[12,7]", 1, 2, 0.03, 0.02, -1, 1, 3, 4000, 3900, 1.01, 0},
	}
	for _, width := range []int{0, 200, 107, 106, 80, 60, 40, 20, 1} {
		var b strings.Builder
		if err := WriteTable(&b, rows, Screen{Width: width, Whole: "--wide"}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			line = strings.TrimRight(line, "\n")
			if n := utf8.RuneCountInString(line); width >= 40 && n > width && strings.TrimSpace(line) != rows[1].Name {
				t.Errorf("at %d: %d columns in %q", width, n, line)
			}
		}
		for _, want := range []string{"mean", "sd", "q5", "q95", "rhat", rows[0].Name, rows[1].Name, "-1.1448", "1.010"} {
			if !strings.Contains(b.String(), want) {
				t.Errorf("at %d there is no %s in\n%s", width, want, b.String())
			}
		}
		if wide := strings.Contains(b.String(), "mcse_sd  "); wide != (width == 0 || width == 200) {
			t.Errorf("at %d: mcse_sd %v in\n%s", width, wide, b.String())
		}
	}
}

// What is not left out goes below, with the names again.
func TestTableFolds(t *testing.T) {
	table := Table{Keys: 2, Text: []int{2}, Rows: [][]string{
		{"model", "method", "says", "x", "y"},
		{"a", "ais", "so", "1", "22"},
		{"b.with.a.name", "smc", "no", "100"},
	}}
	for width, want := range map[int]string{
		0: `model          method  says    x   y
a              ais     so      1  22
b.with.a.name  smc     no    100
`,
		24: `model  method  says    x
a      ais     so      1
b.with.a.name
       smc     no    100

model  method   y
a      ais     22
b.with.a.name
       smc
`,
	} {
		var b strings.Builder
		if err := table.Write(&b, Screen{Width: width}); err != nil {
			t.Fatal(err)
		}
		if b.String() != want {
			t.Errorf("at %d:\n%s\nwant\n%s", width, b.String(), want)
		}
	}
}

// Two digits of the standard error, whatever the scale.
func TestNumbersKeepTheDigitsOfTheirError(t *testing.T) {
	for _, c := range []struct {
		x, mcse float64
		want    string
	}{
		{1.23456, 0.012, "1.235"},
		{1.2e-8, 1.6e-12, "1.20000e-08"},
		{1.23456e-8, 1.6e-10, "1.235e-08"},
		{1.23456e-8, 4e-9, "1.23e-08"},
		{1.2e-8, 4e-7, "1e-08"},
		{-1.23456e-300, 1e-302, "-1.235e-300"},
		{0, 1e-12, "0"},
		{12345678.9, 1e4, "12345679"},
		{1.5e12, 1e9, "1.5e+12"},
		{math.NaN(), 1, "-"},
		{3, 0, "3"},
	} {
		if got := number(c.x, decimals(c.mcse)); got != c.want {
			t.Errorf("%v ± %v is %s, want %s", c.x, c.mcse, got, c.want)
		}
	}
	// A quantile in a tail is no 0 because the mean is uncertain; the mean is.
	if got := fmt.Sprint(visible(0.00012, 1), " ", visible(0, 1), " ", visible(0.3, 1), " ", number(0.00012, 1)); got != "0.00012 0.0 0.3 0.0" {
		t.Error(got)
	}
}
