package dev.kymo.editing.clocks;

import dev.kymo.reader.SafeDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Relation of a recording's clock to that of another recording, found once and kept beside it, in
 * the file {@code .aligned}:
 *
 * <pre>
 *   kymo aligned clock 1
 *   to UUID                          the other recording
 *   OFFSET MOMENT RATE ERROR COUNT   nanoseconds; nanoseconds since 1970; a ratio; nanoseconds; readings
 * </pre>
 *
 * @param to the other recording
 */
public record AlignedClock(UUID to, ClockLine line) {
  private static final String FILE = ".aligned";
  private static final String FIRST = "kymo aligned clock 1";
  private static final String TO = "to ";

  /** What a recording's directory has; empty if it has none, or a damaged one. */
  public static Optional<AlignedClock> read(SafeDirectory directory) throws IOException {
    return SmallFile.lines(directory, FILE).flatMap(AlignedClock::parse);
  }

  private static Optional<AlignedClock> parse(List<String> lines) {
    if (lines.size() != 3 || !lines.get(0).equals(FIRST) || !lines.get(1).startsWith(TO)) {
      return Optional.empty();
    }
    String[] five = lines.get(2).split(" ");
    try {
      ClockDrift drift =
          new ClockDrift(
              Long.parseLong(five[0]), Long.parseLong(five[1]), Double.parseDouble(five[2]));
      ClockLine line = new ClockLine(drift, Long.parseLong(five[3]), Integer.parseInt(five[4]), 0);
      boolean sane = Math.abs(drift.rate()) < 0.1 && line.error() >= 0;
      return sane
          ? Optional.of(
              new AlignedClock(UUID.fromString(lines.get(1).substring(TO.length())), line))
          : Optional.empty();
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }

  /** Keeps it in a recording's directory, in the place of what was found before. */
  public void write(SafeDirectory directory) throws IOException {
    ClockDrift drift = line.drift();
    String text =
        "%s\n%s%s\n%d %d %s %d %d\n"
            .formatted(
                FIRST,
                TO,
                to,
                drift.offset(),
                drift.moment(),
                Double.toString(drift.rate()),
                line.error(),
                line.readings());
    try (FileChannel file = directory.create(FILE)) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
    }
  }

  public static void delete(SafeDirectory directory) throws IOException {
    directory.delete(FILE);
  }
}
