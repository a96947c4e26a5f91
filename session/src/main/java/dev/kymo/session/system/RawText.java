package dev.kymo.session.system;

import dev.kymo.format.Redaction;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Arguments, names and the environment are bytes, and mostly UTF-8. As text each byte that is no
 * UTF-8 is a character of its own, {@code U+DC80} to {@code U+DCFF}, which UTF-8 cannot have: so
 * the bytes come back as they were, whatever the locale is.
 */
public final class RawText {
  private static final int ESCAPE = 0xDC00;
  private static final int FIRST = ESCAPE + 0x80;
  private static final int LAST = ESCAPE + 0xFF;
  private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");

  private RawText() {}

  /**
   * The arguments of this program. The virtual machine has decoded them with the locale's character
   * set, which loses what that has not.
   *
   * @param decoded what the virtual machine made of them
   */
  public static String[] arguments(String[] decoded) {
    try {
      List<String> all = strings(Files.readAllBytes(COMMAND_LINE));
      int first = all.size() - decoded.length;
      return first < 0 ? decoded : all.subList(first, all.size()).toArray(new String[0]);
    } catch (IOException e) {
      return decoded;
    }
  }

  /** Texts that end with a zero byte each. */
  static List<String> strings(byte[] bytes) {
    List<String> strings = new ArrayList<>();
    int begin = 0;
    for (int at = 0; at < bytes.length; at++) {
      if (bytes[at] == 0) {
        strings.add(decode(ByteBuffer.wrap(bytes, begin, at - begin)));
        begin = at + 1;
      }
    }
    return strings;
  }

  static String decode(ByteBuffer bytes) {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    CharBuffer text = CharBuffer.allocate(bytes.remaining());
    for (CoderResult result = decoder.decode(bytes, text, true);
        result.isError();
        result = decoder.decode(bytes, text, true)) {
      for (int i = 0; i < result.length(); i++) {
        text.put((char) (ESCAPE + (bytes.get() & 0xFF)));
      }
    }
    return text.flip().toString();
  }

  /** The bytes. */
  public static byte[] encode(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    text.codePoints()
        .forEach(c -> {
          if (isByte(c)) {
            bytes.write(c - ESCAPE);
          } else {
            bytes.writeBytes(Character.toString(c).getBytes(StandardCharsets.UTF_8));
          }
        });
    return bytes.toByteArray();
  }

  /** The same for people: a byte that is no UTF-8 as {@code \xE9}. */
  public static String shown(String text) {
    StringBuilder shown = new StringBuilder(text.length());
    text.codePoints()
        .forEach(c -> {
          if (isByte(c)) {
            shown.append("\\x%02X".formatted(c - ESCAPE));
          } else {
            shown.appendCodePoint(c);
          }
        });
    return shown.toString();
  }

  /** The words of a command as they are handed on, for people. */
  public static String joined(List<String> command) {
    return Redaction.join(command.stream().map(RawText::shown).toList());
  }

  /** Whether it is UTF-8, and so a name that Java's files can have. */
  public static boolean isText(String text) {
    return text.codePoints().noneMatch(RawText::isByte);
  }

  private static boolean isByte(int character) {
    return character >= FIRST && character <= LAST;
  }

  /** The path with these bytes, also where the locale's character set has no such name. */
  public static Path path(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      return rawPath(text, e);
    }
  }

  /** Only names that come from the system keep their bytes: a link's target does. */
  private static Path rawPath(String text, InvalidPathException cause) {
    try {
      Path folder = Files.createTempDirectory("kymo-name-");
      Path link = folder.resolve("link");
      try {
        LinuxCalls.symbolicLink(encode(text), link);
        return Files.readSymbolicLink(link);
      } finally {
        Files.deleteIfExists(link);
        Files.delete(folder);
      }
    } catch (IOException e) {
      cause.addSuppressed(e);
      throw cause;
    }
  }
}
