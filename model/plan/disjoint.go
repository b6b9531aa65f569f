package plan

// disjoint are sets of numbers from 0, each given by one of its members, which are joined one by one (union–find).
type disjoint []int32

func newDisjoint(n int) disjoint {
	d := make(disjoint, n)
	for k := range d {
		d[k] = int32(k)
	}
	return d
}

func (d disjoint) find(k int32) int32 {
	for d[k] != k {
		d[k] = d[d[k]]
		k = d[k]
	}
	return k
}

func (d disjoint) join(a, b int32) { d[d.find(b)] = d.find(a) }

// parts are the rows by their sets, the sets in the order of their first rows; set tells where each row is.
func (d disjoint) parts(rows []int32) (parts [][]int32, set []int) {
	at := map[int32]int{}
	for k, r := range rows {
		g, ok := at[d.find(int32(k))]
		if !ok {
			g = len(parts)
			at[d.find(int32(k))] = g
			parts = append(parts, nil)
		}
		parts[g], set = append(parts[g], r), append(set, g)
	}
	return parts, set
}
