// Package latticereport shows what the jobs of spins on lattices found: as JSON, tables and CSV, as plots against temperature, and
// as pictures of the spins, still, as a film and in a terminal.
package latticereport
