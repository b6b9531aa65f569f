// Command heldout compares topic models of Ergodic, MALLET (Java, 2.0.8), tomotopy and gensim (PyPI) by the likelihood of documents
// that none of them was trained on: each tenth. Ergodic's left-to-right scores all of them, each by its own shares of words
// and its own alpha; beside it stands what MALLET's left-to-right says of MALLET's model, and what ours does without the selection of
// particles that MALLET does not have.
//
// Everyone is trained with alpha = 50/K and beta = 0.01, and from there with the priors that it fits itself; gensim's passes
// are a tenth of the others' sweeps. It installs nothing. MALLET's jars are in $ERGODIC_MALLET, or ergodic-bench/mallet in the user's
// cache; $ERGODIC_PYTHON has the other two.
package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
	"github.com/ergodic-mcmc/ergodic/lda"
	"github.com/ergodic-mcmc/ergodic/lda/corpus"
)

const beta = 0.01

// settings are the flags.
type settings struct {
	topics, sweeps, seeds, runs, particles, plain int
}

func main() {
	corpora := flag.String("corpora", "reuters,ap", "collections")
	var set settings
	flag.IntVar(&set.topics, "topics", 50, "topics")
	flag.IntVar(&set.sweeps, "sweeps", 1000, "sweeps of each training")
	flag.IntVar(&set.seeds, "seeds", 3, "trainings of each, with seeds from 1")
	flag.IntVar(&set.runs, "runs", 2, "runs of left-to-right")
	flag.IntVar(&set.particles, "particles", 100, "particles of each")
	flag.IntVar(&set.plain, "plain", 5, "runs of MALLET's left-to-right, and of ours without selection of particles, on MALLET's last model")
	flag.Parse()
	run.Main("heldout", func(ctx context.Context, dir string) error {
		return measure(ctx, dir, strings.Split(*corpora, ","), set)
	})
}

func measure(ctx context.Context, dir string, corpora []string, set settings) error {
	peers, err := findPeers(ctx, dir)
	if err != nil {
		return err
	}
	fmt.Println(run.Machine())
	fmt.Printf("K = %d, %d sweeps, alpha = 50/K and beta = %v fixed or fitted every 10 sweeps after 200; %d seeds.\n", set.topics, set.sweeps, beta, set.seeds)
	fmt.Printf("Log likelihood per token of each tenth document by left-to-right, %d runs of %d particles: mean over seeds, ± its Monte Carlo error,\nand from the least to the greatest seed.\n",
		set.runs, set.particles)
	for _, name := range corpora {
		s, err := newSplit(name, dir, set)
		if err != nil {
			return err
		}
		fmt.Printf("\n%s: %d documents, %d held out with %d tokens\n", name, s.train.Len()+s.held.Len(), s.held.Len(), len(s.held.Tokens))
		for _, fitted := range []bool{false, true} {
			if err := s.compare(ctx, peers, fitted); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}

// split is a collection in two parts.
type split struct {
	settings
	train, held         *corpus.Corpus
	trainFile, heldFile string
	model               string // file of a peer's model
}

func newSplit(name, dir string, set settings) (*split, error) {
	folder, err := run.Shared("lda", name)
	if err != nil {
		return nil, err
	}
	c, _, err := corpus.ReadFile(filepath.Join(folder, "docword.txt.gz"), corpus.Settings{})
	if err != nil {
		return nil, err
	}
	s := &split{settings: set, train: &corpus.Corpus{Words: c.Words, Starts: []int64{0}}, held: &corpus.Corpus{Words: c.Words, Starts: []int64{0}},
		trainFile: filepath.Join(dir, name+".train"), heldFile: filepath.Join(dir, name+".held"), model: filepath.Join(dir, "model")}
	for d := range c.Len() {
		part := s.train
		if d%10 == 9 {
			part = s.held
		}
		part.Tokens = append(part.Tokens, c.Document(d)...)
		part.Starts = append(part.Starts, int64(len(part.Tokens)))
	}
	return s, cmp.Or(writeNumbers(s.trainFile, s.train), writeNumbers(s.heldFile, s.held))
}

// writeNumbers writes a document a line.
func writeNumbers(file string, c *corpus.Corpus) error {
	var b strings.Builder
	for d := range c.Len() {
		for i, w := range c.Document(d) {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(strconv.Itoa(int(w)))
		}
		b.WriteByte('\n')
	}
	return os.WriteFile(file, []byte(b.String()), 0o666)
}

// compare prints a line for each program.
func (s *split) compare(ctx context.Context, peers []peer, fitted bool) error {
	priors := "fixed priors"
	if fitted {
		priors = "fitted priors"
	}
	fmt.Printf("  %s\n", priors)
	line := func(name string, train func(seed int) (*lda.Fitted, string, error)) error {
		var logp []float64
		variance, said := 0.0, ""
		for seed := 1; seed <= s.seeds; seed++ {
			f, says, err := train(seed)
			if err != nil {
				return err
			}
			h, err := f.Evaluate(ctx, s.held, lda.Evaluation{Method: "left-to-right", Runs: s.runs, Particles: s.particles, Seed: 1, Threads: 2})
			if err != nil {
				return err
			}
			x, se := h.PerToken()
			logp, said = append(logp, x), says
			variance += se * se
		}
		mean := 0.0
		for _, x := range logp {
			mean += x / float64(len(logp))
		}
		fmt.Printf("    %-24s %8.4f ± %.4f  [%.4f, %.4f]%s\n", name, mean, math.Sqrt(variance)/float64(len(logp)), slices.Min(logp), slices.Max(logp), said)
		return nil
	}
	for _, average := range []bool{false, true} {
		name := "ergodic"
		if average {
			name = "ergodic, mean of states"
		}
		if err := line(name, func(seed int) (*lda.Fitted, string, error) { return s.own(ctx, uint64(seed), fitted, average) }); err != nil {
			return err
		}
	}
	for _, p := range peers {
		if err := line(p.name, func(seed int) (*lda.Fitted, string, error) { return s.peer(ctx, p, seed, fitted) }); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return nil
}

// interval is the sweeps between two fits of priors.
func interval(fitted bool) int {
	if fitted {
		return 10
	}
	return 0
}

// own trains with sparse; the mean is over each tenth state of the second half.
func (s *split) own(ctx context.Context, seed uint64, fitted, average bool) (*lda.Fitted, string, error) {
	m, err := lda.New(s.train, lda.Settings{Alpha: lda.Symmetric(50, s.topics), Beta: beta, Seed: seed})
	if err != nil {
		return nil, "", err
	}
	t := &lda.Training{Model: m, Phases: []lda.Phase{{Method: "sparse", Sweeps: s.sweeps}}, Optimise: lda.Optimisation{Interval: interval(fitted), BurnIn: 200}}
	if average {
		t.Average = lda.Average{From: s.sweeps / 2, Every: 10}
	}
	err = t.Run(ctx)
	return t.Fitted(), "", err
}

// peer is another program: what comes before the arguments of a training, and what follows the file of the held-out documents.
type peer struct {
	name    string
	command []string
	scores  bool // the held-out documents, too
}

// findPeers says which of them are missing.
func findPeers(ctx context.Context, dir string) (all []peer, err error) {
	root, err := run.Root()
	if err != nil {
		return nil, err
	}
	class, err := run.MALLET(ctx, dir, "heldout/Heldout.java")
	switch {
	case errors.Is(err, run.ErrMissing):
		fmt.Println("SKIPPED: MALLET:", err)
	case err != nil:
		return nil, err
	default:
		all = append(all, peer{"MALLET", []string{"java", "-Xmx4g", "-XX:+UseSerialGC", "-cp", class, "Heldout"}, true})
	}
	for _, name := range []string{"tomotopy", "gensim"} {
		if err := exec.CommandContext(ctx, run.Python(), "-c", "import "+name).Run(); err != nil {
			fmt.Printf("SKIPPED: no %s; name a Python that has it in ERGODIC_PYTHON\n", name)
			continue
		}
		all = append(all, peer{name, []string{run.Python(), filepath.Join(root, "bench", "heldout", "peers.py"), name}, false})
	}
	return all, nil
}

// peer trains another program's model, and says what it prints of the held-out documents.
func (s *split) peer(ctx context.Context, p peer, seed int, fitted bool) (*lda.Fitted, string, error) {
	args := append(p.command[1:len(p.command):len(p.command)], s.trainFile)
	if p.scores {
		args = append(args, s.heldFile)
	}
	for _, x := range []any{s.train.Words, s.topics, 50, beta, interval(fitted), s.sweeps, seed} {
		args = append(args, fmt.Sprint(x))
	}
	if p.scores {
		args = append(args, strconv.Itoa(malletParticles), strconv.Itoa(s.plain))
	}
	cmd := exec.CommandContext(ctx, p.command[0], append(args, s.model)...)
	cmd.Env = append(os.Environ(), "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", "MKL_NUM_THREADS=1")
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return nil, "", fmt.Errorf("%w\n%s", err, &errs)
	}
	f, err := readModel(s.model)
	if err != nil || !p.scores {
		return f, "", err
	}
	said, err := s.scores(f, string(out))
	return f, said, err
}

// scores compares what a peer's own left-to-right printed with what ours says of the same model without selection of particles, both of
// as many runs.
func (s *split) scores(f *lda.Fitted, printed string) (string, error) {
	var theirs, ours []float64
	for i, x := range strings.Fields(printed) {
		total, err := strconv.ParseFloat(x, 64)
		if err != nil {
			return "", err
		}
		theirs, ours = append(theirs, total), append(ours, plain(f, s.held, malletParticles, uint64(i)))
	}
	say := func(x []float64) string {
		mean, se := meanSE(x)
		n := float64(len(s.held.Tokens))
		return fmt.Sprintf("%.4f ± %.4f", mean/n, se/n)
	}
	return fmt.Sprintf("  last seed, %d runs of %d particles: its own left-to-right %s, ours without selection %s", len(ours), malletParticles, say(theirs), say(ours)), nil
}

// meanSE is the mean and its standard error.
func meanSE(x []float64) (mean, se float64) {
	n, squares := float64(len(x)), 0.0
	for _, v := range x {
		mean += v / n
	}
	for _, v := range x {
		squares += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(squares / (n * (n - 1)))
}

// readModel reads what Heldout.java and peers.py write: topics, words, samples and beta; each alpha; word, topic and count of
// what is not zero, words ascending.
func readModel(file string) (*lda.Fitted, error) {
	r, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	in := bufio.NewReader(r)
	f := &lda.Fitted{}
	var topics int
	if _, err := fmt.Fscan(in, &topics, &f.Words, &f.Samples, &f.Beta); err != nil {
		return nil, err
	}
	f.Alpha = make([]float64, topics)
	for k := range f.Alpha {
		if _, err := fmt.Fscan(in, &f.Alpha[k]); err != nil {
			return nil, err
		}
	}
	f.Counts = &lda.Counts{Starts: []int64{0}, Totals: make([]int64, topics)}
	c := f.Counts
	end := func(words int) {
		for len(c.Starts) <= words {
			slices.SortFunc(c.Entries[c.Starts[len(c.Starts)-1]:], func(a, b lda.Count) int { return cmp.Compare(a.Topic, b.Topic) })
			c.Starts = append(c.Starts, int64(len(c.Entries)))
		}
	}
	for {
		var w int
		var e lda.Count
		if _, err := fmt.Fscan(in, &w, &e.Topic, &e.N); err == io.EOF {
			break
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		end(w)
		c.Entries = append(c.Entries, e)
		c.Totals[e.Topic] += int64(e.N)
	}
	end(f.Words)
	return f, nil
}
