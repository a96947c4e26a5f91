package dev.kymo.symbols;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Asks a {@link SymbolServer}, which is started with the first question at the latest. If it dies
 * or does not answer, it is started again, and not asked about the same file any more. Used by one
 * thread.
 */
final class SymbolProcess implements AutoCloseable {
  private static final int MOST_STARTS = 8;
  private static final long PATIENCE_SECONDS = 60;
  private static final long LOOK_MILLIS = 1000;
  private static final String TO_ANOTHER_MACHINE = "DEBUGINFOD_URLS";

  private static final Path NICE = Path.of("/usr/bin/nice");

  private final List<String> command;
  private final long patienceMillis;
  private final Set<String> bad = new HashSet<>();
  private @Nullable Conversation running;
  private int starts;
  private volatile boolean urgent = true;

  record Answer(String name, String parameters, String file, int line) {}

  /**
   * With a process.
   *
   * @param comesLast whether all others have the processors first
   */
  private record Conversation(Process process, Writer to, BufferedReader from, boolean comesLast) {}

  /** For somebody who waits for the answers. */
  SymbolProcess() {
    this(ownCommand(), TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
  }

  /** For the time in which a program is recorded, which comes first. */
  static SymbolProcess inBackground() {
    return inBackground(ownCommand(), TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
  }

  static SymbolProcess inBackground(List<String> command, long patienceMillis) {
    SymbolProcess process = new SymbolProcess(command, patienceMillis);
    process.urgent = false;
    return process;
  }

  /**
   * Somebody waits for the answers from now on; any thread may say so. A process that other
   * programs keep from the processors is replaced by one that has its share of them.
   */
  void hurry() {
    urgent = true;
  }

  SymbolProcess(List<String> command, long patienceMillis) {
    this.command = command;
    this.patienceMillis = patienceMillis;
  }

  private static List<String> ownCommand() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-Xshare:auto",
            "-XX:TieredStopAtLevel=1",
            "-Xmx128m",
            "-XX:-CreateCoredumpOnCrash",
            "-XX:ErrorFile=/dev/null",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            SymbolServer.class.getName()));
    return command;
  }

  /** Starts it before the first question. */
  void startAhead() {
    if (running == null) {
      start();
    }
  }

  /**
   * What is known of a function; null if nothing is known.
   *
   * @param file with the code
   * @param build its build id in hexadecimal digits, or empty
   * @param address as the file has it
   * @param symbol as the program has seen it
   */
  @Nullable Answer ask(String file, String build, long address, String symbol) {
    return ask(file, build, address, symbol, false);
  }

  /**
   * The same for an address in a function where another function is called, if it is such an
   * address.
   */
  @Nullable Answer ask(String file, String build, long address, String symbol, boolean call) {
    if ((file + build + symbol).chars().anyMatch(Character::isISOControl)) {
      return null;
    }
    Answer answer = bad.contains(file) ? null : say(file, build, address, symbol, call);
    if (answer == null) {
      bad.add(file);
      answer = say("", "", address, symbol, call);
    }
    return answer;
  }

  private @Nullable Answer say(
      String file, String build, long address, String symbol, boolean call) {
    Conversation with = running;
    if (with == null) {
      with = start();
    }
    if (with == null) {
      return null;
    }
    try {
      String kind = call ? SymbolServer.CALL : "";
      String question = String.join("\t", file, build, Long.toHexString(address), symbol, kind);
      with.to.write(question + "\n");
      with.to.flush();
      Answer answer = answer(with);
      if (answer != null) {
        return answer;
      }
    } catch (IOException e) {
      // it has died
    }
    boolean again = mustHurry(with);
    end(with);
    return again ? say(file, build, address, symbol, call) : null;
  }

  private @Nullable Answer answer(Conversation with) throws IOException {
    BufferedReader from = with.from;
    CompletableFuture<@Nullable String> line =
        CompletableFuture.supplyAsync(() -> {
          try {
            return from.readLine();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    try {
      String text = line(line, with);
      String[] words = text == null ? new String[0] : text.split("\t", -1);
      return words.length != 4
          ? null
          : new Answer(words[0], words[1], words[2], Integer.parseInt(words[3]));
    } catch (TimeoutException | ExecutionException | NumberFormatException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /**
   * A line that the process is about to write. It has its time of a processor, however long that
   * takes on a busy machine; one that does nothing is given up earlier.
   */
  private @Nullable String line(CompletableFuture<@Nullable String> line, Conversation with)
      throws ExecutionException, InterruptedException, TimeoutException {
    ProcessHandle process = with.process.toHandle();
    long look = Math.min(LOOK_MILLIS, patienceMillis);
    Duration begin = processorTime(process);
    Duration before = begin;
    long idle = 0;
    while (true) {
      try {
        return line.get(look, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        Duration now = processorTime(process);
        idle = now.compareTo(before) > 0 ? 0 : idle + look;
        if (idle >= patienceMillis
            || now.minus(begin).toMillis() > patienceMillis
            || (mustHurry(with) && now.minus(before).toMillis() < look / 2)) {
          throw e;
        }
        before = now;
      }
    }
  }

  private boolean mustHurry(Conversation with) {
    return urgent && with.comesLast;
  }

  private static Duration processorTime(ProcessHandle process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  private @Nullable Conversation start() {
    if (starts >= MOST_STARTS) {
      return null;
    }
    starts++;
    boolean comesLast = !urgent && Files.isExecutable(NICE);
    List<String> words = new ArrayList<>();
    if (comesLast) {
      words.addAll(List.of(NICE.toString(), "-n", "19"));
    }
    words.addAll(command);
    ProcessBuilder builder =
        new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().keySet().removeAll(Set.of(TO_ANOTHER_MACHINE, "JAVA_TOOL_OPTIONS"));
    try {
      Process process = builder.start();
      running =
          new Conversation(
              process,
              process.outputWriter(StandardCharsets.UTF_8),
              new BufferedReader(
                  new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)),
              comesLast);
      return running;
    } catch (IOException e) {
      return null;
    }
  }

  private void end(Conversation with) {
    running = null;
    with.process.destroyForcibly();
    try {
      with.process.waitFor();
      with.to.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      // nobody reads it any longer
    }
  }

  /** Ends the other process. */
  @Override
  public void close() {
    if (running != null) {
      end(running);
    }
  }
}
