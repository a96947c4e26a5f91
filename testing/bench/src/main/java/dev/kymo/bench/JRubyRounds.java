package dev.kymo.bench;

import javax.script.Invocable;
import javax.script.ScriptEngine;
import javax.script.ScriptEngineManager;

/**
 * JRuby on four threads: each counts words in a hash of its own, then hands its sum to a queue
 * under a lock.
 *
 * <p>Arguments: warm-up rounds, rounds, words a thread.
 */
public final class JRubyRounds {
  private static final String SCRIPT =
      """
      def count(words)
        queue = Queue.new
        lock = Mutex.new
        sum = 0
        workers = 4.times.map do |t|
          Thread.new do
            counts = Hash.new(0)
            seed = t
            words.times do |i|
              seed = (seed * 1103515245 + 12345) & 0x7fffffff
              counts["w#{seed % 1000}"] += 1
              lock.synchronize { sum += 1 } if i % 100 == 0
            end
            queue << counts.values.sum
          end
        end
        workers.each(&:join)
        4.times { sum += queue.pop }
        sum
      end
      """;

  private JRubyRounds() {}

  /** Prints the time of each round. */
  public static void main(String[] arguments) throws Exception {
    int words = Integer.parseInt(arguments[2]) / 100 * 100;
    ScriptEngine engine = new ScriptEngineManager().getEngineByName("jruby");
    engine.eval(SCRIPT); // only once: a script that is evaluated again is compiled again
    Invocable ruby = (Invocable) engine;
    Rounds.run(
        Integer.parseInt(arguments[0]),
        Integer.parseInt(arguments[1]),
        () ->
            check(
                ((Number) ruby.invokeFunction("count", words)).longValue(),
                4L * (words + words / 100)));
  }

  private static void check(long sum, long expected) {
    if (sum != expected) {
      throw new IllegalStateException("wrong answer: sum=" + sum + " expected=" + expected);
    }
  }
}
