import cc.mallet.topics.MarginalProbEstimator;
import cc.mallet.topics.ParallelTopicModel;
import cc.mallet.types.Alphabet;
import cc.mallet.types.FeatureSequence;
import cc.mallet.types.Instance;
import cc.mallet.types.InstanceList;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.logging.Level;

/**
 * Trains MALLET's model on one thread, writes it, and prints what each run of its own left-to-right says of held-out documents, in all. Arguments:
 * training documents, held-out documents (a line each, of word numbers), words, topics, sum of alpha, beta, sweeps between two
 * optimisations of these or 0, sweeps, seed, particles and runs of left-to-right, the file of the model.
 */
public class Heldout {
    public static void main(String[] args) throws Exception {
        ParallelTopicModel.logger.setLevel(Level.OFF);
        int words = Integer.parseInt(args[2]);
        Alphabet alphabet = new Alphabet(words);
        for (int w = 0; w < words; w++) {
            alphabet.lookupIndex("w" + w);
        }
        ParallelTopicModel model =
            new ParallelTopicModel(Integer.parseInt(args[3]), Double.parseDouble(args[4]), Double.parseDouble(args[5]));
        model.setNumThreads(1);
        model.setOptimizeInterval(Integer.parseInt(args[6]));
        model.setBurninPeriod(200);
        model.setNumIterations(Integer.parseInt(args[7]));
        model.setRandomSeed(Integer.parseInt(args[8]));
        model.setTopicDisplay(0, 0);
        model.printLogLikelihood = false;
        model.addInstances(read(args[0], alphabet));
        model.estimate();
        write(model, words, args[11]);
        MarginalProbEstimator estimator = new MarginalProbEstimator(
            model.numTopics, model.alpha, model.alphaSum, model.beta, model.typeTopicCounts, model.tokensPerTopic);
        InstanceList held = read(args[1], alphabet);
        for (int run = 0; run < Integer.parseInt(args[10]); run++) {
            System.out.println(estimator.evaluateLeftToRight(held, Integer.parseInt(args[9]), true, null));
        }
        System.exit(0);
    }

    static InstanceList read(String file, Alphabet alphabet) throws IOException {
        InstanceList list = new InstanceList(alphabet, null);
        List<String> lines = Files.readAllLines(Path.of(file));
        for (String line : lines) {
            int[] tokens = line.isEmpty() ? new int[0] : Arrays.stream(line.split(" ")).mapToInt(Integer::parseInt).toArray();
            list.add(new Instance(new FeatureSequence(alphabet, tokens), null, list.size(), null));
        }
        return list;
    }

    static void write(ParallelTopicModel model, int words, String file) throws IOException {
        try (PrintWriter out = new PrintWriter(file)) {
            out.println(model.numTopics + " " + words + " 1 " + model.beta);
            for (double a : model.alpha) {
                out.println(a);
            }
            for (int w = 0; w < words; w++) {
                for (int entry : w < model.typeTopicCounts.length ? model.typeTopicCounts[w] : new int[0]) {
                    if (entry > 0) {
                        out.println(w + " " + (entry & model.topicMask) + " " + (entry >> model.topicBits));
                    }
                }
            }
        }
    }
}
