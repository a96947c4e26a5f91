package dev.kymo.session.machine;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The kernel's own symbols, without those of modules. */
final class KernelSymbols {
  private static final Pattern LINE = Pattern.compile("([0-9a-f]{1,16}) (\\S) (\\S+)");

  private final List<Symbol> sorted;
  private final Map<String, Long> addresses;
  private final Map<String, Long> offsets;

  /** A symbol: its type is {@code nm}'s letter. */
  record Symbol(long address, String type, String name) {}

  private KernelSymbols(List<Symbol> sorted, List<Symbol> ofProcessors) {
    this.sorted = sorted;
    this.addresses = byName(sorted);
    this.offsets = byName(ofProcessors);
  }

  private static Map<String, Long> byName(List<Symbol> symbols) {
    return symbols.stream()
        .collect(Collectors.toMap(Symbol::name, Symbol::address, (first, second) -> first));
  }

  /**
   * Reads {@code /proc/kallsyms}.
   *
   * @throws IOException if the kernel does not say where its symbols are
   */
  static KernelSymbols read(String text) throws IOException {
    List<Symbol> all =
        text.lines()
            .map(LINE::matcher)
            .filter(Matcher::matches)
            .map(m -> new Symbol(Long.parseUnsignedLong(m.group(1), 16), m.group(2), m.group(3)))
            .sorted(Comparator.comparingLong(Symbol::address))
            .toList();
    List<Symbol> symbols = all.stream().filter(symbol -> symbol.address < 0).toList();
    if (symbols.isEmpty()) {
      throw new IOException("the kernel does not say where its functions are: /proc/kallsyms");
    }
    return new KernelSymbols(symbols, all.stream().filter(symbol -> symbol.address >= 0).toList());
  }

  /** By address, without those that lie in a processor's data. */
  List<Symbol> sorted() {
    return sorted;
  }

  /** Address of a symbol; empty if there is none. */
  OptionalLong address(String name) {
    Long address = addresses.get(name);
    return address == null ? OptionalLong.empty() : OptionalLong.of(address);
  }

  /**
   * Where a variable that each processor has lies in a processor's data; empty if there is none.
   */
  OptionalLong offset(String name) {
    Long offset = offsets.get(name);
    return offset == null ? OptionalLong.empty() : OptionalLong.of(offset);
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
