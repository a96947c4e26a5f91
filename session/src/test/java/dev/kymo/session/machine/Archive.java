package dev.kymo.session.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.session.system.RawText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What is in an archive, read as Linux's {@code init/initramfs.c} reads it. */
record Archive(List<Entry> entries) {
  private static final int HEADER = 110;
  private static final int MAGIC = 6;
  private static final int DIGITS = 8;
  private static final int KINDS = 0170000;

  /**
   * An entry.
   *
   * @param name one character a byte
   * @param text its content, one character a byte
   */
  record Entry(
      String name, int mode, long modified, int major, int minor, long inode, String text) {
    int kind() {
      return mode & KINDS;
    }

    int permissions() {
      return mode & ~KINDS;
    }

    byte[] content() {
      return text.getBytes(StandardCharsets.ISO_8859_1);
    }
  }

  /** Reads a file, and checks what is the same for all entries. */
  static Archive read(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    List<Entry> entries = new ArrayList<>();
    int at = 0;
    while (true) {
      assertThat(at % 4).isZero();
      long[] fields = fields(bytes, at);
      assertThat(fields[2]).as("owner").isZero();
      assertThat(fields[3]).as("group").isZero();
      assertThat(fields[4]).as("links").isEqualTo(1);
      assertThat(fields[7]).as("device").isZero();
      assertThat(fields[8]).as("device").isZero();
      assertThat(fields[12]).as("checksum").isZero();
      int ends = at + HEADER + (int) fields[11] - 1;
      assertThat(bytes[ends]).as("end of the name").isZero();
      String name = text(bytes, at + HEADER, ends);
      int begin = filled(bytes, ends + 1);
      int end = begin + (int) fields[6];
      String content = text(bytes, begin, end);
      at = filled(bytes, end);
      if (name.equals("TRAILER!!!")) {
        assertThat(content).isEmpty();
        assertThat(at).as("nothing follows").isEqualTo(bytes.length);
        assertThat(entries).extracting(Entry::inode).doesNotHaveDuplicates();
        return new Archive(entries);
      }
      entries.add(
          new Entry(
              name,
              (int) fields[1],
              fields[5],
              (int) fields[9],
              (int) fields[10],
              fields[0],
              content));
    }
  }

  private static long[] fields(byte[] bytes, int at) {
    assertThat(text(bytes, at, at + MAGIC)).isEqualTo("070701");
    long[] fields = new long[(HEADER - MAGIC) / DIGITS];
    for (int i = 0; i < fields.length; i++) {
      int begin = at + MAGIC + i * DIGITS;
      fields[i] = Long.parseLong(text(bytes, begin, begin + DIGITS), 16);
    }
    return fields;
  }

  /** The next place that four divides; zero bytes come before it. */
  private static int filled(byte[] bytes, int end) {
    int next = (end + 3) & ~3;
    assertThat(Arrays.copyOfRange(bytes, end, next)).containsOnly(new byte[next - end]);
    return next;
  }

  private static String text(byte[] bytes, int begin, int end) {
    return new String(bytes, begin, end - begin, StandardCharsets.ISO_8859_1);
  }

  List<String> names() {
    return entries.stream().map(Entry::name).toList();
  }

  /** The name of a path in an archive. */
  static String name(Path path) {
    return name(path.toString());
  }

  /** The same for {@link RawText}. */
  static String name(String path) {
    return new String(RawText.encode(path.substring(1)), StandardCharsets.ISO_8859_1);
  }

  boolean has(Path path) {
    return names().contains(name(path));
  }

  /** The only entry of a path. */
  Entry entry(Path path) {
    return entry(name(path));
  }

  /** The only entry of a name. */
  Entry entry(String name) {
    List<Entry> found = entries.stream().filter(each -> each.name.equals(name)).toList();
    assertThat(found).as(name).hasSize(1);
    return found.getFirst();
  }

  /** The path of what the machine has at a path, through links as its kernel follows them. */
  Path followed(Path path) {
    Path at = Path.of("/");
    List<Path> rest = new ArrayList<>();
    path.forEach(rest::add);
    for (int links = 0; !rest.isEmpty(); ) {
      Path next = at.resolve(rest.removeFirst()).normalize();
      if (!next.equals(Path.of("/"))) {
        Entry entry = entry(next);
        if (entry.kind() == CpioArchive.LINK) {
          assertThat(++links).as("links").isLessThan(40);
          Path target = at.resolve(entry.text());
          List<Path> names = new ArrayList<>();
          target.forEach(names::add);
          rest.addAll(0, names);
          next = Path.of("/");
        }
      }
      at = next;
    }
    return at;
  }
}
