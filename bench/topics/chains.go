package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
)

// chains compares four chains on reuters after more and more sweeps.
func (b *bench) chains(ctx context.Context) (string, error) {
	var out strings.Builder
	fmt.Fprintf(&out, "%6s %38s %6s\n", "sweeps", "log likelihood per token, four chains", "R-hat")
	for _, sweeps := range []int{100, 1000, 10000} {
		t, err := b.train(ctx, filepath.Join(b.corpora, "reuters", "docword.txt.gz"), fmt.Sprint("reuters", sweeps), sweeps,
			"--topics", "20", "--chains", "4", "--evaluate-every", fmt.Sprint(max(1, sweeps/b.share/100)))
		if err != nil {
			return "", err
		}
		var all []string
		for _, c := range t.Chains {
			all = append(all, fmt.Sprintf("%.4f", c.LogLikelihood))
		}
		fmt.Fprintf(&out, "%6d %38s %6.2f\n", t.Sweeps, strings.Join(all, "  "), t.Rhat)
	}
	return out.String(), nil
}
