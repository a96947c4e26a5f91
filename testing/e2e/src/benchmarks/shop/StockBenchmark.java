package shop;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.runner.IterationType;

/** A user's benchmark, of which it is known what it calls and what it waits for: JmhTest runs it. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class StockBenchmark {
  private boolean warmingUp;

  @Setup(Level.Iteration)
  public void begin(IterationParams iteration) {
    warmingUp = iteration.getType() == IterationType.WARMUP;
  }

  /** So often that its calls are only counted. */
  @Benchmark
  public int loads() {
    int sum = Stock.load(1) + Stock.load(2) + Stock.load(3);
    return warmingUp ? sum + Stock.order(sum) : sum;
  }

  /** Two operations. */
  @Benchmark
  @OperationsPerInvocation(2)
  public int sleeps() throws InterruptedException {
    Thread.sleep(2);
    return Stock.load(1);
  }

  /** One of both threads has it, the other waits. */
  @Benchmark
  @Threads(2)
  public int contends() throws InterruptedException {
    return Stock.take();
  }

  /** What is asked for. */
  static final class Stock {
    private Stock() {}

    static int load(int ware) {
      int sum = 0;
      for (int i = 0; i < 10; i++) {
        sum += i * ware;
      }
      return sum;
    }

    static int order(int wares) {
      return load(wares);
    }

    static synchronized int take() throws InterruptedException {
      Thread.sleep(1);
      return 1;
    }
  }
}
