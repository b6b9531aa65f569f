package plan

import "fmt"

func DebugBlocks(w *Sweep) string {
	out := ""
	for _, k := range w.kernels {
		if g, ok := k.(*glmBlock); ok {
			fam := map[family]int{}
			for i := range g.preds {
				fam[g.preds[i].family]++
			}
			out += fmt.Sprintf("d=%d gauss=%d preds=%d fam=%v varying=%v only=%v acc=%.3f fill=%d\n", len(g.cells), len(g.gauss), len(g.preds), fam, g.varying, g.only, g.accepted/g.tried, g.q.Fill())
		}
	}
	return out
}
