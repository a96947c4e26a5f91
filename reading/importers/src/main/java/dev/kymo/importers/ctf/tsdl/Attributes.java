package dev.kymo.importers.ctf.tsdl;

import dev.kymo.importers.target.ForeignException;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.antlr.v4.runtime.ParserRuleContext;
import org.jspecify.annotations.Nullable;

/** Values of the attributes of a type or a block: numbers, words and texts. */
final class Attributes {
  private final Problems problems;
  private final ParserRuleContext owner;
  private final Map<String, TsdlParser.ValueContext> values = new HashMap<>();

  Attributes(Problems problems, ParserRuleContext owner) {
    this.problems = problems;
    this.owner = owner;
  }

  static Attributes of(
      Problems problems, ParserRuleContext owner, List<TsdlParser.AttributeContext> list)
      throws ForeignException {
    Attributes attributes = new Attributes(problems, owner);
    for (TsdlParser.AttributeContext each : list) {
      if (each.path() != null) {
        attributes.add(each.path(), each.value());
      }
    }
    return attributes;
  }

  void add(TsdlParser.PathContext path, TsdlParser.ValueContext value) throws ForeignException {
    if (values.put(path.getText(), value) != null) {
      throw problems.at(path, "attribute is there twice");
    }
  }

  Map<String, TsdlParser.ValueContext> all() {
    return values;
  }

  boolean has(String name) {
    return values.containsKey(name);
  }

  /** A number; null if the attribute is absent. */
  @Nullable BigInteger number(String name) throws ForeignException {
    TsdlParser.ValueContext value = values.get(name);
    if (value == null) {
      return null;
    }
    if (value.NUMBER() == null) {
      throw problems.at(value, name + " is not a number");
    }
    return number(problems, value.NUMBER().getText(), value.sign, value);
  }

  static BigInteger number(
      Problems problems,
      String digits,
      org.antlr.v4.runtime.@Nullable Token sign,
      ParserRuleContext where)
      throws ForeignException {
    String plain = digits.replaceAll("[uUlL]+$", "").toLowerCase(Locale.ROOT);
    BigInteger number;
    if (plain.startsWith("0x")) {
      number = new BigInteger(plain.substring(2), 16);
    } else if (plain.startsWith("0b")) {
      number = new BigInteger(plain.substring(2), 2);
    } else {
      number = new BigInteger(plain, plain.startsWith("0") ? 8 : 10);
    }
    if (number.bitLength() > Long.SIZE) {
      throw problems.at(where, "number needs more than 64 bits");
    }
    return sign != null && sign.getText().equals("-") ? number.negate() : number;
  }

  /** A number within bounds, or what it is where it is absent. */
  long number(String name, long absent, long least, long most) throws ForeignException {
    BigInteger number = number(name);
    if (number == null) {
      return absent;
    }
    if (number.compareTo(BigInteger.valueOf(least)) < 0
        || number.compareTo(BigInteger.valueOf(most)) > 0) {
      throw problem(name, "%s is out of range: min=%d max=%d".formatted(name, least, most));
    }
    return number.longValue();
  }

  /** A number of 64 bits, with a sign or without; 0 if it is absent. */
  long anyNumber(String name) throws ForeignException {
    BigInteger number = number(name);
    return number == null ? 0 : number.longValue();
  }

  /** An alignment in bits; 0 if it is absent. */
  int align() throws ForeignException {
    int align = (int) number("align", 0, 1, 1 << 20);
    if (Integer.bitCount(align) > 1) {
      throw problem("align", "align is not a power of two");
    }
    return align;
  }

  /** A word that is not in quotes; null if it is absent. */
  @Nullable String word(String name) throws ForeignException {
    TsdlParser.ValueContext value = values.get(name);
    if (value == null) {
      return null;
    }
    if (value.text() != null) {
      throw problems.at(value, name + " must not be in quotes");
    }
    return value.getText();
  }

  /** A text, in quotes or not; null if it is absent. */
  @Nullable String text(String name) throws ForeignException {
    TsdlParser.ValueContext value = values.get(name);
    if (value == null) {
      return null;
    }
    if (value.NUMBER() != null) {
      throw problems.at(value, name + " is not a text");
    }
    return value.text() == null ? value.getText() : Texts.decode(value.text().getText());
  }

  /** Whether a byte order is big-endian. */
  boolean big(boolean absent, boolean own) throws ForeignException {
    String word = word("byte_order");
    if (word == null) {
      return absent;
    }
    return switch (word) {
      case "be", "network" -> true;
      case "le" -> false;
      case "native" -> own;
      default -> throw problem("byte_order", "no byte order");
    };
  }

  ForeignException problem(String name, String problem) {
    TsdlParser.ValueContext value = values.get(name);
    return problems.at(value == null ? owner : value, problem);
  }
}
