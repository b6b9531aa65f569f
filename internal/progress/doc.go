// Package progress shows a run under way on standard error: a live table on a
// terminal, a line now and then elsewhere, or one JSON object a line. A run
// that is over before there is anything to tell shows nothing.
package progress
