package mrf

// manyVariables is from how many on a variable to be cut is not looked for among all.
const manyVariables = 4096

// busiest picks, of the live variables that are not kept, the one of the largest table, those that others can spare first. Of very many
// it looks only at the variable that is next and those that it interacts with.
func busiest(keep int32, spare []bool) func(e *elimination) int32 {
	return func(e *elimination) int32 {
		among := e.variables
		if len(among) > manyVariables {
			next := e.queue[0].variable
			among = append([]int32{next}, e.near[next]...)
		}
		best, most := int32(-1), 0.0
		for _, i := range among {
			if !e.live[i] || i == keep {
				continue
			}
			size := e.tableSize(i)
			if best < 0 || spare[i] && !spare[best] || spare[i] == spare[best] && (size > most || size == most && e.tie[i] > e.tie[best]) {
				best, most = i, size
			}
		}
		if best < 0 {
			return keep
		}
		return best
	}
}
