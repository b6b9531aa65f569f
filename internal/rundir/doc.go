// Package rundir is the folder that a run leaves: draws.zarr, summary.json,
// log.jsonl and the private checkpoint folder. Files are replaced whole or
// not at all.
package rundir
