// Package rbmreport shows what the jobs of restricted Boltzmann machines found: as JSON, as tables, and as a report with pictures.
package rbmreport
