package dev.kymo.importers.uftrace.data;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Format of a stored argument or result.
 *
 * @param name {@code arg1}, {@code retval}
 * @param format {@code d i u x o s c f S p e t}, as uftrace has it
 * @param size bytes; of texts what their length says
 */
public record Argument(String name, char format, int size) {
  private static final Pattern SPEC =
      Pattern.compile("(arg|fparg)(\\d{1,5})(.{0,500})|(retval)(.{0,500})");
  private static final Pattern FORMAT =
      Pattern.compile(
          "/([diuxoscfSp])?(\\d{1,3})?(%.{0,200})?|/e:[^%]{1,200}(%.{0,200})?|(%.{0,200})");
  private static final Pattern STRUCT = Pattern.compile("/t(\\d{1,6}).{0,300}");

  /** Whether it is a text with its length before it. */
  public boolean isText() {
    return format == 's' || format == 'S';
  }

  /**
   * The arguments in {@code @arg1/s,fparg1/64,retval}; what are no arguments is left out.
   *
   * @param word bytes of an address
   */
  static List<Argument> parse(String text, int word) {
    List<Argument> all = new ArrayList<>();
    for (String part : text.replace("@", "").split(",", -1)) {
      Matcher matcher = SPEC.matcher(part.strip());
      if (matcher.matches()) {
        boolean result = matcher.group(4) != null;
        String rest = result ? matcher.group(5) : matcher.group(3);
        boolean real = "fparg".equals(matcher.group(1));
        String name = result ? "retval" : matcher.group(1) + matcher.group(2);
        Argument argument = one(name, real, rest, word);
        if (argument != null) {
          all.add(argument);
        }
      }
    }
    return all;
  }

  private static @org.jspecify.annotations.Nullable Argument one(
      String name, boolean real, String rest, int word) {
    if (rest.isEmpty()) {
      return new Argument(name, real ? 'f' : 'd', real ? 8 : word);
    }
    Matcher struct = STRUCT.matcher(rest);
    if (struct.matches()) {
      return new Argument(name, 't', Integer.parseInt(struct.group(1)));
    }
    Matcher matcher = FORMAT.matcher(rest);
    if (!matcher.matches()) {
      return null;
    }
    if (rest.startsWith("/e:")) {
      return new Argument(name, 'e', word);
    }
    String letter = matcher.group(1);
    char format = letter == null ? (real ? 'f' : 'd') : letter.charAt(0);
    int size = format == 'c' ? 1 : format == 'f' ? 8 : word;
    String bits = matcher.group(2);
    return new Argument(name, format, bits == null ? size : Integer.parseInt(bits) / 8);
  }

  boolean isResult() {
    return name.equals("retval");
  }
}
