package dev.kymo.importers.ftracetext.lines;

import java.util.ArrayList;
import java.util.List;

/**
 * Fields in the text of an event: {@code a=1 b={2 3} ==> c=d e}. A value ends where the next field
 * begins. What comes before the first is a field without a name.
 */
public final class FieldTexts {
  private static final int MOST = 64;

  private FieldTexts() {}

  /** A field. */
  public record FieldText(String name, String value) {}

  public static List<FieldText> of(String text) {
    List<FieldText> fields = new ArrayList<>();
    String name = "";
    int begin = 0;
    for (int is = text.indexOf('='); is >= 0; is = text.indexOf('=', is + 1)) {
      int from = is;
      while (from > begin && isName(text.charAt(from - 1))) {
        from--;
      }
      boolean starts = from == 0 || " ([,".indexOf(text.charAt(from - 1)) >= 0;
      if (from < is && starts && fields.size() < MOST) {
        add(fields, name, text.substring(begin, from));
        name = text.substring(from, is);
        begin = is + 1;
      }
    }
    add(fields, name, text.substring(begin));
    return fields;
  }

  private static boolean isName(char c) {
    return Character.isLetterOrDigit(c) || c == '_';
  }

  private static void add(List<FieldText> to, String name, String text) {
    String value = text.strip();
    if (value.endsWith("==>")) {
      value = value.substring(0, value.length() - 3).strip();
    }
    if (value.endsWith(",") || value.endsWith("[")) {
      value = value.substring(0, value.length() - 1).strip();
    }
    if (value.endsWith("]") && value.indexOf('[') < 0) {
      value = value.substring(0, value.length() - 1);
    }
    if (!name.isEmpty() || !value.isEmpty()) {
      to.add(new FieldText(name, value));
    }
  }
}
