package dev.kymo.cli.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kymo.model.index.Scratch;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The process that answers ({@link AnswerLoop}), as seen from the one that talks. A question that
 * takes too long, or too much memory, is ended with the process, and another one is started: there
 * are functions of SQL that nothing else ends. One thread asks.
 */
final class Worker implements AutoCloseable {
  /** Until then a question may end by itself, once it was told to. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(3);

  private static final long LOOK_MILLIS = 20;
  private static final Pattern MEMORY = Pattern.compile("(?m)^RssAnon:\\s+(\\d+) kB");

  private final List<String> command;
  private final long mostBytes;
  private final ObjectMapper json = new ObjectMapper();
  private @Nullable Running running;
  private boolean closed;
  private long asked;

  /**
   * Starts the first process; it can be asked before it is ready.
   *
   * @param command that runs {@link AnswerLoop}
   * @param mostBytes of memory that the process may have for itself
   * @param failed takes the exit code of the first process if that ends before it is ready
   */
  Worker(List<String> command, long mostBytes, IntConsumer failed) throws IOException {
    this.command = command;
    this.mostBytes = mostBytes;
    this.running = start(failed);
  }

  /** A process, and what it says. */
  private record Running(Process process, BlockingQueue<String> lines) {
    /** In place of a line: it says no more. */
    static final String END = "";

    boolean isTooLarge(long mostBytes) {
      try {
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        Matcher memory = MEMORY.matcher(Files.readString(status, StandardCharsets.ISO_8859_1));
        return memory.find() && Long.parseLong(memory.group(1)) << 10 > mostBytes;
      } catch (IOException e) {
        return false; // it has ended, which its lines say
      }
    }
  }

  private Running start(IntConsumer endedBefore) throws IOException {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Running started = new Running(process, new LinkedBlockingQueue<>());
    Thread.ofPlatform().daemon().name("kymo worker").start(() -> listen(started, endedBefore));
    return started;
  }

  private static void listen(Running to, IntConsumer endedBefore) {
    boolean ready = false;
    try (BufferedReader lines = to.process().inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (ready) {
          to.lines().add(line);
        }
        ready = true;
      }
    } catch (IOException e) {
      // It was ended.
    }
    to.lines().add(Running.END);
    if (!ready) {
      endedBefore.accept(to.process().onExit().join().exitValue());
    }
  }

  /**
   * Has a question answered.
   *
   * @param seconds that it may take
   * @param by may cancel it
   */
  Tool.Answer ask(String tool, JsonNode arguments, long seconds, Asked by)
      throws IOException, InterruptedException {
    Running to = running();
    long number = ++asked;
    send(to, Map.of("ask", number, "tool", tool, "arguments", arguments));
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    long end = Long.MAX_VALUE;
    String why = "";
    while (true) {
      String line = to.lines().poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      if (line != null) {
        return line.equals(Running.END) ? ended(to) : answer(json.readTree(line), why);
      }
      if (to.isTooLarge(mostBytes)) {
        replace(to);
        return Tool.Answer.error(
            "it took more than %d MB of memory; ask for less".formatted(mostBytes >> 20));
      }
      long now = System.nanoTime();
      if (why.isEmpty() && (by.isCancelled() || now - limit > 0)) {
        why =
            by.isCancelled()
                ? Asked.CANCELLED
                : "it took more than %d seconds; ask for less, or give more with seconds"
                    .formatted(seconds);
        end = now + GRACE_NANOS;
        send(to, Map.of("cancel", number));
      }
      if (!why.isEmpty() && now - end > 0) {
        replace(to);
        return Tool.Answer.error(why);
      }
    }
  }

  private static Tool.Answer answer(JsonNode message, String why) {
    String text = message.path("text").asText();
    boolean error = message.path("error").asBoolean();
    if (error && text.equals(Asked.CANCELLED)) {
      return Tool.Answer.error(why.isEmpty() ? text : why);
    }
    return new Tool.Answer(text, Base64.getDecoder().decode(message.path("png").asText()), error);
  }

  private void send(Running to, Map<String, Object> message) {
    try {
      byte[] line = (json.writeValueAsString(message) + '\n').getBytes(StandardCharsets.UTF_8);
      to.process().getOutputStream().write(line);
      to.process().getOutputStream().flush();
    } catch (IOException e) {
      // It has ended, which its lines say.
    }
  }

  private synchronized Running running() throws IOException {
    Running now = running;
    if (now == null) {
      now = start(code -> {});
      running = now;
    }
    return now;
  }

  private Tool.Answer ended(Running which) throws IOException, InterruptedException {
    int exit = which.process().waitFor();
    replace(which);
    return Tool.Answer.error(
        "the process that answers has ended: exit=%d; ask again".formatted(exit));
  }

  /** The next question should not have to wait until a process has begun. */
  private synchronized void replace(Running ended) throws IOException, InterruptedException {
    ended.process().destroyForcibly().waitFor();
    Scratch.sweep();
    running = closed ? null : start(code -> {});
  }

  /** Whatever is being asked ends. */
  @Override
  public synchronized void close() {
    closed = true;
    Running now = running;
    if (now != null) {
      now.process().destroyForcibly().onExit().join();
      Scratch.sweep();
    }
  }
}
