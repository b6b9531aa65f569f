package main

import "math"

// overlaps are the counts of BLEU over many sentences (Papineni, Roukos, Ward and Zhu 2002): n-grams up to four words of the candidates, clipped at the most that one
// of the references has, and lengths.
type overlaps struct {
	matched, total       [4]float64
	candidate, reference float64
}

func (o *overlaps) add(candidate []string, references ...[]string) {
	for n := range 4 {
		most := map[string]int{}
		for _, r := range references {
			for g, c := range grams(r, n+1) {
				most[g] = max(most[g], c)
			}
		}
		for g, c := range grams(candidate, n+1) {
			o.matched[n] += float64(min(c, most[g]))
			o.total[n] += float64(c)
		}
	}
	nearest := references[0]
	for _, r := range references {
		if abs(len(r)-len(candidate)) < abs(len(nearest)-len(candidate)) {
			nearest = r
		}
	}
	o.candidate += float64(len(candidate))
	o.reference += float64(len(nearest))
}

// bleu is BLEU-4 of all sentences, in percent.
func (o *overlaps) bleu() float64 {
	sum := 0.0
	for n := range 4 {
		sum += math.Log(o.matched[n]/o.total[n]) / 4
	}
	if o.candidate < o.reference {
		sum += 1 - o.reference/o.candidate
	}
	return 100 * math.Exp(sum)
}

func grams(words []string, n int) map[string]int {
	all := map[string]int{}
	for i := 0; i+n <= len(words); i++ {
		g := ""
		for _, w := range words[i : i+n] {
			g += w + " "
		}
		all[g]++
	}
	return all
}

func abs(x int) int { return max(x, -x) }
