package dev.kymo.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tools that record the same loop in C, which is compiled here. */
final class NativePeers {
  private static final Pattern REPORTED = Pattern.compile("(?m) (\\d+)  call$");
  private static final Pattern DISCARDED = Pattern.compile("Discarded events: (\\d+)");
  private static final String HOOKS = "liblttng-ust-cyg-profile-fast.so";
  private static final long PATIENCE_MILLIS = 10_000;

  private NativePeers() {}

  static List<Peer> all() {
    return List.of(new Uftrace(), new Lttng());
  }

  private static String missing(String... programs) {
    List<String> missing =
        Arrays.stream(programs).filter(p -> JavaVersion.find(p) == null).toList();
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
      return NativePeers.missing("gcc", "uftrace");
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

  /** With the hooks that come with it, and a session daemon of its own where none runs. */
  private static final class Lttng implements Peer {
    private static final String SESSION = "kymo-bench-" + ProcessHandle.current().pid();

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
      String programs = NativePeers.missing("gcc", "lttng", "lttng-sessiond");
      return programs.isEmpty() && !hasHooks() ? "not installed: " + HOOKS : programs;
    }

    /** Whether the dynamic linker finds them: it warns if not, and goes on. */
    private static boolean hasHooks() {
      try {
        Process linker =
            new ProcessBuilder("sh", "-c", "LD_PRELOAD=" + HOOKS + " exec true 2>&1").start();
        return linker.getInputStream().readAllBytes().length == 0;
      } catch (IOException e) {
        return false;
      }
    }

    @Override
    public Outcome measure(Path folder) throws IOException, InterruptedException {
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

    /** Until a daemon answers; where one runs already, that of ours ends by itself. */
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
