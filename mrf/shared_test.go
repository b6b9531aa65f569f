package mrf

import (
	"math"
	"os"
	"path/filepath"
	"testing"
)

// sharedFile reads a file of the test material: $ERGODIC_SHARED, or ../shared beside the module.
func sharedFile(t testing.TB, name string) (path string, text []byte) {
	t.Helper()
	root := os.Getenv("ERGODIC_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "shared")
	}
	path = filepath.Join(root, "mrf", name)
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		t.Skipf("the test material in ../shared is missing; ERGODIC_SHARED may name another place: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path, text
}

// uaiNames are the models of the UAI 2014 competition in ../shared/mrf, all with MAR, PR and MAP.
var uaiNames = []string{"Alchemy_11", "CSP_11", "CSP_12", "DBN_11", "Grids_11", "Grids_12", "Grids_13", "Grids_15", "Grids_16", "Grids_17", "ObjectDetection_74",
	"Pedigree_11", "Promedus_24", "Promedus_34", "Segmentation_11", "Segmentation_12", "linkage_16"}

// instance is a model of the competition given its evidence, and what is known of it.
type instance struct {
	name  string
	model *Model // whole
	given *Conditional
	mar   [][]float64
	pr    float64
	state []int
}

func sharedInstance(t testing.TB, name string) *instance {
	t.Helper()
	in := &instance{name: name}
	path, text := sharedFile(t, name+".uai")
	var err error
	if in.model, err = ReadUAI(path, text); err != nil {
		t.Fatal(err)
	}
	path, text = sharedFile(t, name+".uai.evid")
	evidence, err := ReadEvidence(path, text, in.model)
	if err != nil || len(evidence) != 1 {
		t.Fatal(evidence, err)
	}
	if in.given, err = in.model.Given(evidence[0]); err != nil {
		t.Fatal(err)
	}
	path, text = sharedFile(t, name+".uai.MAR")
	mar, err := ReadMAR(path, text, in.model)
	if err != nil || len(mar) != 1 {
		t.Fatal(len(mar), err)
	}
	path, text = sharedFile(t, name+".uai.PR")
	pr, err := ReadPR(path, text)
	if err != nil || len(pr) != 1 {
		t.Fatal(pr, err)
	}
	path, text = sharedFile(t, name+".uai.MAP")
	state, err := ReadMAP(path, text, in.model)
	if err != nil || len(state) != 1 {
		t.Fatal(len(state), err)
	}
	in.mar, in.pr, in.state = mar[0], pr[0], state[0]
	return in
}

func TestSharedModelsAreRead(t *testing.T) {
	for _, name := range uaiNames {
		in := sharedInstance(t, name)
		if err := in.model.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := in.given.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if d := in.model.LogDensity(in.state); math.IsInf(d, 0) || math.IsNaN(d) {
			t.Errorf("%s: the state of .MAP has log density %v", name, d)
		}
	}
}

func TestSharedModelsOfOtherToolsAreRead(t *testing.T) {
	for name, evidence := range map[string]string{"merlin_ChestClinic": "merlin_ChestClinic.evid", "merlin_cancer": "merlin_cancer.evid", "toulbar2_network": "toulbar2_network.uai.evid", "toulbar2_water": ""} {
		path, text := sharedFile(t, name+".uai")
		m, err := ReadUAI(path, text)
		if err == nil {
			err = m.Check()
		}
		if err != nil {
			t.Error(err)
			continue
		}
		if evidence == "" {
			continue
		}
		path, text = sharedFile(t, evidence)
		all, err := ReadEvidence(path, text, m)
		if err != nil || len(all) != 1 {
			t.Errorf("%v %v", all, err)
		}
	}
}
