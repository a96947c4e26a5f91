package dev.kymo.importers.linux.metadata;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Texts that the kernel prints by their addresses: lines {@code 0xffff1234 : "text %d\n"}. The
 * values of such a text are numbers at multiples of four bytes, and texts.
 */
public final class PrintTexts {
  private static final Pattern LINE = Pattern.compile("0x([0-9a-f]{1,16}) : \"(.*)\"");
  private static final Pattern VALUE =
      Pattern.compile(
          "%([-+ #0]*)(\\*|\\d{1,3})?(?:\\.(\\*|\\d{1,3}))?(hh|h|ll|l|z|L)?([a-zA-Z%])(\\w?)");

  private final Map<Long, String> texts = new HashMap<>();
  private final Symbols symbols;
  private final int longSize;

  PrintTexts(String lines, Symbols symbols, int longSize) {
    this.symbols = symbols;
    this.longSize = longSize;
    lines
        .lines()
        .forEach(line -> {
          Matcher matcher = LINE.matcher(line.strip());
          if (matcher.matches()) {
            texts.put(
                Long.parseUnsignedLong(matcher.group(1), 16),
                matcher.group(2).replace("\\n", "\n").replace("\\t", "\t").replace("\\\"", "\""));
          }
        });
  }

  /** The text at an address; the address if it is unknown. */
  public String at(long address) {
    return texts.getOrDefault(address, "0x" + Long.toHexString(address));
  }

  /** The text at an address, with its values. */
  public String filled(long address, byte[] bytes, int from, int end, boolean bigEndian) {
    StringBuilder to = new StringBuilder();
    Matcher value = VALUE.matcher(at(address));
    int at = from;
    while (value.find()) {
      String kind = value.group(5);
      String length = value.group(4) == null ? "" : value.group(4);
      if (kind.equals("%")) {
        value.appendReplacement(to, "%");
        continue;
      }
      if (kind.equals("s")) {
        int stop = at;
        while (stop < end && bytes[stop] != 0) {
          stop++;
        }
        String text =
            new String(bytes, Math.min(at, stop), Math.max(0, stop - at), StandardCharsets.UTF_8);
        value.appendReplacement(to, Matcher.quoteReplacement(text));
        at = from + ((stop + 1 - from + 3) & -4);
        continue;
      }
      boolean pointer = kind.equals("p");
      int size =
          length.equals("ll")
              ? 8
              : length.equals("l") || length.equals("z") || pointer ? longSize : 4;
      if (at + size > end) {
        break;
      }
      long number = FileKind.number(bytes, at, size, bigEndian);
      at += size;
      value.appendReplacement(
          to, Matcher.quoteReplacement(number(kind, value.group(6), number, size)));
    }
    value.appendTail(to);
    return to.toString();
  }

  private String number(String kind, String more, long number, int size) {
    long signed = size == 4 ? (int) number : number;
    return switch (kind) {
      case "d", "i" -> Long.toString(signed) + more;
      case "x", "X" -> Long.toHexString(number) + more;
      case "c" -> (char) (number & 0xFF) + more;
      case "p" ->
          more.matches("[sSfFB]") ? symbols.name(number) : "0x" + Long.toHexString(number) + more;
      default -> Long.toUnsignedString(number) + more;
    };
  }
}
