package dev.kymo.session.machine;

import dev.kymo.session.StandardError;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/** Boots a kernel once to learn from it where its functions are, and how its structures look. */
final class KernelLearning {
  /** Of processor time. A kernel says a line more often than once in a second of it. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** Processor time after which it is said how far the kernel is. */
  private static final Duration NEWS = Duration.ofSeconds(10);

  private static final long MEGABYTES = 256;
  private static final String PANIC = "Kernel panic";

  private final MachineHome home;
  private final byte[] init;

  /**
   * For kernels in a home.
   *
   * @param init the machine's first program
   */
  KernelLearning(MachineHome home, byte[] init) {
    this.home = home;
    this.init = init;
  }

  /**
   * Learns a kernel.
   *
   * @param file the kernel
   * @param to where {@code kallsyms} and {@code places} are written
   * @throws IOException that says why it cannot be recorded
   */
  void learn(Path file, MachineHome.Kernel to) throws IOException, InterruptedException {
    Path folder = to.directory();
    Path files = folder.resolve("learn");
    Path console = folder.resolve("console");
    try (CpioArchive archive = new CpioArchive(files)) {
      for (String name : List.of("dev", "proc", "sys")) {
        archive.add(
            name.getBytes(StandardCharsets.US_ASCII), CpioArchive.DIRECTORY | 0755, new byte[0]);
      }
      archive.add("init".getBytes(StandardCharsets.US_ASCII), CpioArchive.REGULAR | 0755, init);
      archive.add(
          GuestOrders.FILE.substring(1).getBytes(StandardCharsets.US_ASCII),
          CpioArchive.REGULAR | 0644,
          GuestOrders.learn());
    }
    Map<Integer, ByteArrayOutputStream> said = new LinkedHashMap<>();
    QemuOptions options = new QemuOptions(file.toString(), files.toString(), MEGABYTES);
    StandardError.say("booting the kernel, once, to learn it: kernel=" + file);
    QemuRun.Patience patience = new QemuRun.Patience(PATIENCE, new News(console));
    QemuRun.Outcome outcome =
        new QemuRun(home, console, patience, Duration.ZERO)
            .run(
                (pipe, memory) -> options.learning(console, pipe, memory),
                (kind, bytes) ->
                    append(said.computeIfAbsent(kind, _ -> new ByteArrayOutputStream()), bytes));
    if (outcome.status().isEmpty()) {
      throw new IOException(
          "the kernel did not come to its first program: kernel=%s failure=\"%s\" console=\"%s\""
              .formatted(file, failure(outcome), last(console)));
    }
    KernelSymbols symbols =
        KernelSymbols.read(
            bytes(said, GuestMessages.Receiver.SYMBOLS).toString(StandardCharsets.UTF_8));
    BtfTypes types = BtfTypes.read(bytes(said, GuestMessages.Receiver.TYPES).toByteArray());
    Files.writeString(to.symbols(), symbols.text());
    Files.writeString(to.places(), KernelPlaces.text(symbols, types));
    Files.delete(files);
    Files.delete(console);
  }

  private static String failure(QemuRun.Outcome outcome) {
    if (outcome.signal() != 0) {
      return "a signal has ended it: signal=" + outcome.signal();
    }
    return Objects.requireNonNullElse(outcome.failure(), "the machine has ended");
  }

  /** Says now and then how far the kernel is. */
  private static final class News implements Consumer<Duration> {
    private final Path console;
    private Duration next = NEWS;

    private News(Path console) {
      this.console = console;
    }

    @Override
    public void accept(Duration used) {
      if (used.compareTo(next) >= 0) {
        next = used.plus(NEWS);
        StandardError.say(
            "the kernel is still booting: processor_time=%ds console=\"%s\""
                .formatted(used.toSeconds(), lastLine()));
      }
    }

    private String lastLine() {
      try {
        return text(console).lines().reduce("", (_, line) -> line).strip();
      } catch (IOException e) {
        return ""; // only the failure says why
      }
    }
  }

  /** Why a kernel gave up, or else the last lines that it wrote. */
  static String last(Path console) throws IOException {
    String text = text(console);
    return text.lines()
        .filter(line -> line.contains(PANIC))
        .findFirst()
        .orElse(HostProgram.last(text));
  }

  static String text(Path console) throws IOException {
    return Files.exists(console) ? Files.readString(console, StandardCharsets.ISO_8859_1) : "";
  }

  private static ByteArrayOutputStream bytes(Map<Integer, ByteArrayOutputStream> said, int kind) {
    return said.getOrDefault(kind, new ByteArrayOutputStream());
  }

  private static void append(ByteArrayOutputStream to, ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(copy);
    to.writeBytes(copy);
  }
}
