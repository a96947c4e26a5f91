package dev.kymo.cli.machine;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The kernel's own symbols, without those of modules and those that count from a processor's data.
 */
final class KernelSymbols {
  private static final Pattern LINE = Pattern.compile("([0-9a-f]{1,16}) (\\S) (\\S+)");

  private final List<Symbol> sorted;
  private final Map<String, Long> addresses;

  /** A symbol: its type is {@code nm}'s letter. */
  record Symbol(long address, String type, String name) {}

  private KernelSymbols(List<Symbol> sorted) {
    this.sorted = sorted;
    this.addresses =
        sorted.stream()
            .collect(Collectors.toMap(Symbol::name, Symbol::address, (first, second) -> first));
  }

  /**
   * Reads {@code /proc/kallsyms}.
   *
   * @throws IOException if the kernel does not say where its symbols are
   */
  static KernelSymbols read(String text) throws IOException {
    List<Symbol> symbols =
        text.lines()
            .map(LINE::matcher)
            .filter(Matcher::matches)
            .map(m -> new Symbol(Long.parseUnsignedLong(m.group(1), 16), m.group(2), m.group(3)))
            .filter(symbol -> symbol.address < 0)
            .sorted(Comparator.comparingLong(Symbol::address))
            .toList();
    if (symbols.isEmpty()) {
      throw new IOException("the kernel does not say where its functions are: /proc/kallsyms");
    }
    return new KernelSymbols(symbols);
  }

  /** By address. */
  List<Symbol> sorted() {
    return sorted;
  }

  /** Address of a symbol; empty if there is none. */
  OptionalLong address(String name) {
    Long address = addresses.get(name);
    return address == null ? OptionalLong.empty() : OptionalLong.of(address);
  }

  /** Where the next symbol is; the last address of all if there is none. */
  long end(long address) {
    return sorted.stream()
        .mapToLong(Symbol::address)
        .filter(next -> next > address)
        .findFirst()
        .orElse(-1);
  }

  /** As lines like {@code ffffffff81000000 T _stext}. */
  String text() {
    StringBuilder text = new StringBuilder();
    for (Symbol each : sorted) {
      text.append("%016x %s %s\n".formatted(each.address, each.type, each.name));
    }
    return text.toString();
  }
}
