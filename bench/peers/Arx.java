import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import org.deidentifier.arx.ARXAnonymizer;
import org.deidentifier.arx.ARXConfiguration;
import org.deidentifier.arx.ARXResult;
import org.deidentifier.arx.AttributeType;
import org.deidentifier.arx.AttributeType.Hierarchy;
import org.deidentifier.arx.Data;
import org.deidentifier.arx.DataHandle;
import org.deidentifier.arx.criteria.KAnonymity;
import org.deidentifier.arx.metric.Metric;
import org.deidentifier.arx.metric.Metric.AggregateFunction;

/**
 * ARX on one table: java Arx.java full|local FOLDER. The folder has data.csv, with a column id, and a hierarchy COLUMN.csv for every other
 * column; it gets out.csv. k = 5. 'full' is the optimal full-domain generalisation with at most 2 % of the records suppressed, 'local'
 * is ARX's local recoding as its examples use it. Prints the processor seconds of the working thread, without compilation and garbage
 * collection: the best of five rounds, of which the first warm up the virtual machine, or the first of more than ten seconds.
 */
public class Arx {
  private static final int K = 5;
  private static final int ROUNDS = 5;
  private static final long LONG = 10_000_000_000L;

  private static Data read(File folder) throws Exception {
    Data data = Data.create(new File(folder, "data.csv"), StandardCharsets.UTF_8, ';');
    DataHandle handle = data.getHandle();
    for (int j = 0; j < handle.getNumColumns(); j++) {
      String column = handle.getAttributeName(j);
      AttributeType type = AttributeType.INSENSITIVE_ATTRIBUTE;
      if (!column.equals("id")) {
        type = Hierarchy.create(new File(folder, column + ".csv"), StandardCharsets.UTF_8, ';');
      }
      data.getDefinition().setAttributeType(column, type);
    }
    return data;
  }

  /** Loss is the mean share of a hierarchy's leaves below a label, as NCP; suppressed cells count as the root. */
  private static ARXConfiguration configure(boolean local) {
    ARXConfiguration configuration = ARXConfiguration.create();
    configuration.addPrivacyModel(new KAnonymity(K));
    configuration.setSuppressionLimit(local ? 0.99 : 0.02);
    configuration.setQualityModel(Metric.createLossMetric(local ? 0d : 0.5, AggregateFunction.ARITHMETIC_MEAN));
    return configuration;
  }

  private static DataHandle anonymize(Data data, boolean local) throws Exception {
    ARXResult result = new ARXAnonymizer().anonymize(data, configure(local));
    DataHandle output = result.getOutput(false);
    if (local) {
      result.optimizeIterativeFast(output, 0.01);
    }
    return output;
  }

  public static void main(String[] arguments) throws Exception {
    boolean local = arguments[0].equals("local");
    File folder = new File(arguments[1]);
    long best = Long.MAX_VALUE;
    boolean last = false;
    for (int round = 1; !last; round++) {
      Data data = read(folder);
      long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      DataHandle output = anonymize(data, local);
      long taken = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
      best = Math.min(best, taken);
      last = round == ROUNDS || taken > LONG;
      if (last) {
        output.save(new File(folder, "out.csv"), ';');
      }
      data.getHandle().release();
    }
    System.out.printf("%.4f%n", best / 1e9);
  }
}
