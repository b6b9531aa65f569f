package lattice

// link joins the clusters of sites i and j. A parent is never after its child, so that the root of a cluster is its first site.
func link(parent []int32, i, j int32) {
	i, j = root(parent, i), root(parent, j)
	parent[max(i, j)] = min(i, j)
}

// root is that of the cluster of site i. It halves the way there.
func root(parent []int32, i int32) int32 {
	i = parent[parent[i]]
	for parent[i] != i {
		parent[i] = parent[parent[i]]
		i = parent[i]
	}
	return i
}
