package dev.kymo.importers.ctf.tsdl;

import dev.kymo.importers.ctf.type.EnumerationLabels;
import dev.kymo.importers.ctf.type.FloatType;
import dev.kymo.importers.ctf.type.IntType;
import dev.kymo.importers.ctf.type.Ranges;
import dev.kymo.importers.ctf.type.Type;
import dev.kymo.importers.target.ForeignException;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.antlr.v4.runtime.ParserRuleContext;
import org.jspecify.annotations.Nullable;

/** Types of numbers: integers, enumerations, floating point. */
final class Numbers {
  private static final Set<Integer> FLOATS = Set.of(16, 32, 64, 128);
  private static final Pattern CLOCK = Pattern.compile("clock\\.(\\w+)\\.value");
  private static final int MOST_BITS = 1 << 16;

  private final Problems problems;
  private final boolean big;

  Numbers(Problems problems, boolean big) {
    this.problems = problems;
    this.big = big;
  }

  IntType integer(TsdlParser.IntegerContext tree) throws ForeignException {
    Attributes of = Attributes.of(problems, tree, tree.attribute());
    if (!of.has("size")) {
      throw problems.at(tree, "integer has no size");
    }
    int bits = (int) of.number("size", 0, 1, MOST_BITS);
    int align = of.align();
    return new IntType(
        bits,
        align == 0 ? (bits % Byte.SIZE == 0 ? Byte.SIZE : 1) : align,
        signed(of),
        of.big(big, big),
        false,
        base(of),
        encoded(of),
        clock(of),
        null);
  }

  private static boolean signed(Attributes of) throws ForeignException {
    String word = of.word("signed");
    if (word == null) {
      return false;
    }
    return switch (word) {
      case "true", "TRUE", "1" -> true;
      case "false", "FALSE", "0" -> false;
      default -> throw of.problem("signed", "signed is neither true nor false");
    };
  }

  private static int base(Attributes of) throws ForeignException {
    String word = of.word("base");
    if (word == null) {
      return 10;
    }
    return switch (word) {
      case "decimal", "dec", "d", "i", "u", "10" -> 10;
      case "hexadecimal", "hex", "x", "X", "p", "16" -> 16;
      case "octal", "oct", "o", "8" -> 8;
      case "binary", "bin", "b", "2" -> 2;
      default -> throw of.problem("base", "no base of numbers");
    };
  }

  /** Whether there is an encoding of characters. */
  static boolean encoded(Attributes of) throws ForeignException {
    String word = of.word("encoding");
    if (word == null) {
      return false;
    }
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "none" -> false;
      case "utf8", "ascii" -> true;
      default -> throw of.problem("encoding", "no encoding of characters");
    };
  }

  private static @Nullable String clock(Attributes of) throws ForeignException {
    String path = of.word("map");
    if (path == null) {
      return null;
    }
    Matcher clock = CLOCK.matcher(path);
    if (!clock.matches()) {
      throw of.problem("map", "map is not the value of a clock");
    }
    return clock.group(1);
  }

  FloatType floating(TsdlParser.FloatingContext tree) throws ForeignException {
    Attributes of = Attributes.of(problems, tree, tree.attribute());
    int bits = (int) of.number("exp_dig", 0, 0, 128) + (int) of.number("mant_dig", 0, 0, 128);
    if (!FLOATS.contains(bits)) {
      throw problems.at(tree, "floating_point has an unknown size");
    }
    int align = of.align();
    return new FloatType(bits, align == 0 ? Byte.SIZE : align, of.big(big, big), false);
  }

  /** An enumeration on top of a number. */
  IntType enumeration(TsdlParser.EnumerationContext tree, @Nullable Type container)
      throws ForeignException {
    if (!(container instanceof IntType number) || number.bits() > Long.SIZE) {
      throw problems.at(tree, "enumeration is not of an integer of at most 64 bits");
    }
    return number.with(labels(tree.enumerator(), number));
  }

  private EnumerationLabels labels(List<TsdlParser.EnumeratorContext> list, IntType number)
      throws ForeignException {
    Map<String, Ranges> ranges = new LinkedHashMap<>();
    BigInteger next = BigInteger.ZERO;
    for (TsdlParser.EnumeratorContext each : list) {
      BigInteger from = each.bound().isEmpty() ? next : bound(each.bound(0));
      BigInteger to = each.bound().size() < 2 ? from : bound(each.bound(1));
      if (!fits(from, number) || !fits(to, number) || from.compareTo(to) > 0) {
        throw problems.at(each, "value of an enumeration is out of its integer's range");
      }
      TsdlParser.LabelContext label = each.label();
      String name = label.text() == null ? label.getText() : Texts.decode(label.text().getText());
      Ranges before = ranges.getOrDefault(name, new Ranges(number.signed(), new long[0]));
      ranges.put(name, Objects.requireNonNull(before).plus(from.longValue(), to.longValue()));
      next = to.add(BigInteger.ONE);
    }
    return new EnumerationLabels(ranges);
  }

  private BigInteger bound(TsdlParser.BoundContext tree) throws ForeignException {
    return Attributes.number(problems, tree.NUMBER().getText(), tree.sign, tree);
  }

  private static boolean fits(BigInteger value, IntType number) {
    return number.signed()
        ? value.bitLength() < number.bits()
        : value.signum() >= 0 && value.bitLength() <= number.bits();
  }

  /** What a number in brackets says. */
  long length(String digits, ParserRuleContext where) throws ForeignException {
    BigInteger length = Attributes.number(problems, digits, null, where);
    if (length.bitLength() >= Integer.SIZE) {
      throw problems.at(where, "array is too long");
    }
    return length.longValue();
  }
}
