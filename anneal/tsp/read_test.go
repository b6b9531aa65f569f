package tsp

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// shared reads a file of the test material: $ERGODIC_SHARED, or ../shared beside the module.
func shared(t testing.TB, name string) (path string, text []byte) {
	t.Helper()
	root := os.Getenv("ERGODIC_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	path = filepath.Join(root, "anneal", "tsplib", name)
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		t.Skipf("the test material in ../shared is missing; ERGODIC_SHARED may name another place: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path, text
}

func sharedProblem(t testing.TB, name string) *Problem {
	t.Helper()
	path, text := shared(t, name+".tsp")
	p, err := Read(path, text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// optimal are the lengths of shortest tours that TSPLIB publishes.
func optimal(t testing.TB) map[string]int64 {
	t.Helper()
	_, text := shared(t, "solutions")
	best := map[string]int64{}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(line, ":")
		if f := strings.Fields(value); len(f) > 0 {
			v, err := strconv.ParseInt(f[0], 10, 64)
			if err != nil {
				t.Fatal(line)
			}
			best[strings.TrimSpace(name)] = v
		}
	}
	return best
}

func TestSharedProblemsAreRead(t *testing.T) {
	_, text := shared(t, "solutions")
	path := filepath.Dir(func() string { p, _ := shared(t, "solutions"); return p }())
	files, err := filepath.Glob(filepath.Join(path, "*.tsp"))
	if err != nil || len(files) == 0 || len(text) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".tsp")
		p := sharedProblem(t, name)
		digits := strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
		if n, _ := strconv.Atoi(digits); n != p.n || p.Name == "" {
			t.Errorf("%s: %d cities of %q", name, p.n, p.Name)
		}
		if points := p.Points(); len(points) != p.n && name[:2] != "gr" {
			t.Errorf("%s: %d points", name, len(points))
		}
	}
}

// The canonical tour 1, 2, …, n of att532 has length 309 636 (Reinelt, TSPLIB 95, section 2.8). Shortest tours are those of TSPLIB's files
// .opt.tour; that their lengths are the published ones says that distances are TSPLIB's for EUC_2D, GEO, ATT and a full matrix.
func TestPublishedLengths(t *testing.T) {
	canonical := make([]int, 532)
	for i := range canonical {
		canonical[i] = i
	}
	if length, err := sharedProblem(t, "att532").Length(canonical); err != nil || length != 309636 {
		t.Errorf("canonical tour of att532: %d, not 309636 (%v)", length, err)
	}
	best := optimal(t)
	for name, text := range map[string]string{
		"ulysses16": "1 14 13 12 7 6 15 5 11 9 10 16 3 2 4 8",
		"ulysses22": "1 14 13 12 7 6 15 5 11 9 10 19 20 21 16 3 2 17 22 4 18 8",
		"att48":     "1 8 38 31 44 18 7 28 6 37 19 27 17 43 30 36 46 33 20 47 21 32 39 48 5 42 24 10 45 35 4 26 2 29 34 41 16 22 3 23 14 25 13 11 12 15 40 9",
		"bays29":    "1 28 6 12 9 5 26 29 3 2 20 10 4 15 18 17 14 22 11 19 25 7 23 27 8 24 16 13 21",
		"berlin52":  "1 49 32 45 19 41 8 9 10 43 33 51 11 52 14 13 47 26 27 28 12 25 4 6 15 5 24 48 38 37 40 39 36 35 34 44 46 16 29 50 20 23 30 2 7 42 21 17 3 18 31 22",
	} {
		p := sharedProblem(t, name)
		tour, err := ReadTour("tour", []byte("TYPE: TOUR\nTOUR_SECTION\n"+text+"\n-1\n"), p)
		if err != nil {
			t.Fatal(err)
		}
		if length, err := p.Length(tour); err != nil || length != best[name] {
			t.Errorf("%s: %d, not %d (%v)", name, length, best[name], err)
		}
	}
}

// Distances by hand after the definitions in TSPLIB 95, section 2.
func TestDistances(t *testing.T) {
	for _, c := range []struct {
		kind string
		a, b string
		want int64
	}{
		{"EUC_2D", "0 0", "1 1", 1},      // 1.414
		{"EUC_2D", "0 0", "1.5 2", 3},    // 2.5 is rounded up
		{"CEIL_2D", "0 0", "1 1", 2},     //
		{"CEIL_2D", "0 0", "3 4", 5},     // exact roots stay
		{"MAN_2D", "0 0", "1.2 -1.2", 2}, // 2.4
		{"MAX_2D", "0 0", "1.2 -2.6", 3}, //
		{"ATT", "0 0", "10 0", 4},        // √10 = 3.16 is rounded up
		{"ATT", "0 0", "0 1000", 317},    // 316.23
		{"EUC_3D", "1 1 1", "2 3 3", 3},  //
		{"MAN_3D", "0 0 0", "1 2 3.5", 7},
		{"MAX_3D", "0 0 0", "1 2 3.5", 4},
		{"GEO", "0 0", "0 90", 10020},   // a quarter of 2π 6378.388 is 10019.1: rounded up
		{"GEO", "0 0", "0 0.30", 56},    // half a degree of 111.32 km: 55.66, cut off after 1 is added
		{"GEO", "10 20", "10 20", 1},    // two cities in one place
		{"GEO", "-90 0", "90 0", 20039}, // half of 2π 6378.388 is 20038.3
	} {
		coords := 2 + strings.Count(c.kind, "_3D")
		third := "3 7 7" + strings.Repeat(" 7", coords-2)
		p, err := Read("t", []byte("DIMENSION: 3\nEDGE_WEIGHT_TYPE: "+c.kind+"\nNODE_COORD_SECTION\n1 "+c.a+"\n2 "+c.b+"\n"+third+"\nEOF\n"))
		if err != nil {
			t.Fatal(err)
		}
		if d, back, self := p.Distance(0, 1), p.Distance(1, 0), p.Distance(1, 1); d != c.want || back != d || self != 0 {
			t.Errorf("%s from %s to %s: %d, back %d, not %d; to itself %d", c.kind, c.a, c.b, d, back, c.want, self)
		}
	}
}

// The same matrix in every format.
func TestMatrices(t *testing.T) {
	want := map[[2]int]int64{{0, 1}: 12, {0, 2}: 13, {0, 3}: 14, {1, 2}: 23, {1, 3}: 24, {2, 3}: 34}
	for format, body := range map[string]string{
		"FULL_MATRIX":    "0 12 13 14 12 0 23 24 13 23 9999 34 14 24 34 0",
		"UPPER_ROW":      "12 13 14\n23 24\n34",
		"LOWER_COL":      "12 13 14 23 24 34",
		"LOWER_ROW":      "12 13 23 14 24 34",
		"UPPER_COL":      "12\n13 23\n14 24 34",
		"UPPER_DIAG_ROW": "0 12 13 14 0 23 24 0 34 0",
		"LOWER_DIAG_COL": "0 12 13 14 0 23 24 0 34 0",
		"LOWER_DIAG_ROW": "0 12 0 13 23 0 14 24 34 0",
		"UPPER_DIAG_COL": "0 12 0 13 23 0 14 24 34 0",
	} {
		p, err := Read("t", []byte("DIMENSION: 4\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: "+format+"\nDISPLAY_DATA_TYPE: TWOD_DISPLAY\nEDGE_WEIGHT_SECTION\n"+
			body+"\nDISPLAY_DATA_SECTION\n1 0 0\n3 2 0\n2 1 .5\n4 3 0\nEOF\n"))
		if err != nil {
			t.Errorf("%s: %v", format, err)
			continue
		}
		for pair, d := range want {
			if got := p.Distance(pair[1], pair[0]); got != d {
				t.Errorf("%s: %d between %v, not %d", format, got, pair, d)
			}
		}
		if points := p.Points(); !slices.Equal(points, [][2]float64{{0, 0}, {1, .5}, {2, 0}, {3, 0}}) {
			t.Errorf("%s: %v", format, points)
		}
	}
}

func TestFaultsOfFiles(t *testing.T) {
	const plane = "DIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n"
	const matrix = "DIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: "
	for text, want := range map[string]string{
		"":                                   "f:1: DIMENSION and EDGE_WEIGHT_TYPE have to be given before the data",
		"TYPE: ATSP\n":                       "f:1: TYPE is ATSP: distances that depend on the direction are not supported, only symmetric problems (TYPE: TSP)",
		"TYPE: TOUR\n":                       "f:1: TYPE is TOUR: the file is a tour and not a problem",
		"TYPE: CVRP\n":                       `f:1: TYPE is "CVRP", and only symmetric problems (TYPE: TSP) are supported`,
		"DIMENSON: 3\n":                      `f:1: "DIMENSON" is not a key of TSPLIB, which may be DIMENSION`,
		"DIMENSION: 3\nDIMENSION: 4":         "f:2: DIMENSION is given in line 1 already",
		"DIMENSION: 2":                       `f:1: DIMENSION is "2", and has to be an integer from 3 to 16777216`,
		"DIMENSION: 99999999999999999999999": `f:1: DIMENSION is "99999999999999999999999", and has to be an integer from 3 to 16777216`,
		"DIMENSION: 3\nEDGE_WEIGHT_TYPE: XRAY1\nNODE_COORD_SECTION\n":          `f:2: EDGE_WEIGHT_TYPE is "XRAY1", and those supported are EXPLICIT, EUC_2D, EUC_3D, MAX_2D, MAX_3D, MAN_2D, MAN_3D, CEIL_2D, GEO and ATT`,
		"DIMENSION: 3\nEDGE_WEIGHT_TYPE: GEO\nEOF":                             "f:3: EDGE_WEIGHT_TYPE is GEO, and there is no NODE_COORD_SECTION",
		"DIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\n":                           "f:3: EDGE_WEIGHT_TYPE is EXPLICIT, and there is no EDGE_WEIGHT_SECTION",
		"NODE_COORD_TYPE: THREED_COORDS\n" + plane:                             `f:1: NODE_COORD_TYPE is "THREED_COORDS", and EDGE_WEIGHT_TYPE is EUC_2D`,
		plane + "1 0 0\n2 1 1\nEOF and more":                                   `f:6: NODE_COORD_SECTION ends after 2 cities with "EOF", and DIMENSION is 3`,
		plane + "1 0 0\n2 1 1\n":                                               "f:3: the file is too short for NODE_COORD_SECTION: give them all, or correct DIMENSION",
		plane + "1 0 0\n2 1 1\n3 2 2\n4 3 3\n":                                 "f:7: NODE_COORD_SECTION has more entries than DIMENSION: 3 says",
		plane + "1 0 0\n2 1 1\n2 2 2\n":                                        "f:6: city 2 is given twice in NODE_COORD_SECTION",
		plane + "1 0 0\n2 1 1\n4 2 2\n":                                        "f:6: the number of a city is 4, and has to be an integer from 1 to 3",
		plane + "1 0 0\n2 nan 1\n3 2 2\n":                                      "f:5: coordinate 1 of city 2 is expected, and \"nan\" is not a number",
		plane + "1 0 0\n2 1e999 1\n3 2 2\n":                                    "f:5: coordinate 1 of city 2 is \"1e999\", which is too large",
		plane + "1 0 0\n2 1e99 1\n3 2 2\n":                                     "f:5: coordinate 1e+99 of city 2 is larger than 268435456",
		plane + "1 0 0\n2 1 1\n3 2 2\nNODE_COORD_SECTION\n":                    "f:7: NODE_COORD_SECTION is given twice",
		plane + "1 0 0\n2 1 1\n3 2 2\nFIXED_EDGES_SECTION\n":                   "f:7: FIXED_EDGES_SECTION: edges that every tour has to contain are not supported",
		plane + "1 0 0\n2 1 1\n3 2 2\nEDGE_WEIGHT_SECTION\n":                   "f:7: EDGE_WEIGHT_TYPE is EUC_2D, and there is an EDGE_WEIGHT_SECTION",
		"DIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_SECTION\n1 2 3": "f:3: EDGE_WEIGHT_TYPE is EXPLICIT, and there is no EDGE_WEIGHT_FORMAT",
		matrix + "ROW\nEDGE_WEIGHT_SECTION\n1 2 3":                             `f:3: EDGE_WEIGHT_FORMAT is "ROW", and those supported are FULL_MATRIX and {UPPER,LOWER}[_DIAG]_{ROW,COL}`,
		matrix + "FULL_MATRIX\nEDGE_WEIGHT_SECTION\n0 1 2\n1 0 3\n2 4 0":       "f:7: the weight from city 3 to 2 is 4 and back 3, where TYPE: TSP says that the matrix is symmetric",
		matrix + "UPPER_ROW\nEDGE_WEIGHT_SECTION\n1 2.5 3":                     "f:5: the weight of cities 1 and 3 is 2.5, and has to be an integer from -268435456 to 268435456",
		matrix + "UPPER_ROW\nEDGE_WEIGHT_SECTION\n1 2\nEOF":                    `f:6: EDGE_WEIGHT_SECTION ends with "EOF" before the weight of cities 2 and 3, and DIMENSION is 3`,
		matrix + "UPPER_ROW\nEDGE_WEIGHT_SECTION\n1 2 3 4":                     "f:5: EDGE_WEIGHT_SECTION has more entries than DIMENSION: 3 says",
		"DIMENSION: 100000\n" + matrix[13:] + "UPPER_ROW\nEDGE_WEIGHT_SECTION": "f:4: the file is too short for 4999950000 weights of EDGE_WEIGHT_SECTION: give them all, or correct DIMENSION",
	} {
		_, err := Read("f", []byte(text))
		if err == nil || err.Error() != want {
			t.Errorf("%q:\n%v, not\n%v", text, err, want)
		}
	}
}

func TestTours(t *testing.T) {
	p, err := Read("t", []byte(square))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := p.WriteTour(&b, []int{3, 0, 1, 2}); err != nil {
		t.Fatal(err)
	}
	if tour, err := ReadTour("t", b.Bytes(), p); err != nil || !slices.Equal(tour, []int{3, 0, 1, 2}) {
		t.Fatalf("%v %v from %q", tour, err, b.String())
	}
	for text, want := range map[string]string{
		"":                                     "f:1: there is no TOUR_SECTION",
		"TYPE: TSP\n":                          `f:1: TYPE is "TSP", where a tour has TYPE: TOUR`,
		"DIMENSION: 5\n":                       `f:1: DIMENSION is "5", and the problem has 4 cities`,
		"TOUR_SECTION\n1 2":                    "f:1: the file is too short for a tour of 4 cities: give them all, or correct DIMENSION",
		"TOUR_SECTION\n1 2 3 -1 -1":            "f:2: the tour has 3 cities, and the problem 4",
		"TOUR_SECTION\n1 2 3 3 -1":             "f:2: city 3 is in the tour twice",
		"TOUR_SECTION\n1 2 0 3 -1":             "f:2: city 0 is in the tour, and cities are 1 to 4",
		"TOUR_SECTION\n1 2 3\n5 -1":            "f:3: a city of the tour is 5, and has to be an integer from -1 to 4",
		"TOUR_SECTION\n1 2 three 4 -1":         `f:2: "three" is in the tour, and cities are 1 to 4`,
		"TOUR_SECTION\n1 2 3\nEOF -1 and more": "f:3: the tour has 3 cities, and the problem 4",
	} {
		if _, err := ReadTour("f", []byte(text), p); err == nil || err.Error() != want {
			t.Errorf("%q:\n%v, not\n%v", text, err, want)
		}
	}
	for want, solution := range map[string][]float64{
		"the tour has 3 cities, and the problem 4":  {0, 1, 2},
		"city 1 is in the tour twice":               {0, 1, 2, 1},
		"1.5 is in the tour, and cities are 0 to 3": {0, 1, 2, 1.5},
		"4 is in the tour, and cities are 0 to 3":   {0, 1, 2, 4},
		"-1 is in the tour, and cities are 0 to 3":  {0, 1, 2, -1},
	} {
		if _, err := p.Evaluate(solution); err == nil || err.Error() != want {
			t.Errorf("%v, not %v", err, want)
		}
	}
}

const square = "NAME: square\nTYPE: TSP\nCOMMENT: a\nCOMMENT: b\nDIMENSION: 4\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 0 1\n3 1 1\n4 1 0\nEOF\n"

func FuzzRead(f *testing.F) {
	for _, s := range []string{square, "DIMENSION 3\nEDGE_WEIGHT_TYPE GEO\nNODE_COORD_SECTION\n3 1.5 2\n2 0 0\n1 -90 180",
		"DIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: FULL_MATRIX\nEDGE_WEIGHT_SECTION\n0 1 2 1 0 3 2 3 0\nDISPLAY_DATA_SECTION\n1 0 0\n2 0 1\n3 1 1\nEOF",
		"DIMENSION: 16777216\nEDGE_WEIGHT_TYPE: EUC_3D\nNODE_COORD_SECTION\n1 1 1 1"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		old := debug.SetMemoryLimit(1 << 28)
		defer debug.SetMemoryLimit(old)
		p, err := Read("f", text)
		if err != nil {
			if len(err.Error()) > 1000 {
				t.Fatalf("a message of %d bytes", len(err.Error()))
			}
			return
		}
		solution := make([]float64, p.n)
		for i := range solution {
			solution[i] = float64(i)
		}
		length, err := p.Evaluate(solution)
		if points := p.Points(); err != nil || points != nil && len(points) != p.n {
			t.Fatal(length, err, len(points))
		}
		if p.n > 2000 {
			return
		}
		w := walker(t, p)
		r := testStream(uint64(len(text)))
		w.Start(r)
		w.Sweep(length/10, r)
		if err := sound(p, w); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzTour(f *testing.F) {
	for _, s := range []string{"TOUR_SECTION\n1 2 3 4 -1", "TYPE: TOUR\nDIMENSION: 4\nTOUR_SECTION\n4\n2\n1\n3\nEOF", "TOUR_SECTION 1 2 3 4"} {
		f.Add([]byte(s))
	}
	p, err := Read("t", []byte(square))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		tour, err := ReadTour("f", text, p)
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := p.WriteTour(&b, tour); err != nil {
			t.Fatal(err)
		}
		if again, err := ReadTour("again", b.Bytes(), p); err != nil || !reflect.DeepEqual(again, tour) {
			t.Fatal(fmt.Sprint(tour), again, err)
		}
	})
}
