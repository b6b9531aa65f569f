package model

// Inits are initial values that a user gave one chain: by cell.
type Inits map[int32]float64
