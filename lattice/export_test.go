package lattice

// FiniteIsing is for the tests of package lattice_test.
var FiniteIsing = finiteIsing
