package dev.kymo.importers.linux.metadata;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/** Names of the kernel's functions by their addresses: lines {@code ffffffff81000000 T name}. */
public final class Symbols {
  private static final int MOST_KNOWN = 100_000;

  private final long[] addresses;
  private final String[] names;
  private final Map<Long, String> known = new HashMap<>();

  private record Symbol(long address, String name) {}

  private Symbols(Symbol[] sorted) {
    addresses = new long[sorted.length];
    names = new String[sorted.length];
    for (int i = 0; i < sorted.length; i++) {
      addresses[i] = sorted[i].address ^ Long.MIN_VALUE;
      names[i] = sorted[i].name;
    }
  }

  static Symbols parse(byte[] text) {
    Symbol[] sorted =
        new String(text, StandardCharsets.UTF_8)
            .lines()
            .map(line -> line.split("[ \t]+", 4))
            .filter(part -> part.length >= 3 && part[0].matches("[0-9a-f]{1,16}"))
            .map(part -> new Symbol(Long.parseUnsignedLong(part[0], 16), part[2]))
            .filter(symbol -> symbol.address != 0)
            .sorted(Comparator.comparingLong(symbol -> symbol.address ^ Long.MIN_VALUE))
            .toArray(Symbol[]::new);
    return new Symbols(sorted);
  }

  /** The function with the code at an address; the address itself if it is unknown. */
  public String name(long address) {
    if (known.size() > MOST_KNOWN) {
      known.clear();
    }
    return known.computeIfAbsent(address, this::find);
  }

  private String find(long address) {
    int at = Arrays.binarySearch(addresses, address ^ Long.MIN_VALUE);
    int index = at >= 0 ? at : -at - 2;
    return index < 0 ? "0x" + Long.toHexString(address) : names[index];
  }
}
