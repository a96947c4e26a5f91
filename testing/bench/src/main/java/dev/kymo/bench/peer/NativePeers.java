package dev.kymo.bench.peer;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tools that record the same loop in C, which is compiled here. */
public final class NativePeers {
  private static final Pattern REPORTED = Pattern.compile("(?m) (\\d+)  call$");
  private static final Pattern DISCARDED = Pattern.compile("Discarded events: (\\d+)");
  private static final String HOOKS = "liblttng-ust-cyg-profile-fast.so";
  private static final long PATIENCE_MILLIS = 10_000;

  private NativePeers() {}

  /**
   * The tools.
   *
   * @param installed whether a program is on this machine
   */
  public static List<Peer> all(Predicate<String> installed) {
    return List.of(new Uftrace(installed), new Lttng(installed));
  }

  private static String missing(Predicate<String> installed, String... programs) {
    List<String> missing = Arrays.stream(programs).filter(installed.negate()).toList();
    return missing.isEmpty() ? "" : "not installed: " + String.join(", ", missing);
  }

  /** Compiles the loop with a call of the tracer's hooks at each enter and leave, or without. */
  private static List<String> loop(Path folder, String... options)
      throws IOException, InterruptedException {
    Path source = folder.resolve("calls.c");
    try (InputStream in = NativePeers.class.getResourceAsStream("/dev/kymo/bench/calls.c")) {
      Files.write(source, Objects.requireNonNull(in).readAllBytes());
    }
    Path program = folder.resolve(options.length == 0 ? "plain" : "calls");
    List<String> compile = new ArrayList<>(List.of("gcc", "-O2"));
    compile.addAll(Arrays.asList(options));
    compile.addAll(List.of("-o", program.toString(), source.toString()));
    ChildCommand.run(folder, compile);
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(Arrays.asList(Peer.arguments()));
    return command;
  }

  private static double nanos(Path folder, List<String> command)
      throws IOException, InterruptedException {
    return Double.parseDouble(ChildCommand.run(folder, command));
  }

  private static long number(Pattern pattern, String text) throws IOException {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.find()) {
      throw new IOException(
          "unexpected output: looked_for=\"%s\" output=\"%s\"".formatted(pattern, text));
    }
    return Long.parseLong(matcher.group(1));
  }

  private static final class Uftrace implements Peer {
    private final Predicate<String> installed;

    Uftrace(Predicate<String> installed) {
      this.installed = installed;
    }

    @Override
    public String name() {
      return "uftrace";
    }

    @Override
    public int eventsPerCall() {
      return 2;
    }

    @Override
    public String missing() {
      return NativePeers.missing(installed, "gcc", "uftrace");
    }

    @Override
    public Outcome measure(Path folder) throws IOException, InterruptedException {
      double plain = nanos(folder, loop(folder));
      Path data = folder.resolve("data");
      List<String> command =
          new ArrayList<>(
              List.of("uftrace", "record", "--no-libcall", "--no-event", "-d", data.toString()));
      command.addAll(loop(folder, "-finstrument-functions"));
      double recorded = nanos(folder, command);
      String report =
          ChildCommand.run(
              folder, List.of("uftrace", "report", "--no-pager", "-d", data.toString()));
      return new Outcome(plain, recorded, 2 * number(REPORTED, report), ChildCommand.bytes(data));
    }
  }

  /** Uses the hooks that come with the tracer, and a session daemon of its own if none runs. */
  private static final class Lttng implements Peer {
    private static final String SESSION = "kymo-bench-" + ProcessHandle.current().pid();

    private final Predicate<String> installed;

    Lttng(Predicate<String> installed) {
      this.installed = installed;
    }

    @Override
    public String name() {
      return "lttng-ust";
    }

    @Override
    public int eventsPerCall() {
      return 2;
    }

    @Override
    public String missing() {
      String programs = NativePeers.missing(installed, "gcc", "lttng", "lttng-sessiond");
      return programs.isEmpty() && !hasHooks() ? "not installed: " + HOOKS : programs;
    }

    /** Whether the dynamic linker finds the hooks: if not, it warns and goes on. */
    private static boolean hasHooks() {
      try (LttngFiles left = new LttngFiles()) {
        Process linker =
            new ProcessBuilder("sh", "-c", "LD_PRELOAD=" + HOOKS + " exec true 2>&1").start();
        return linker.getInputStream().readAllBytes().length == 0;
      } catch (IOException e) {
        return false;
      }
    }

    @Override
    public Outcome measure(Path folder) throws IOException, InterruptedException {
      try (LttngFiles left = new LttngFiles()) {
        return withDaemon(folder);
      }
    }

    private Outcome withDaemon(Path folder) throws IOException, InterruptedException {
      double plain = nanos(folder, loop(folder));
      ProcessBuilder builder = new ProcessBuilder("lttng-sessiond", "--no-kernel");
      builder.environment().put("LTTNG_HOME", folder.toString());
      builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
      Process daemon = builder.start();
      try {
        await(folder);
        return session(folder, plain);
      } finally {
        daemon.destroy();
        daemon.waitFor();
      }
    }

    /** Waits until a daemon answers; if one is already running, the new daemon ends by itself. */
    private void await(Path folder) throws IOException, InterruptedException {
      long patience = System.nanoTime() + PATIENCE_MILLIS * 1_000_000;
      while (true) {
        try {
          lttng(folder, "list");
          return;
        } catch (IOException e) {
          if (System.nanoTime() > patience) {
            throw e;
          }
          Thread.sleep(20);
        }
      }
    }

    private Outcome session(Path folder, double plain) throws IOException, InterruptedException {
      Path trace = folder.resolve("trace");
      lttng(folder, "create", SESSION, "--output=" + trace);
      try {
        lttng(folder, "enable-channel", "-u", "-s", SESSION, "--subbuf-size=1M", "calls");
        lttng(folder, "enable-event", "-u", "-s", SESSION, "-c", "calls", "lttng_ust_cyg*");
        lttng(folder, "start", SESSION);
        String nanos =
            ChildCommand.run(
                folder,
                Map.of("LTTNG_HOME", folder.toString(), "LD_PRELOAD", HOOKS),
                loop(folder, "-finstrument-functions"));
        lttng(folder, "stop", SESSION);
        long discarded = number(DISCARDED, lttng(folder, "list", SESSION));
        return new Outcome(
            plain,
            Double.parseDouble(nanos),
            eventsPerCall() * ALL_CALLS - discarded,
            ChildCommand.bytes(trace));
      } finally {
        lttng(folder, "destroy", SESSION);
      }
    }

    private static String lttng(Path folder, String... arguments)
        throws IOException, InterruptedException {
      List<String> command = new ArrayList<>(List.of("lttng", "--no-sessiond"));
      command.addAll(Arrays.asList(arguments));
      return ChildCommand.run(folder, Map.of("LTTNG_HOME", folder.toString()), command);
    }
  }
}
