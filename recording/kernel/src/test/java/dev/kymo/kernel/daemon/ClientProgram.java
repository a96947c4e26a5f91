package dev.kymo.kernel.daemon;

import dev.kymo.format.Clock;
import dev.kymo.format.KernelEventFormat;
import dev.kymo.kernel.KernelSink;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * A client in a process of its own. Arguments: socket, services, what to do meanwhile: a shell
 * command, {@code may see PID}, or nothing for waiting until the input ends. Prints the events, a
 * line each: name, the thread, then the fields.
 */
@SuppressWarnings("ClosingStandardOutputStreams") // Error Prone takes a source for a stream
final class ClientProgram implements KernelSink {
  private final List<KernelEventFormat> formats;
  private final StringBuilder text = new StringBuilder();

  private ClientProgram(List<KernelEventFormat> formats) {
    this.formats = formats;
  }

  public static void main(String[] args) throws Exception {
    try {
      run(args);
    } catch (dev.kymo.kernel.KernelException e) {
      System.out.println(e.getMessage());
    }
  }

  private static void run(String[] args) throws Exception {
    try (DaemonSource source =
        DaemonSource.open(Path.of(args[0]), args[1], Clock.MONOTONIC, 8192, System.err::println)) {
      if (args.length > 2 && args[2].startsWith("may see ")) {
        source.maySee(Long.parseLong(args[2].substring("may see ".length())));
        System.out.println("yes");
        return;
      }
      source.start();
      System.out.println("started");
      System.out.flush();
      ClientProgram program = new ClientProgram(source.formats());
      if (args.length > 2) {
        Process process = new ProcessBuilder("sh", "-c", args[2]).inheritIO().start(); // no output
        while (process.isAlive()) {
          source.round(program);
        }
        System.out.println("pid " + process.pid());
      } else {
        while (System.in.available() == 0) {
          source.round(program);
        }
      }
      source.finish(program);
      System.out.print(program.text);
      source.remarks().forEach(System.out::println);
      System.out.println("end");
    }
  }

  @Override
  public void event(int cpu, long clock, int event, byte[] bytes, int offset, int size) {
    KernelEventFormat format = formats.get(event);
    text.append(format.name()).append("\tthread=").append(Bytes.i32(bytes, offset + 4));
    for (KernelEventFormat.Field field : format.fields()) {
      int at = offset + field.offset();
      text.append('\t').append(field.name()).append('=');
      switch (field.kind()) {
        case TEXT ->
            text.append(
                new String(bytes, at, field.size(), StandardCharsets.UTF_8).split("\0", 2)[0]);
        case DYNAMIC_TEXT -> {
          int place = Bytes.i32(bytes, at);
          int from = offset + (place & 0xFFFF);
          text.append(new String(bytes, from, (place >>> 16) - 1, StandardCharsets.UTF_8));
        }
        case INTEGER ->
            text.append(field.size() == 8 ? Bytes.i64(bytes, at) : (long) Bytes.i32(bytes, at));
        default -> text.append('?');
      }
    }
    text.append('\n');
  }

  @Override
  public void lost(int cpu, long from, long to, long count) {
    text.append("LOST\t").append(count).append('\n');
  }

  @Override
  public void upTo(long clock) {}
}
