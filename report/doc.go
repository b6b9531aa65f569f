// Package report tells a person what draws say: the table of summaries,
// warnings in plain words, comparisons of runs, and pictures.
package report
