import cc.mallet.topics.ParallelTopicModel;
import cc.mallet.types.Alphabet;
import cc.mallet.types.FeatureSequence;
import cc.mallet.types.Instance;
import cc.mallet.types.InstanceList;
import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.logging.Level;
import java.util.zip.GZIPInputStream;

/**
 * MALLET's SparseLDA on one thread. Arguments: docword.txt.gz, topics, sum of alpha, beta, a file of topics to start from or
 * "-". Each line on the input is a number of sweeps and a file for the topics after them or "-"; the answer is the CPU seconds
 * of the process that the sweeps took. Files have two bytes a token, the low one first.
 */
public class Mallet {
    public static void main(String[] args) throws Exception {
        ParallelTopicModel.logger.setLevel(Level.OFF);
        int topics = Integer.parseInt(args[1]);
        ParallelTopicModel model =
            new ParallelTopicModel(topics, Double.parseDouble(args[2]), Double.parseDouble(args[3]));
        model.setNumThreads(1);
        model.setRandomSeed(1);
        model.setOptimizeInterval(0);
        model.setTopicDisplay(0, 0);
        model.printLogLikelihood = false;
        model.addInstances(read(args[0]));
        if (!args[4].equals("-")) {
            start(model, args[4]);
        }
        OperatingSystemMXBean os = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null;) {
            String[] order = line.split(" ");
            model.setNumIterations(Integer.parseInt(order[0]));
            long from = os.getProcessCpuTime();
            model.estimate();
            double spent = (os.getProcessCpuTime() - from) / 1e9;
            if (!order[1].equals("-")) {
                write(model, order[1]);
            }
            System.out.println(spent);
        }
        System.exit(0);
    }

    static int number(InputStream in) throws IOException {
        int b = in.read();
        while (b >= 0 && b <= ' ') {
            b = in.read();
        }
        int n = 0;
        for (; b > ' '; b = in.read()) {
            n = 10 * n + b - '0';
        }
        return n;
    }

    static InstanceList read(String file) throws IOException {
        InputStream in = new BufferedInputStream(new GZIPInputStream(new FileInputStream(file)), 1 << 16);
        int documents = number(in);
        int words = number(in);
        int entries = number(in);
        Alphabet alphabet = new Alphabet(words);
        for (int w = 1; w <= words; w++) {
            alphabet.lookupIndex("w" + w);
        }
        InstanceList list = new InstanceList(alphabet, null);
        int now = 1;
        int[] tokens = new int[1 << 10];
        int n = 0;
        for (int i = 0; i < entries; i++) {
            int d = number(in);
            int w = number(in);
            int count = number(in);
            for (; now < d; now++, n = 0) {
                list.add(new Instance(new FeatureSequence(alphabet, Arrays.copyOf(tokens, n)), null, now, null));
            }
            if (n + count > tokens.length) {
                tokens = Arrays.copyOf(tokens, 2 * (n + count));
            }
            Arrays.fill(tokens, n, n + count, w - 1);
            n += count;
        }
        for (; now <= documents; now++, n = 0) {
            list.add(new Instance(new FeatureSequence(alphabet, Arrays.copyOf(tokens, n)), null, now, null));
        }
        return list;
    }

    static void start(ParallelTopicModel model, String file) throws IOException {
        try (InputStream in = new BufferedInputStream(new FileInputStream(file), 1 << 16)) {
            for (var document : model.data) {
                int[] topics = document.topicSequence.getFeatures();
                for (int i = 0; i < document.topicSequence.getLength(); i++) {
                    int low = in.read();
                    topics[i] = low | in.read() << 8;
                }
            }
        }
        model.buildInitialTypeTopicCounts();
    }

    static void write(ParallelTopicModel model, String file) throws IOException {
        try (OutputStream out = new BufferedOutputStream(new FileOutputStream(file), 1 << 16)) {
            for (var document : model.data) {
                int[] topics = document.topicSequence.getFeatures();
                for (int i = 0; i < document.topicSequence.getLength(); i++) {
                    out.write(topics[i]);
                    out.write(topics[i] >> 8);
                }
            }
        }
    }
}
